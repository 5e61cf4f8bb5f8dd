import { Forbidden, NotFound, ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { emailProblem } from './check-person.ts'
import { noteTriedAddress } from './note-tried-address.ts'
import { pendingEmail } from './pending-email.ts'

interface WaitingUser {
  account_id: string
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmed_at: Date | null
  confirmation_sent_at: Date | null
  sign_up_application_id: string | null
}

const lock = statement<{ params: { userId: string }; row: WaitingUser }>(
  `select account_id, unconfirmed_email, email_change_requested_at, confirmed_at, confirmation_sent_at,
     sign_up_application_id
   from users where id = $userId for update`,
)
// A request that the previous version wrote is as old as its first mail.
const update = statement<{ params: { userId: string; newEmail: string | null; isConfirmed: boolean; now: Date } }>(
  `update users set email = coalesce($newEmail, email), confirmation_sent_at = $now,
     email_change_requested_at = case when $isConfirmed then coalesce(email_change_requested_at, confirmation_sent_at)
       else email_change_requested_at end
   where id = $userId`,
)

/**
 * Asks again for the confirmation of a person's address, or of another one in its place. Links sent before stop
 * working. An address that belongs to somebody else gets the same answer, changes nothing, and its owner is told.
 * Only a user who never confirmed an address may name another one here: a stolen session or token of a confirmed
 * account, but not its password, could move the account to an address of their own (`changeEmail` asks for the password).
 * `applicationId`: the application that asks, which must be the one that the person signed up with.
 * @throws Forbidden when nothing is to be confirmed, the application is another, or a confirmed user names an address
 *   other than the pending one · ValidationFailed
 */
export async function resendConfirmation(
  tx: Tx,
  { userId, email, applicationId }: { userId: string; email?: string | undefined; applicationId?: string | null },
): Promise<void> {
  const [user] = await lock(tx.db, { userId })
  if (!user) throw new NotFound()
  if (applicationId !== undefined && (applicationId === null || applicationId !== user.sign_up_application_id)) {
    throw new Forbidden('This method is only available to the application the user originally signed-up with')
  }
  const isConfirmed = user.confirmed_at !== null
  const pending = pendingEmail(user, { now: tx.now })
  if (isConfirmed && pending === null) {
    throw new Forbidden('This method is only available while the e-mail is awaiting confirmation')
  }
  const wanted = email?.trim() ?? ''
  if (isConfirmed && wanted !== '' && wanted.toLowerCase() !== pending?.toLowerCase()) {
    throw new Forbidden('Your current password is required to change the e-mail address: use the account settings')
  }
  const newEmail = isConfirmed ? '' : wanted
  if (newEmail !== '') {
    const problem = emailProblem(newEmail)
    if (problem) throw new ValidationFailed([problem], { details: true })
    if (await noteTriedAddress(tx, { email: newEmail, triedBy: userId })) return
  }
  // A person who never confirmed any address has none to fall back to, so the new one takes its place at once.
  await update(tx.db, { userId, newEmail: newEmail === '' ? null : newEmail, isConfirmed, now: tx.now })
  tx.emit('account.confirmation_asked', { accountId: user.account_id })
}
