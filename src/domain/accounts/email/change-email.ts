import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { checkRecentAuthentication } from '../../auth/two-factor/recent-authentication.ts'
import type { OwnSession } from '../../auth/two-factor/recent-authentication.ts'
import { BLOCKED_EMAIL } from '../../email-blocks/check-email-domain.ts'
import { findEmailRefusal } from '../../email-blocks/find-email-refusal.ts'
import { emailProblem, takenProblem } from '../registration/check-credentials.ts'
import { isRefusedForUser } from './check-email-lists.ts'
import { reportTakenEmail } from './report-taken-email.ts'

interface LockedUser {
  account_id: string
  email: string
  confirmed: boolean
}

const lockUser = statement<{ params: { userId: string }; row: LockedUser }>(
  `select account_id, email, confirmed_at is not null as confirmed from users where id = $userId for no key update`,
)
const updateEmailChange = statement<{
  params: { userId: string; unconfirmedEmail: string | null; emailChangeRequestedAt: Date | null }
}>(
  `update users set unconfirmed_email = $unconfirmedEmail, email_change_requested_at = $emailChangeRequestedAt, confirmation_sent_at = $emailChangeRequestedAt where id = $userId`,
)
const replaceEmail = statement<{ params: { userId: string; email: string; now: Date } }>(
  `update users set email = $email, unconfirmed_email = null, email_change_requested_at = null,
     confirmation_sent_at = $now, password_reset_sent_at = null
   where id = $userId`,
)
const findOther = statement<{ params: { userId: string; email: string }; row: { id: string } }>(
  `select id from users where lower(email) = $email and id <> $userId`,
)

/**
 * Requests a change of the e-mail address of a user who has proved their identity recently. Sends a confirmation link
 * to the new address, which takes effect when the user follows the link, and notifies the current address. Requesting
 * the current address cancels a pending change. An address of another user is stored, too, so that no later response
 * reveals that it is taken. It gets no link, and that user is notified.
 * @throws ValidationError (of `email`); ForbiddenError if the session has ended meanwhile
 */
export async function changeEmail(
  ctx: Ctx,
  { userId, sessionId, email }: OwnSession & { email: string },
): Promise<void> {
  const newEmail = email.trim()
  const problem = emailProblem(newEmail)
  if (problem) throw new ValidationError([problem])
  const isCurrent = (await findEmail(ctx, { userId })).toLowerCase() === newEmail.toLowerCase()
  if (!isCurrent) {
    const refusal =
      (await findEmailRefusal(ctx, { email: newEmail })) ??
      ((await isRefusedForUser(ctx, { userId, email: newEmail })) ? BLOCKED_EMAIL : null)
    if (refusal) throw new ValidationError([refusal])
  }
  await ctx.write(async (tx) => {
    const [user] = await lockUser(tx.db, { userId })
    if (!user) return
    await checkRecentAuthentication(tx, { userId, sessionId })
    if (user.email.toLowerCase() === newEmail.toLowerCase()) {
      await updateEmailChange(tx.db, { userId, unconfirmedEmail: null, emailChangeRequestedAt: null })
      return
    }
    const change = { email: user.email, newEmail, at: tx.now.getTime() }
    tx.emit('account.email_change_requested', { accountId: user.account_id, ...change })
    await updateEmailChange(tx.db, { userId, unconfirmedEmail: newEmail, emailChangeRequestedAt: tx.now })
    if (await reportTakenEmail(tx, { email: newEmail, requestedBy: userId })) return
    tx.emit('account.confirmation_requested', { accountId: user.account_id })
  })
}

/**
 * Requests a change of a user's e-mail address on behalf of an administrator: without the password, and also to an
 * address that is blocked. The new address gets a confirmation link. A user who never confirmed an address gets the new
 * one at once, and has to confirm it. The current address cancels a pending change.
 * @throws NotFoundError; ValidationError (of `email`)
 */
export async function changeEmailAsStaff(tx: Tx, { userId, email }: { userId: string; email: string }): Promise<void> {
  const problem = emailProblem(email)
  if (problem) throw new ValidationError([problem])
  const [user] = await lockUser(tx.db, { userId })
  if (!user) throw new NotFoundError()
  if ((await findOther(tx.db, { email: email.toLowerCase(), userId })).length > 0)
    throw new ValidationError([takenProblem('email')])
  if (user.email.toLowerCase() === email.toLowerCase()) {
    if (user.confirmed) await updateEmailChange(tx.db, { userId, unconfirmedEmail: null, emailChangeRequestedAt: null })
    return
  }
  if (user.confirmed)
    await updateEmailChange(tx.db, { userId, unconfirmedEmail: email, emailChangeRequestedAt: tx.now })
  else await replaceEmail(tx.db, { userId, email, now: tx.now })
  tx.emit('account.confirmation_requested', { accountId: user.account_id })
}

const selectEmail = statement<{ params: { userId: string }; row: { email: string } }>(
  `select email from users where id = $userId`,
)

/** Returns a user's current e-mail address. @throws NotFoundError if the user was deleted */
export async function findEmail(read: Pick<Read, 'db'>, { userId }: { userId: string }): Promise<string> {
  const [user] = await selectEmail(read.db, { userId })
  if (!user) throw new NotFoundError()
  return user.email
}
