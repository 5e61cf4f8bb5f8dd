import { hashSecret, generateSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { revokeTokensOfSessions } from './access-tokens.ts'
import { recordActivity } from './record-activity.ts'
import type { LoginUser } from './find-login.ts'
import { isNewAddress, recordLoginActivity } from './login-activities.ts'
import type { Browser, LoginMethod } from './login-activities.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { createPendingLogin } from './two-factor/pending-logins.ts'
import { findSecondFactors, hasSecondFactor } from './two-factor/second-factors.ts'

/**
 * What a log-in leads to. `pendingId`: the user has to prove a second factor. `memorial`: the account is a memorial,
 * which nobody uses.
 */
export type LoginResult = { sessionId: string } | { pendingId: string } | 'memorial'

const lockUser = statement<{ params: { userId: string }; row: { account_id: string; memorial: boolean } }>(
  `select u.account_id, a.memorial from users u join accounts a on a.id = u.account_id where u.id = $userId for no key update of u`,
)
const lockHash = statement<{ params: { userId: string }; row: { password_hash: string | null } }>(
  `select password_hash from users where id = $userId for no key update`,
)

const updateHash = statement<{ params: { userId: string; passwordHash: string } }>(
  `update users set password_hash = $passwordHash where id = $userId`,
)
const insert = statement<{
  params: { idHash: Buffer; userId: string; ip: string | null; userAgent: string; now: Date; expiresAt: Date }
}>(
  `insert into sessions (id_hash, user_id, ip, user_agent, created_at, last_used_at, authenticated_at, expires_at)
   values ($idHash, $userId, $ip, $userAgent, $now, $now, $now, $expiresAt)`,
)
const remove = statement<{ params: { idHash: Buffer }; row: { id: string } }>(
  `delete from sessions where id_hash = $idHash returning id`,
)
/** Only sessions to which a token of the web client belongs. */
const replaceSecret = statement<{ params: { idHash: Buffer; newHash: Buffer; userId: string }; row: { id: string } }>(
  `update sessions s set id_hash = $newHash
   where id_hash = $idHash and user_id <> $userId
     and exists (select from access_tokens t where t.session_id = s.id and t.revoked_at is null)
   returning id`,
)
// `expires_at` was computed from an earlier value of the setting, which may have been longer.
const removeExpired = statement<{ params: { now: Date; unusedSince: Date }; row: { id: string } }>(
  `delete from sessions where expires_at < $now or last_used_at < $unusedSince returning id`,
)
const removeAddresses = statement<{ params: { unusedSince: Date } }>(
  `update sessions set ip = null where ip is not null and last_used_at < $unusedSince`,
)
const lock = statement<{ params: { idHash: Buffer; userId: string; now: Date }; row: { id: string } }>(
  `select id from sessions where id_hash = $idHash and user_id = $userId and expires_at > $now for key share`,
)
const lockById = statement<{ params: { id: string; now: Date }; row: { id: string } }>(
  `select id from sessions where id = $id and expires_at > $now for key share`,
)
const removeOldest = statement<{ params: { userId: string; now: Date; limit: number }; row: { id: string } }>(
  `delete from sessions where id in (
     select id from sessions where user_id = $userId and expires_at > $now order by created_at desc, id desc
     offset $limit::int)
   returning id`,
)

/**
 * Checks the password of a user (null: `findLogin` found none) and completes the log-in. Returns `failed` for an
 * unknown user and for a wrong password, after the same work.
 * @throws TooManyRequestsError if too many passwords are being checked
 */
export async function logIn(
  ctx: Ctx,
  input: {
    user: LoginUser | null
    password: string
    browser: Browser
    previousSessionId: string | null
    /** More work in the transaction of the log-in, unless it has to wait for the second factor. */
    alsoDo?: (tx: Tx, user: { userId: string }) => Promise<void>
  },
): Promise<LoginResult | 'failed'> {
  const loginUser = input.user
  const matches = await verifyPassword(loginUser?.passwordHash ?? null, input.password)
  if (!loginUser || !matches) return 'failed'
  const { userId } = loginUser
  const rehashed = isOutdated(loginUser.passwordHash!) ? await hashPassword(input.password) : null
  return ctx.write(async (tx) => {
    // A concurrent change of the password ends all log-ins, including this one.
    const [user] = await lockHash(tx.db, { userId })
    if (user?.password_hash !== loginUser.passwordHash) return 'failed'
    if (rehashed) await updateHash(tx.db, { userId, passwordHash: rehashed })
    const result = await completeLogin(tx, { ...input, userId, by: { method: 'password' } })
    if (typeof result === 'object' && 'sessionId' in result) await input.alsoDo?.(tx, { userId })
    return result
  })
}

interface ProvedLogin {
  userId: string
  by: LoginMethod
  browser: Browser
  previousSessionId: string | null
}

/**
 * Completes the log-in of a user who has proved their identity by a first factor, or lets it wait for the second factor
 * if the user has one. Routes decide what a user whose account is disabled or suspended may do.
 */
export async function completeLogin(tx: Tx, login: ProvedLogin): Promise<LoginResult> {
  const [user] = await lockUser(tx.db, { userId: login.userId })
  if (!user || user.memorial) return 'memorial'
  if (await hasSecondFactor(tx, login)) return createPendingLogin(tx, login)
  return openLogin(tx, login)
}

/**
 * Opens the session of a user who has proved all factors, records the log-in, and informs a user without an
 * authenticator app if it comes from a new network (as in Mastodon). The previous session of the browser ends, unless
 * the web client goes on using it for another account.
 */
export async function openLogin(
  tx: Tx,
  { userId, by, browser, previousSessionId }: ProvedLogin,
): Promise<{ sessionId: string } | 'memorial'> {
  const [user] = await lockUser(tx.db, { userId })
  if (!user || user.memorial) return 'memorial'
  if (previousSessionId !== null) await leaveSession(tx, { sessionId: previousSessionId, userId })
  const { ip } = browser
  const isNew =
    ip !== null && (await isNewAddress(tx, { userId, ip })) && !(await findSecondFactors(tx, { userId })).totp
  const { id: loginActivityId } = await recordLoginActivity(tx, { userId, by, browser })
  if (isNew) tx.emit('account.logged_in_from_new_address', { accountId: user.account_id, loginActivityId })
  return { sessionId: await openSession(tx, { userId, browser }) }
}

/**
 * Opens a session and returns its id, which is a secret of the browser: only its hash is stored. The oldest sessions of
 * the user beyond the limit (`MAX_SESSION_ACTIVATIONS`) end.
 */
export async function openSession(tx: Tx, { userId, browser }: { userId: string; browser: Browser }): Promise<string> {
  const sessionId = generateSecret()
  await insert(tx.db, {
    idHash: hashSecret(sessionId),
    userId,
    ip: browser.ip,
    userAgent: browser.userAgent,
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + tx.config.retention.sessionSeconds * 1_000),
  })
  await revokeTokensOfEnded(tx, await removeOldest(tx.db, { userId, now: tx.now, limit: tx.config.maxSessions }))
  await recordActivity(tx.db, { userIds: [userId] })
  return sessionId
}

