import { hashSecret, generateSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordActivity } from './record-activity.ts'
import type { LoginUser } from './find-login.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'

/** Days without use after which a session expires. Each day of use extends it (`findSessionViewer`). */
export const SESSION_DAYS = 30

const MAX_USER_AGENT_CHARACTERS = 500

/** The origin of a session, for the user's list of sessions. */
export interface Browser {
  ip: string | null
  userAgent: string
}

const lockHash = statement<{ params: { userId: string }; row: { password_hash: string | null } }>(
  `select password_hash from users where id = $userId for no key update`,
)

const updateHash = statement<{ params: { userId: string; passwordHash: string } }>(
  `update users set password_hash = $passwordHash where id = $userId`,
)
const insert = statement<{
  params: { idHash: Buffer; userId: string; ip: string | null; userAgent: string; now: Date; expiresAt: Date }
}>(
  `insert into sessions (id_hash, user_id, ip, user_agent, created_at, last_used_at, expires_at)
   values ($idHash, $userId, $ip, $userAgent, $now, $now, $expiresAt)`,
)
const remove = statement<{ params: { idHash: Buffer } }>(`delete from sessions where id_hash = $idHash`)
const removeExpired = statement<{ params: { now: Date } }>(`delete from sessions where expires_at < $now`)

/**
 * Checks the password of a user (null: `findLogin` found none) and opens a session. The previous session of the browser
 * ends. Returns `failed` for an unknown user and for a wrong password, after the same work, and `disabled` for a memorial
 * account, only if the password is right. Routes decide what a user whose account is disabled or suspended may do.
 * @throws TooManyRequestsError if too many passwords are being checked
 */
export async function logIn(
  ctx: Ctx,
  input: { user: LoginUser | null; password: string; browser: Browser; previousSessionId: string | null },
): Promise<{ sessionId: string } | 'failed' | 'disabled'> {
  const loginUser = input.user
  const matches = await verifyPassword(loginUser?.passwordHash ?? null, input.password)
  if (!loginUser || !matches) return 'failed'
  if (loginUser.memorial) return 'disabled'
  const rehashed = isOutdated(loginUser.passwordHash!) ? await hashPassword(input.password) : null
  return ctx.write(async (tx) => {
    // A concurrent change of the password ends all log-ins, including this one.
    const [user] = await lockHash(tx.db, { userId: loginUser.userId })
    if (user?.password_hash !== loginUser.passwordHash) return 'failed'
    if (rehashed) await updateHash(tx.db, { userId: loginUser.userId, passwordHash: rehashed })
    if (input.previousSessionId !== null) await logOut(tx, { sessionId: input.previousSessionId })
    return { sessionId: await openSession(tx, { userId: loginUser.userId, browser: input.browser }) }
  })
}

/** Opens a session and returns its id, which is a secret of the browser: only its hash is stored. */
export async function openSession(tx: Tx, { userId, browser }: { userId: string; browser: Browser }): Promise<string> {
  const sessionId = generateSecret()
  await insert(tx.db, {
    idHash: hashSecret(sessionId),
    userId,
    ip: browser.ip,
    userAgent: browser.userAgent.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed(),
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + SESSION_DAYS * 86_400_000),
  })
  await recordActivity(tx.db, { userIds: [userId] })
  return sessionId
}

/** Ends a session. */
export async function logOut(tx: Tx, { sessionId }: { sessionId: string }): Promise<void> {
  await remove(tx.db, { idHash: hashSecret(sessionId) })
}

/** Deletes expired sessions. */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(({ db }) => removeExpired(db, { now }))
}
