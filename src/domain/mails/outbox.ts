import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
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

/** Letters that were not sent, newest first, without their texts. */
export async function listMails(
  read: Read,
  { limit }: { limit: number },
): Promise<Pick<KeptMail, 'id' | 'recipient' | 'subject' | 'createdAt'>[]> {
  return read.db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'created_at as createdAt'])
    .where('sent_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many letters are kept. */
export async function countMails(read: Read): Promise<number> {
  const { count } = await read.db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A letter that was not sent. @throws NotFound */
export async function findMail(read: Read, { id }: { id: string }): Promise<KeptMail> {
  const mail = isId(id)
    ? await read.db
        .selectFrom('mails')
        .select([
          'id',
          'recipient',
          'subject',
          'text',
          'html',
          'created_at as createdAt',
          'unsubscribe_url as unsubscribeUrl',
        ])
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!mail) throw new NotFound()
  return mail
}

/** Notes that a letter has left, and forgets what it said: it may hold a link that is as good as a password. */
export async function markMailSent(tx: Tx, { id }: { id: string }): Promise<void> {
  await tx.db
    .updateTable('mails')
    .set({ sent_at: tx.now, text: '', html: '', unsubscribe_url: null })
    .where('id', '=', id)
    .execute()
}

/** Removes letters that nobody needs any more. */
export async function expireMails(ctx: Ctx): Promise<void> {
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  await ctx.write(({ db }) =>
    db
      .deleteFrom('mails')
      .where((eb) => eb.or([eb('sent_at', '<', daysAgo(SENT_DAYS)), eb('created_at', '<', daysAgo(KEPT_DAYS))]))
      .execute(),
  )
}
