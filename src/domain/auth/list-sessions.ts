import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { revokeTokensOfSessions } from './access-tokens.ts'

/** A browser in which a user is logged in. */
export interface ListedSession {
  id: string
  ip: string | null
  userAgent: string
  createdAt: Date
  /** Accurate to a day. */
  lastUsedAt: Date
  /** Whether it is the session of the request. */
  current: boolean
}

const list = statement<{ params: { userId: string; idHash: Buffer; now: Date }; row: ListedSession }>(
  `select id, host(ip) as ip, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
     id_hash = $idHash as current
   from sessions where user_id = $userId and expires_at > $now
   order by id_hash = $idHash desc, last_used_at desc, id desc`,
)
const remove = statement<{ params: { userId: string; id: string }; row: { id: string } }>(
  `delete from sessions where user_id = $userId and id = $id returning id`,
)
const removeOthers = statement<{ params: { userId: string; idHash: Buffer }; row: { id: string } }>(
  `delete from sessions where user_id = $userId and id_hash <> $idHash returning id`,
)

/** Returns the sessions of a user: first the session of the request (`sessionId`), then the others by their last use. */
export async function listSessions(
  { db }: Pick<Read, 'db'>,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<ListedSession[]> {
  return list(db, { userId, idHash: hashSecret(sessionId), now })
}

/** Ends a session of a user by its id in the list. @throws NotFoundError */
export async function endSession(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<void> {
  const removed = isId(id) ? await remove(tx.db, { userId, id }) : []
  if (removed.length === 0) throw new NotFoundError()
  await revokeTokensOfSessions(tx, { sessionIds: [id] })
}

/** Ends all sessions of a user except that of the request (`sessionId`). Apps stay authorised. */
export async function endOtherSessions(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const removed = await removeOthers(tx.db, { userId, idHash: hashSecret(sessionId) })
  await revokeTokensOfSessions(tx, { sessionIds: removed.map((session) => session.id) })
}
