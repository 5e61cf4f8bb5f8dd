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

/** Puts a letter into the outbox, unless one with its key was there before. */
export async function writeMail(tx: Tx, { unsubscribeUrl, ...mail }: NewMail): Promise<void> {
  const written = await tx.db
    .insertInto('mails')
    .values({ ...mail, subject: oneLine(mail.subject), created_at: tx.now, unsubscribe_url: unsubscribeUrl ?? null })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (written) tx.emit('mail.written', { mailId: written.id })
}

/** A header is one line: nothing that somebody typed may begin another one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
