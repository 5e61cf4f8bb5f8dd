import { ForbiddenError } from '../../../lib/errors.ts'
import { hashSecret } from '../../../lib/secrets.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'

/** Minutes after proving their identity in which a user may make dangerous changes. */
const RECENT_MINUTES = 15

/**
 * The session in which a user proves their identity or makes a dangerous change. `sessionId`: the secret of its
 * browser.
 */
export interface OwnSession {
  userId: string
  sessionId: string
}

const lockUser = statement<{ params: { userId: string } }>(`select from users where id = $userId for no key update`)
const findAuthentication = statement<{ params: { idHash: Buffer }; row: { authenticatedAt: Date } }>(
  `select authenticated_at as "authenticatedAt" from sessions where id_hash = $idHash`,
)
const record = statement<{ params: { idHash: Buffer; userId: string; now: Date } }>(
  `update sessions set authenticated_at = $now where id_hash = $idHash and user_id = $userId`,
)
/** Returns whether the user of a session has proved their identity in it within the last 15 minutes. */
export async function isRecentlyAuthenticated(
  read: Pick<Read, 'db'>,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<boolean> {
  const [session] = await findAuthentication(read.db, { idHash: hashSecret(sessionId) })
  return session !== undefined && now.getTime() - session.authenticatedAt.getTime() < RECENT_MINUTES * 60_000
}

/**
 * Checks within a transaction, before a dangerous change, that the session has not ended and its authentication is
 * recent. Locks the user until the transaction ends: what replaces the password locks the user before it ends the
 * sessions, so no change in one of them follows. A transaction that also locks accounts locks them before the user;
 * applications, sessions, codes and tokens after the user.
 * @throws ForbiddenError
 */
export async function checkRecentAuthentication(tx: Tx, { userId, sessionId }: OwnSession): Promise<void> {
  await lockUser(tx.db, { userId })
  if (!(await isRecentlyAuthenticated(tx, { sessionId, now: tx.now }))) throw new ForbiddenError()
}

/** Records that a user has proved their identity in a session, by whatever means. */
export async function recordAuthentication(tx: Tx, { userId, sessionId }: OwnSession): Promise<void> {
  await record(tx.db, { idHash: hashSecret(sessionId), userId, now: tx.now })
}
