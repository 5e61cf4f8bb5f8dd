import { generateSecret, hashSecret } from '../../../lib/secrets.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import type { LoginMethod } from '../login-activities.ts'

/** Minutes for which a log-in waits for the second factor. */
export const PENDING_LOGIN_MINUTES = 10

/** A log-in whose first factor is proved. */
export interface PendingLogin {
  readonly userId: string
  /** The first factor. */
  readonly method: LoginMethod['method']
}

const insert = statement<{
  params: { idHash: Buffer; userId: string; method: string; provider: string | null; expiresAt: Date }
}>(
  `insert into pending_logins (id_hash, user_id, method, provider, expires_at)
   values ($idHash, $userId, $method, $provider, $expiresAt)`,
)
const find = statement<{ params: { idHash: Buffer; now: Date }; row: PendingLogin }>(
  `select user_id as "userId", method from pending_logins where id_hash = $idHash and expires_at > $now`,
)
const remove = statement<{ params: { idHash: Buffer; now: Date }; row: { user_id: string } }>(
  `delete from pending_logins where id_hash = $idHash and expires_at > $now returning user_id`,
)
const removeOfUser = statement<{ params: { userId: string } }>(`delete from pending_logins where user_id = $userId`)
const removeExpired = statement<{ params: { now: Date } }>(`delete from pending_logins where expires_at <= $now`)

/** Stores a log-in that waits for the second factor, and returns its id, which is a secret of the browser. */
export async function createPendingLogin(
  tx: Tx,
  { userId, by }: { userId: string; by: LoginMethod },
): Promise<{ pendingId: string }> {
  const pendingId = generateSecret()
  await insert(tx.db, {
    idHash: hashSecret(pendingId),
    userId,
    method: by.method,
    provider: by.method === 'omniauth' ? by.provider : null,
    expiresAt: new Date(tx.now.getTime() + PENDING_LOGIN_MINUTES * 60_000),
  })
  return { pendingId }
}

/** Returns a log-in that waits for the second factor; null if it has ended or expired. */
export async function findPendingLogin(
  read: Pick<Read, 'db'>,
  { pendingId, now }: { pendingId: string; now: Date },
): Promise<PendingLogin | null> {
  const [row] = await find(read.db, { idHash: hashSecret(pendingId), now })
  return row ?? null
}

/** Ends a log-in that waits for the second factor. Returns false if it has ended or expired already. */
export async function endPendingLogin(tx: Tx, { pendingId }: { pendingId: string }): Promise<boolean> {
  return (await remove(tx.db, { idHash: hashSecret(pendingId), now: tx.now })).length > 0
}

/** Ends the log-ins of a user that wait for the second factor. */
export async function endPendingLogins(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await removeOfUser(tx.db, { userId })
}

/** Deletes the log-ins that have waited too long for the second factor. */
export async function expirePendingLogins(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(({ db }) => removeExpired(db, { now }))
}
