import { hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { revokeTokens } from './tokens.ts'

const removeCodes = statement<{ params: { userId: string } }>(`delete from authorization_codes where user_id = $userId`)
const removeSessions = statement<{ params: { userId: string; idHash: Buffer | null } }>(
  `delete from sessions where user_id = $userId and ($idHash::bytea is null or id_hash <> $idHash::bytea)`,
)
const findTokens = statement<{ params: { userId: string }; row: { id: string } }>(
  `select id from access_tokens where user_id = $userId and revoked_at is null`,
)

/**
 * Ends everything by which somebody is logged in: sessions, tokens with the streams that they opened, and codes that
 * could still become tokens. `exceptSessionId`: the browser that asks for it stays.
 */
export async function shutOut(
  tx: Tx,
  { userId, exceptSessionId = null }: { userId: string; exceptSessionId?: string | null },
): Promise<void> {
  // The codes first: this waits for one that is just being exchanged, whose token is then among those that are found.
  await removeCodes(tx.db, { userId })
  await removeSessions(tx.db, { userId, idHash: exceptSessionId === null ? null : hashSecret(exceptSessionId) })
  const tokens = await findTokens(tx.db, { userId })
  await revokeTokens(tx, { ids: tokens.map(({ id }) => id) })
}
