import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts'
import type { Ctx, Tx } from '../context.ts'
import { revokeLogins } from './revoke-logins.ts'

const findHash = statement<{ params: { userId: string }; row: { password_hash: string | null } }>(
  `select password_hash from users where id = $userId`,
)
const lockHash = statement<{ params: { userId: string }; row: { account_id: string; password_hash: string | null } }>(
  `select account_id, password_hash from users where id = $userId for no key update`,
)
// Also cancels a pending change of the e-mail address and a pending password reset: another person may have requested
// them.
const updatePassword = statement<{ params: { userId: string; passwordHash: string } }>(
  `update users set password_hash = $passwordHash, password_reset_sent_at = null, unconfirmed_email = null, email_change_requested_at = null,
     confirmation_sent_at = case when confirmed_at is null then confirmation_sent_at end
   where id = $userId`,
)

/**
 * Checks the password of a logged-in user again, before an action that cannot be undone.
 * @throws ValidationError (of `current_password`) if it is wrong or the user has none; TooManyRequestsError
 */
export async function verifyCurrentPassword(
  ctx: Ctx,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  await findVerifiedHash(ctx, { userId, password })
}

/**
 * Changes a user's password. The session `sessionId` stays logged in; all other sessions and tokens end, and the user
 * gets a mail about the change.
 * @throws ValidationError (of `current_password` or `password`); TooManyRequestsError
 */
export async function changePassword(
  ctx: Ctx,
  {
    userId,
    currentPassword,
    password,
    sessionId,
  }: { userId: string; currentPassword: string; password: string; sessionId: string | null },
): Promise<void> {
  const verifiedHash = await findVerifiedHash(ctx, { userId, password: currentPassword })
  const passwordHash = await hashNewPassword(password)
  await ctx.write(async (tx) => {
    const [user] = await lockHash(tx.db, { userId })
    // A concurrent change replaced the password that was verified.
    if (!user || user.password_hash !== verifiedHash) throw wrongPasswordError()
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

async function findVerifiedHash(ctx: Ctx, { userId, password }: { userId: string; password: string }): Promise<string> {
  const [user] = await findHash(ctx.db, { userId })
  const hash = user?.password_hash ?? null
  if (!(await verifyPassword(hash, password)) || hash === null) throw wrongPasswordError()
  return hash
}

function wrongPasswordError(): ValidationError {
  return new ValidationError([{ attribute: 'current_password', code: 'ERR_WRONG', text: 'is wrong' }])
}
