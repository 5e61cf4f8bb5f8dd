import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'

/** How long the row of a sent mail stays, so that a late repetition of its job does not send it again. */
const SENT_RETENTION_DAYS = 7

/** How long an unsent mail stays in the outbox. */
const UNSENT_RETENTION_DAYS = 90

export interface StoredMail {
  id: string
  recipient: string
  subject: string
  text: string
  html: string
  createdAt: Date
  unsubscribeUrl: string | null
}

type ListedMail = Pick<StoredMail, 'id' | 'recipient' | 'subject' | 'createdAt'>

const list = statement<{ params: { limit: number }; row: ListedMail }>(
  `select id, recipient, subject, created_at as "createdAt" from mails where sent_at is null
   order by id desc limit $limit`,
)
const count = statement<{ row: { count: number } }>(`select count(*)::int as count from mails where sent_at is null`)
const find = statement<{ params: { id: string }; row: StoredMail }>(
  `select id, recipient, subject, text, html, created_at as "createdAt", unsubscribe_url as "unsubscribeUrl"
   from mails where id = $id and sent_at is null`,
)
const markSent = statement<{ params: { id: string; now: Date } }>(
  `update mails set sent_at = $now, text = '', html = '', unsubscribe_url = null where id = $id`,
)
const removeOld = statement<{ params: { sentBefore: Date; createdBefore: Date } }>(
  deleteMails('m.sent_at < $sentBefore or m.created_at < $createdBefore'),
)

/** Returns unsent mails, newest first, without their texts. */
export async function listUnsentMails(read: Read, { limit }: { limit: number }): Promise<ListedMail[]> {
  return list(read.db, { limit })
}

/** Counts unsent mails. */
export async function countUnsentMails(read: Read): Promise<number> {
  const [row] = await count(read.db)
  return row!.count
}

/** Returns an unsent mail. @throws NotFoundError */
export async function findUnsentMail(read: Read, { id }: { id: string }): Promise<StoredMail> {
  const [mail] = isId(id) ? await find(read.db, { id }) : []
  if (!mail) throw new NotFoundError()
  return mail
}

/** Marks a mail as sent and deletes its text, which may contain a link that is as powerful as a password. */
export async function markMailSent(tx: Tx, { id }: { id: string }): Promise<void> {
  await markSent(tx.db, { id, now: tx.now })
}

/**
 * Returns a statement that deletes mails `m`, with the jobs of the unsent ones: they would have nothing to do, and their
 * errors may contain the address. A mail that is being sent meanwhile arrives nevertheless.
 */
export function deleteMails(condition: string): string {
  return `with deleted as (delete from mails m where ${condition} returning m.id, m.sent_at)
    delete from jobs where name = 'sendMail' and locked_at is null
      and payload ->> 'mailId' in (select id::text from deleted where sent_at is null)`
}

/** Deletes sent and unsent mails after their retention times. */
export async function expireMails(ctx: Ctx): Promise<void> {
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  await ctx.write(({ db }) =>
    removeOld(db, { sentBefore: daysAgo(SENT_RETENTION_DAYS), createdBefore: daysAgo(UNSENT_RETENTION_DAYS) }),
  )
}
