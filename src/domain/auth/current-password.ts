import { ForbiddenError, ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts'
import type { Ctx, Tx } from '../context.ts'
import { revokeLogins } from './revoke-logins.ts'
import { checkRecentAuthentication } from './two-factor/recent-authentication.ts'

const findHash = statement<{ params: { userId: string }; row: { password_hash: string | null } }>(
  `select password_hash from users where id = $userId`,
)
const lockUser = statement<{ params: { userId: string }; row: { account_id: string } }>(
  `select account_id from users where id = $userId for no key update`,
)
// Also cancels a pending change of the e-mail address and a pending password reset: another person may have requested
// them.
const updatePassword = statement<{ params: { userId: string; passwordHash: string } }>(
  `update users set password_hash = $passwordHash, password_reset_sent_at = null, unconfirmed_email = null, email_change_requested_at = null,
     confirmation_sent_at = case when confirmed_at is null then confirmation_sent_at end
   where id = $userId`,
)

/**
 * Checks the password of a logged-in user again.
 * @throws ValidationError (of `current_password`) if it is wrong or the user has none; TooManyRequestsError
 */
export async function verifyCurrentPassword(
  ctx: Ctx,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  const [user] = await findHash(ctx.db, { userId })
  if (await verifyPassword(user?.password_hash ?? null, password)) return
  throw new ValidationError([{ attribute: 'current_password', code: 'ERR_WRONG', text: 'is wrong' }])
}

/**
 * Changes the password of a user who has proved their identity recently, or sets the first one. The session `sessionId`
 * stays logged in; all other sessions and tokens end, and the user gets a mail about the change.
 * @throws ValidationError (of `password`); TooManyRequestsError; ForbiddenError if the session has ended meanwhile
 */
export async function changePassword(
  ctx: Ctx,
  { userId, password, sessionId }: { userId: string; password: string; sessionId: string },
): Promise<void> {
  const passwordHash = await hashNewPassword(password)
  await ctx.write(async (tx) => {
    const [user] = await lockUser(tx.db, { userId })
    if (!user) throw new ForbiddenError()
    // A concurrent change in another session may have ended this one.
    await checkRecentAuthentication(tx, { userId, sessionId })
    await replacePassword(tx, { userId, accountId: user.account_id, passwordHash, exceptSessionId: sessionId })
  })
}

/** Checks and hashes a new password. @throws ValidationError (of `password`); TooManyRequestsError */
export async function hashNewPassword(password: string): Promise<string> {
  const problem = passwordProblem(password)
  if (problem) throw new ValidationError([problem])
  return hashPassword(password)
}

/** Replaces the password hash and ends all log-ins but one session. The caller has locked the user's row. */
export async function replacePassword(
  tx: Tx,
  {
    userId,
    accountId,
    passwordHash,
    exceptSessionId = null,
  }: { userId: string; accountId: string; passwordHash: string; exceptSessionId?: string | null },
): Promise<void> {
  await updatePassword(tx.db, { userId, passwordHash })
  await revokeLogins(tx, { userId, exceptSessionId })
  tx.emit('account.password_changed', { accountId, at: tx.now.getTime() })
}
