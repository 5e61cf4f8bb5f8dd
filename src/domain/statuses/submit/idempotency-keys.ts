import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'

/** How long a request with the same key returns the result of the first one. Mastodon uses one hour too. */
const RETENTION = `interval '1 hour'`

/** The number of expired keys that are deleted in one transaction. */
const BATCH_SIZE = 20_000

// Of several parallel requests with one key, the first one inserts the row. The others wait for its commit and then find
// the row.
const claim = statement<{ params: { accountId: string; key: string; now: Date }; row: { key: string } }>(
  `insert into idempotency_keys as existing (account_id, key, created_at) values ($accountId, $key, $now)
   on conflict (account_id, key) do update
     set status_id = null, scheduled_status_id = null, created_at = excluded.created_at
     where existing.created_at <= $now::timestamptz - ${RETENTION}
   returning key`,
)
const find = statement<{
  params: { accountId: string; key: string }
  row: { status_id: string | null; scheduled_status_id: string | null }
}>(`select status_id, scheduled_status_id from idempotency_keys where account_id = $accountId and key = $key`)
const upsertKey = statement<{
  params: { accountId: string; key: string; statusId: string | null; scheduledId: string | null; now: Date }
}>(
  `insert into idempotency_keys (account_id, key, status_id, scheduled_status_id, created_at) values ($accountId,
    $key, $statusId, $scheduledId, $now)
   on conflict (account_id, key) do update set status_id = excluded.status_id,
     scheduled_status_id = excluded.scheduled_status_id, created_at = excluded.created_at`,
)
const replaceScheduled = statement<{ params: { scheduledId: string; statusId: string } }>(
  `update idempotency_keys set status_id = $statusId, scheduled_status_id = null
    where scheduled_status_id = $scheduledId`,
)
const deleteExpired = statement<{ params: { now: Date }; row: { deleted: number } }>(
  `with deleted as (
     delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= $now::timestamptz - ${RETENTION}
         order by created_at limit ${BATCH_SIZE}))
     returning 1
   ) select count(*)::integer as deleted from deleted`,
)

/** What a request created: a status or a scheduled status. */
export type SubmissionResult = { statusId: string } | { scheduledId: string }

/**
 * Returns what an earlier request of the account with the same key created within the last hour; null if there was
 * none, or if the request has no key. Then later requests with the same key wait until the transaction ends.
 */
export async function findSubmission(
  tx: Tx,
  { accountId, key }: { accountId: string; key: string | undefined },
): Promise<SubmissionResult | null> {
  if (key === undefined) return null
  const [claimed] = await claim(tx.db, { accountId, key, now: tx.now })
  if (claimed) return null
  const [row] = await find(tx.db, { accountId, key })
  if (row?.status_id) return { statusId: row.status_id }
  return row?.scheduled_status_id ? { scheduledId: row.scheduled_status_id } : null
}

/** Records what the request with this key created. */
export async function recordSubmission(
  tx: Tx,
  { accountId, key, result }: { accountId: string; key: string | undefined; result: SubmissionResult },
): Promise<void> {
  if (key === undefined) return
  const [statusId, scheduledId] = 'statusId' in result ? [result.statusId, null] : [null, result.scheduledId]
  await upsertKey(tx.db, { accountId, key, statusId, scheduledId, now: tx.now })
}

/** Makes the key of a scheduled status that was published refer to the status. */
export async function recordPublished(
  tx: Tx,
  { scheduledId, statusId }: { scheduledId: string; statusId: string },
): Promise<void> {
  await replaceScheduled(tx.db, { scheduledId, statusId })
}

/** Effect: deletes expired keys. */
export async function expireIdempotencyKeys(ctx: Ctx): Promise<void> {
  let deleted = BATCH_SIZE
  while (deleted === BATCH_SIZE) {
    deleted = await ctx.write(async (tx) => (await deleteExpired(tx.db, { now: tx.now }))[0]!.deleted)
  }
}
