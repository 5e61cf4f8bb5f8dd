import { Forbidden, ValidationFailed } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { emailProblem } from './check-person.ts'
import { noteTriedAddress } from './note-tried-address.ts'

/**
 * Asks again for the confirmation of a person's address, or of another one in its place. Links sent before stop
 * working. An address that belongs to somebody else gets the same answer, changes nothing, and its owner is told.
 * `applicationId`: the application that asks, which must be the one that the person signed up with.
 * @throws Forbidden when nothing is to be confirmed, or the application is another · ValidationFailed
 */
export async function resendConfirmation(
  tx: Tx,
  { userId, email, applicationId }: { userId: string; email?: string | undefined; applicationId?: string | null },
): Promise<void> {
  const user = await tx.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (applicationId !== undefined && (applicationId === null || applicationId !== user.sign_up_application_id)) {
    throw new Forbidden('This method is only available to the application the user originally signed-up with')
  }
  if (user.confirmed_at !== null && user.unconfirmed_email === null) {
    throw new Forbidden('This method is only available while the e-mail is awaiting confirmation')
  }
  const wanted = email?.trim() ?? ''
  if (wanted !== '') {
    const problem = emailProblem(wanted)
    if (problem) throw new ValidationFailed([problem], { details: true })
    if (await noteTriedAddress(tx, { email: wanted, triedBy: userId })) return
  }
  // A person who never confirmed any address has none to fall back to, so the new one takes its place at once.
  const change = wanted === '' ? {} : user.confirmed_at === null ? { email: wanted } : { unconfirmed_email: wanted }
  await tx.db
    .updateTable('users')
    .set({ ...change, confirmation_sent_at: tx.now })
    .where('id', '=', userId)
    .execute()
  tx.emit('account.confirmation_asked', { accountId: user.account_id })
}
