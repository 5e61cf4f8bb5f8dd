import { hashSecret, makeSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { noteLogin } from '../instance/weekly-people.ts'
import type { LoginUser } from './find-login.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'

/** A session that is not used for so long ends. Each day of use moves the end (`findSessionViewer`). */
export const SESSION_DAYS = 30

const MAX_USER_AGENT_CHARACTERS = 500

/** Where a session comes from, for the list of one's own sessions. */
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
 * Checks the password of a user (null: `findLogin` found none) and opens a session. The session that the browser
 * had before ends. Returns `failed` for an unknown person as for a wrong password, after the same work, and
 * `disabled` only to who knows the password.
 * @throws TooManyRequests when too many passwords are being checked
 */
export async function logIn(
  ctx: Ctx,
  input: { user: LoginUser | null; password: string; browser: Browser; previousSessionId: string | null },
): Promise<{ sessionId: string } | 'failed' | 'disabled'> {
  const person = input.user
  const matches = await verifyPassword(person?.passwordHash ?? null, input.password)
  if (!person || !matches) return 'failed'
  if (person.disabled) return 'disabled'
  const rehashed = isOutdated(person.passwordHash!) ? await hashPassword(input.password) : null
  return ctx.write(async (tx) => {
    // Whoever has just changed the password meant this log-in, too.
    const [user] = await lockHash(tx.db, { userId: person.userId })
    if (user?.password_hash !== person.passwordHash) return 'failed'
    if (rehashed) await updateHash(tx.db, { userId: person.userId, passwordHash: rehashed })
    if (input.previousSessionId !== null) await logOut(tx, { sessionId: input.previousSessionId })
    return { sessionId: await openSession(tx, { userId: person.userId, browser: input.browser }) }
  })
}

/** Opens a session. Only its hash is stored; the id is the browser's secret. */
export async function openSession(tx: Tx, { userId, browser }: { userId: string; browser: Browser }): Promise<string> {
  const sessionId = makeSecret()
  await insert(tx.db, {
    idHash: hashSecret(sessionId),
    userId,
    ip: browser.ip,
    userAgent: browser.userAgent.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed(),
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + SESSION_DAYS * 86_400_000),
  })
  await noteLogin(tx, { userId })
  return sessionId
}

/** Ends a session. */
export async function logOut(tx: Tx, { sessionId }: { sessionId: string }): Promise<void> {
  await remove(tx.db, { idHash: hashSecret(sessionId) })
}

/** Removes sessions that have ended. */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(({ db }) => removeExpired(db, { now }))
}
