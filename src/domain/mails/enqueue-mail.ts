import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A mail to send. `key` makes it idempotent: of two mails with the same key, only the first is enqueued. */
export interface NewMail {
  key: string
  recipient: string
  subject: string
  text: string
  html: string
  /** The URL that unsubscribes from mails of its kind, if the user can (RFC 8058). */
  unsubscribeUrl?: string
}

const insert = statement<{
  params: Omit<NewMail, 'unsubscribeUrl'> & { unsubscribeUrl: string | null; now: Date }
  row: { id: string }
}>(
  `insert into mails (key, recipient, subject, text, html, created_at, unsubscribe_url)
   values ($key, $recipient, $subject, $text, $html, $now, $unsubscribeUrl)
   on conflict (key) do nothing returning id`,
)

/** Adds a mail to the outbox, unless one with its key exists. */
export async function enqueueMail(tx: Tx, { unsubscribeUrl, ...mail }: NewMail): Promise<void> {
  const [inserted] = await insert(tx.db, {
    ...mail,
    subject: oneLine(mail.subject),
    unsubscribeUrl: unsubscribeUrl ?? null,
    now: tx.now,
  })
  if (inserted) tx.emit('mail.enqueued', { mailId: inserted.id })
}

/** Removes line breaks and control characters, so that text of users cannot start another mail header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
