import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A letter to be. `key` names what it is about: of two letters with one key only the first is written. */
export interface NewMail {
  key: string
  recipient: string
  subject: string
  text: string
  html: string
  /** Where letters of its kind are stopped, if they can be. */
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

/** Puts a letter into the outbox, unless one with its key was there before. */
export async function writeMail(tx: Tx, { unsubscribeUrl, ...mail }: NewMail): Promise<void> {
  const [written] = await insert(tx.db, {
    ...mail,
    subject: oneLine(mail.subject),
    unsubscribeUrl: unsubscribeUrl ?? null,
    now: tx.now,
  })
  if (written) tx.emit('mail.written', { mailId: written.id })
}

/** A header is one line: nothing that somebody typed may begin another one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