/**
 * Ends the session that a browser had before a log-in. If the web client uses it for another account, only its cookie
 * becomes invalid: the user switches between the accounts, and can end the session on the page of sessions.
 */
async function leaveSession(tx: Tx, { sessionId, userId }: { sessionId: string; userId: string }): Promise<void> {
  const [idHash, newHash] = [hashSecret(sessionId), hashSecret(generateSecret())]
  const kept = await replaceSecret(tx.db, { idHash, newHash, userId })
  if (kept.length === 0) await logOut(tx, { sessionId })
}

/**
 * Returns the row id of a session of a user; null if it has ended or expired. The session cannot end before the
 * transaction does, so whatever ends it finds what the transaction issues in it. It is locked before codes and tokens.
 */
export async function lockSession(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string | null> {
  const [row] = await lock(tx.db, { idHash: hashSecret(sessionId), userId, now: tx.now })
  return row?.id ?? null
}

/** Locks a session by its row id, like `lockSession`. Returns false if it has ended or expired. */
export async function lockSessionById(tx: Tx, { id }: { id: string }): Promise<boolean> {
  return (await lockById(tx.db, { id, now: tx.now })).length > 0
}

/** Ends a session, with the token of the web client in it. */
export async function logOut(tx: Tx, { sessionId }: { sessionId: string }): Promise<void> {
  await revokeTokensOfEnded(tx, await remove(tx.db, { idHash: hashSecret(sessionId) }))
}

/**
 * Deletes sessions that were not used for `SESSION_RETENTION_PERIOD`. Each use extends a session (`findSessionViewer`).
 */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const unusedSince = new Date(now.getTime() - ctx.config.retention.sessionSeconds * 1_000)
  await ctx.write(async (tx) => revokeTokensOfEnded(tx, await removeExpired(tx.db, { now, unusedSince })))
}

/** Deletes the IP addresses of sessions that were not used for `IP_RETENTION_PERIOD`. */
export async function expireSessionAddresses(ctx: Ctx): Promise<void> {
  const unusedSince = new Date(ctx.now().getTime() - ctx.config.retention.ipSeconds * 1_000)
  await ctx.write(({ db }) => removeAddresses(db, { unusedSince }))
}

async function revokeTokensOfEnded(tx: Tx, ended: readonly { id: string }[]): Promise<void> {
  await revokeTokensOfSessions(tx, { sessionIds: ended.map(({ id }) => id) })
}
