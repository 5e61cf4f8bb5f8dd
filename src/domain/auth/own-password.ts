import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts'
import type { Ctx, Tx } from '../context.ts'
import { shutOut } from './shut-out.ts'

const findHash = statement<{ params: { userId: string }; row: { password_hash: string | null } }>(
  `select password_hash from users where id = $userId`,
)
const lockHash = statement<{ params: { userId: string }; row: { account_id: string; password_hash: string | null } }>(
  `select account_id, password_hash from users where id = $userId for no key update`,
)
// What somebody else may have asked for meanwhile does not count any more either: another address, or another password.
const write = statement<{ params: { userId: string; passwordHash: string } }>(
  `update users set password_hash = $passwordHash, password_reset_sent_at = null, unconfirmed_email = null, email_change_requested_at = null,
     confirmation_sent_at = case when confirmed_at is null then confirmation_sent_at end
   where id = $userId`,
)

/**
 * Asks whoever is logged in for their password again, before something that can't be undone.
 * @throws ValidationFailed (of `current_password`) for a wrong one, or where there is none · TooManyRequests
 */
export async function confirmPassword(
  ctx: Ctx,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  await findProven(ctx, { userId, password })
}

/**
 * Gives somebody another password. The browser that asks stays logged in; everything else that was logged in is not any
 * more, and a letter tells of it.
 * @throws ValidationFailed (of `current_password` or `password`) · TooManyRequests
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
  const proven = await findProven(ctx, { userId, password: currentPassword })
  const passwordHash = await hashNew(password)
  await ctx.write(async (tx) => {
    const [user] = await lockHash(tx.db, { userId })
    // Somebody was faster: what was proven does not hold any more.
    if (!user || user.password_hash !== proven) throw wrongPassword()
    await replacePassword(tx, { userId, accountId: user.account_id, passwordHash, exceptSessionId: sessionId })
  })
}

/** The hash of a password that somebody wants to have. @throws ValidationFailed · TooManyRequests */
export async function hashNew(password: string): Promise<string> {
  const problem = passwordProblem(password)
  if (problem) throw new ValidationFailed([problem])
  return hashPassword(password)
}

/** Puts another password in place of what there was; the row of the user is held. */
export async function replacePassword(
  tx: Tx,
  {
    userId,
    accountId,
    passwordHash,
    exceptSessionId = null,
  }: { userId: string; accountId: string; passwordHash: string; exceptSessionId?: string | null },
): Promise<void> {
  await write(tx.db, { userId, passwordHash })
  await shutOut(tx, { userId, exceptSessionId })
  tx.emit('account.password_changed', { accountId, at: tx.now.getTime() })
}

async function findProven(ctx: Ctx, { userId, password }: { userId: string; password: string }): Promise<string> {
  const [user] = await findHash(ctx.db, { userId })
  const hash = user?.password_hash ?? null
  if (!(await verifyPassword(hash, password)) || hash === null) throw wrongPassword()
  return hash
}

function wrongPassword(): ValidationFailed {
  return new ValidationFailed([{ attribute: 'current_password', code: 'ERR_WRONG', text: 'is wrong' }])
}
