import { hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { revokeTokens } from './access-tokens.ts'
import { endPendingLogins } from './two-factor/pending-logins.ts'

const removeCodes = statement<{ params: { userId: string } }>(`delete from authorization_codes where user_id = $userId`)
const removeSessions = statement<{ params: { userId: string; idHash: Buffer | null } }>(
  `delete from sessions where user_id = $userId and ($idHash::bytea is null or id_hash <> $idHash::bytea)`,
)
const findTokens = statement<{ params: { userId: string }; row: { id: string } }>(
  `select id from access_tokens where user_id = $userId and revoked_at is null`,
)

/**
 * Ends all log-ins of a user: sessions, log-ins that wait for the second factor, tokens with their open streams, and
 * authorization codes that could still be exchanged. `exceptSessionId`: the session that stays logged in.
 */
export async function revokeLogins(
  tx: Tx,
  { userId, exceptSessionId = null }: { userId: string; exceptSessionId?: string | null },
): Promise<void> {
  // The order finds everything that is issued concurrently: deleting a session waits for a consent in it, whose code is
  // then deleted; deleting a code waits for an exchange of it, whose token is then revoked.
  await removeSessions(tx.db, { userId, idHash: exceptSessionId === null ? null : hashSecret(exceptSessionId) })
  await removeCodes(tx.db, { userId })
  await endPendingLogins(tx, { userId })
  const tokens = await findTokens(tx.db, { userId })
  await revokeTokens(tx, { ids: tokens.map(({ id }) => id) })
}
