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
    if (rehashed) {
      await tx.db.updateTable('users').set({ password_hash: rehashed }).where('id', '=', person.userId).execute()
    }
    if (input.previousSessionId !== null) await logOut(tx, { sessionId: input.previousSessionId })
    return { sessionId: await openSession(tx, { userId: person.userId, browser: input.browser }) }
  })
}

/** Opens a session. Only its hash is stored; the id is the browser's secret. */
export async function openSession(tx: Tx, { userId, browser }: { userId: string; browser: Browser }): Promise<string> {
  const sessionId = makeSecret()
  await tx.db
    .insertInto('sessions')
    .values({
      id_hash: hashSecret(sessionId),
      user_id: userId,
      ip: browser.ip,
      user_agent: browser.userAgent.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed(),
      created_at: tx.now,
      last_used_at: tx.now,
      expires_at: new Date(tx.now.getTime() + SESSION_DAYS * 86_400_000),
    })
    .execute()
  await noteLogin(tx, { userId })
  return sessionId
}

/** Ends a session. */
export async function logOut(tx: Tx, { sessionId }: { sessionId: string }): Promise<void> {
  await tx.db.deleteFrom('sessions').where('id_hash', '=', hashSecret(sessionId)).execute()
}

/** Removes sessions that have ended. */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(({ db }) => db.deleteFrom('sessions').where('expires_at', '<', now).execute())
}
