import { ForbiddenError, NotFoundError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { isUniqueViolation } from '../../../platform/db/connection.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { emailProblem } from '../registration/check-credentials.ts'
import { BLOCKED_EMAIL } from '../../email-blocks/check-email-domain.ts'
import { findEmailRefusal } from '../../email-blocks/find-email-refusal.ts'
import { isRefusedForUser } from './check-email-lists.ts'
import { reportTakenEmail } from './report-taken-email.ts'
import { pendingEmail } from './pending-email.ts'

interface UnconfirmedUser {
  account_id: string
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmed_at: Date | null
  confirmation_sent_at: Date | null
  sign_up_application_id: string | null
}

const lock = statement<{ params: { userId: string }; row: UnconfirmedUser }>(
  `select account_id, unconfirmed_email, email_change_requested_at, confirmed_at, confirmation_sent_at,
     sign_up_application_id
   from users where id = $userId for update`,
)
// The previous version did not store when a change was requested; such a request is as old as its first mail. A pending
// password reset ends with the address that its mail went to.
const update = statement<{ params: { userId: string; newEmail: string | null; isConfirmed: boolean; now: Date } }>(
  `update users set email = coalesce($newEmail, email), confirmation_sent_at = $now,
     email_change_requested_at = case when $isConfirmed then coalesce(email_change_requested_at, confirmation_sent_at)
       else email_change_requested_at end,
     password_reset_sent_at = case when $newEmail::text is null then password_reset_sent_at end
   where id = $userId`,
)

/**
 * Sends the confirmation mail of a user again, to the pending address or to `email` in its place (Mastodon: POST
 * /api/v1/emails/confirmations). Links sent before stop working. If `email` or the pending address belongs to another
 * user, the response is the same, no link is sent, and that user is notified. Only a user who never confirmed an
 * address may enter another one here. Otherwise a thief of a session or token, who does not know the password, could
 * move the account to an address of their own (`changeEmail` asks for the password). `applicationId`: the application
 * that sends the request, which must be the one that the user signed up with.
 * @throws ForbiddenError if no address awaits confirmation, the application is another one, or a confirmed user enters
 *   an address other than the pending one; ValidationError; NotFoundError if the user was deleted
 */
export async function resendConfirmation(
  ctx: Ctx,
  { email: input = '', ...request }: { userId: string; email?: string | undefined; applicationId?: string | null },
): Promise<void> {
  const email = input.trim()
  // Before the transaction opens, since it may wait for the mail servers of the domain.
  const refusal = email !== '' && emailProblem(email) === null ? await findEmailRefusal(ctx, { email }) : null
  const write = () => ctx.write((tx) => resend(tx, { ...request, email, refusal }))
  await write().catch(async (err: unknown) => {
    // A concurrent request gave the address to another user. The next attempt responds as to any taken address.
    if (!isUniqueViolation(err)) throw err
    await write()
  })
}

async function resend(
  tx: Tx,
  {
    userId,
    email,
    applicationId,
    refusal,
  }: { userId: string; email: string; applicationId?: string | null; refusal: FieldError | null },
): Promise<void> {
  const [user] = await lock(tx.db, { userId })
  if (!user) throw new NotFoundError()
  if (applicationId !== undefined && (applicationId === null || applicationId !== user.sign_up_application_id)) {
    throw new ForbiddenError('This method is only available to the application the user originally signed-up with')
  }
  const isConfirmed = user.confirmed_at !== null
  const pending = pendingEmail(user, { now: tx.now })
  if (isConfirmed && pending === null) {
    throw new ForbiddenError('This method is only available while the e-mail is awaiting confirmation')
  }
  if (isConfirmed && email !== '' && email.toLowerCase() !== pending?.toLowerCase()) {
    throw new ForbiddenError('Your current password is required to change the e-mail address: use the account settings')
  }
  const newEmail = isConfirmed ? '' : email
  if (newEmail !== '') {
    const problem = emailProblem(newEmail)
    if (problem) throw new ValidationError([problem], { details: true })
    const isRefused = refusal !== null || (await isRefusedForUser(tx, { userId, email: newEmail }))
    if (isRefused) throw new ValidationError([refusal ?? BLOCKED_EMAIL], { details: true })
    if (await reportTakenEmail(tx, { email: newEmail, requestedBy: userId })) return
  }
  // A user who never confirmed an address has no confirmed one to fall back to, so the new one replaces it at once.
  await update(tx.db, { userId, newEmail: newEmail === '' ? null : newEmail, isConfirmed, now: tx.now })
  if (pending !== null && (await reportTakenEmail(tx, { email: pending, requestedBy: userId }))) return
  tx.emit('account.confirmation_requested', { accountId: user.account_id })
}
