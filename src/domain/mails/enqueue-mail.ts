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

const insertMany = statement<{
  params: {
    keys: readonly string[]
    recipients: readonly string[]
    subjects: readonly string[]
    texts: readonly string[]
    htmls: readonly string[]
    now: Date
  }
  row: { id: string }
}>(
  `insert into mails (key, recipient, subject, text, html, created_at)
   select key, recipient, subject, text, html, $now
   from unnest($keys::text[], $recipients::text[], $subjects::text[], $texts::text[], $htmls::text[])
     listed (key, recipient, subject, text, html)
   on conflict (key) do nothing returning id`,
)

/** Adds mails to the outbox, unless they exist. */
export async function enqueueMails(tx: Tx, mails: readonly Omit<NewMail, 'unsubscribeUrl'>[]): Promise<void> {
  if (mails.length === 0) return
  const inserted = await insertMany(tx.db, {
    keys: mails.map(({ key }) => key),
    recipients: mails.map(({ recipient }) => recipient),
    subjects: mails.map(({ subject }) => oneLine(subject)),
    texts: mails.map(({ text }) => text),
    htmls: mails.map(({ html }) => html),
    now: tx.now,
  })
  for (const { id } of inserted) tx.emit('mail.enqueued', { mailId: id })
}

/** Removes line breaks and control characters, so that text of users cannot start another mail header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
