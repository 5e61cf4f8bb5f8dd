import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'

/** A letter that was sent is remembered so long, so that no late repetition writes it again. */
const SENT_DAYS = 7

/** A kept letter is kept so long. */
const KEPT_DAYS = 90

export interface KeptMail {
  id: string
  recipient: string
  subject: string
  text: string
  html: string
  createdAt: Date
  unsubscribeUrl: string | null
}

type ListedMail = Pick<KeptMail, 'id' | 'recipient' | 'subject' | 'createdAt'>

const list = statement<{ params: { limit: number }; row: ListedMail }>(
  `select id, recipient, subject, created_at as "createdAt" from mails where sent_at is null
   order by id desc limit $limit`,
)
const count = statement<{ row: { count: number } }>(`select count(*)::int as count from mails where sent_at is null`)
const find = statement<{ params: { id: string }; row: KeptMail }>(
  `select id, recipient, subject, text, html, created_at as "createdAt", unsubscribe_url as "unsubscribeUrl"
   from mails where id = $id and sent_at is null`,
)
const markSent = statement<{ params: { id: string; now: Date } }>(
  `update mails set sent_at = $now, text = '', html = '', unsubscribe_url = null where id = $id`,
)
const removeOld = statement<{ params: { sentBefore: Date; createdBefore: Date } }>(
  `delete from mails where sent_at < $sentBefore or created_at < $createdBefore`,
)

/** Letters that were not sent, newest first, without their texts. */
export async function listMails(read: Read, { limit }: { limit: number }): Promise<ListedMail[]> {
  return list(read.db, { limit })
}

/** How many letters are kept. */
export async function countMails(read: Read): Promise<number> {
  const [row] = await count(read.db)
  return row!.count
}

/** A letter that was not sent. @throws NotFound */
export async function findMail(read: Read, { id }: { id: string }): Promise<KeptMail> {
  const [mail] = isId(id) ? await find(read.db, { id }) : []
  if (!mail) throw new NotFound()
  return mail
}

/** Notes that a letter has left, and forgets what it said: it may hold a link that is as good as a password. */
export async function markMailSent(tx: Tx, { id }: { id: string }): Promise<void> {
  await markSent(tx.db, { id, now: tx.now })
}

/** Removes letters that nobody needs any more. */
export async function expireMails(ctx: Ctx): Promise<void> {
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  await ctx.write(({ db }) => removeOld(db, { sentBefore: daysAgo(SENT_DAYS), createdBefore: daysAgo(KEPT_DAYS) }))
}
