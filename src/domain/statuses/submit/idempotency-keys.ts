import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'

/** How long a request with the same key returns the result of the first one. Mastodon uses one hour too. */
const RETENTION = `interval '1 hour'`

/** The number of expired keys that are deleted in one transaction. */
const BATCH_SIZE = 20_000

// Of several parallel requests with one key, the first one inserts the row. The others wait for its commit and then find
// the row. Sorted, so that two transactions with several common keys cannot deadlock.
const claim = statement<{ params: KeyColumns & { now: Date }; row: { account_id: string; key: string } }>(
  `insert into idempotency_keys as existing (account_id, key, created_at)
   select account_id, key, $now from unnest($accountIds::bigint[], $keys::text[]) given (account_id, key) order by 1, 2
   on conflict (account_id, key) do update
     set status_id = null, scheduled_status_id = null, created_at = excluded.created_at
     where existing.created_at <= $now::timestamptz - ${RETENTION}
   returning account_id, key`,
)
const find = statement<{
  params: KeyColumns
  row: { account_id: string; key: string; status_id: string | null; scheduled_status_id: string | null }
}>(
  `select account_id, key, status_id, scheduled_status_id from idempotency_keys
   where (account_id, key) in (select * from unnest($accountIds::bigint[], $keys::text[]))`,
)
const upsertKeys = statement<{
  params: KeyColumns & {
    statusIds: readonly (string | null)[]
    scheduledIds: readonly (string | null)[]
    now: Date
  }
}>(
  `insert into idempotency_keys (account_id, key, status_id, scheduled_status_id, created_at)
   select account_id, key, status_id, scheduled_id, $now
   from unnest($accountIds::bigint[], $keys::text[], $statusIds::bigint[], $scheduledIds::bigint[])
     given (account_id, key, status_id, scheduled_id) order by 1, 2
   on conflict (account_id, key) do update set status_id = excluded.status_id,
     scheduled_status_id = excluded.scheduled_status_id, created_at = excluded.created_at`,
)
const release = statement<{ params: KeyColumns }>(
  `delete from idempotency_keys where (account_id, key) in (select * from unnest($accountIds::bigint[], $keys::text[]))`,
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

interface KeyColumns {
  accountIds: readonly string[]
  keys: readonly string[]
}

/** The idempotency key of a request; undefined for a request without one. */
export interface SubmissionKey {
  accountId: string
  key: string | undefined
}

/** What a request created: a status or a scheduled status. */
export type SubmissionResult = { statusId: string } | { scheduledId: string }

/** Returns a text that is the same for requests of one account with one key, and null for a request without a key. */
export function identityOf({ accountId, key }: SubmissionKey): string | null {
  return key === undefined ? null : `${accountId} ${key}`
}

/**
 * Returns what an earlier request of the account with the same key created within the last hour, for each of several
 * requests with different keys; null if there was none, or if the request has no key. Then later requests with the same
 * key wait until the transaction ends.
 */
export async function findSubmissions(
  tx: Tx,
  requests: readonly SubmissionKey[],
): Promise<(SubmissionResult | null)[]> {
  const keyed = requests.filter(({ key }) => key !== undefined)
  if (keyed.length === 0) return requests.map(() => null)
  const claimed = new Set((await claim(tx.db, { ...columnsOf(keyed), now: tx.now })).map(identityOfRow))
  const used = keyed.filter((request) => !claimed.has(identityOf(request)!))
  const rows = used.length === 0 ? [] : await find(tx.db, columnsOf(used))
  const results = new Map(rows.map((row) => [identityOfRow(row), row]))
  return requests.map((request) => {
    const row = results.get(identityOf(request) ?? '')
    if (row?.status_id) return { statusId: row.status_id }
    return row?.scheduled_status_id ? { scheduledId: row.scheduled_status_id } : null
  })
}

/** Records what the requests with these keys created. */
export async function recordSubmissions(
  tx: Tx,
  created: readonly (SubmissionKey & { result: SubmissionResult })[],
): Promise<void> {
  const keyed = created.filter(({ key }) => key !== undefined)
  if (keyed.length === 0) return
  await upsertKeys(tx.db, {
    ...columnsOf(keyed),
    statusIds: keyed.map(({ result }) => ('statusId' in result ? result.statusId : null)),
    scheduledIds: keyed.map(({ result }) => ('scheduledId' in result ? result.scheduledId : null)),
    now: tx.now,
  })
}

/** Deletes the keys of requests that were refused, so that later requests can use them. */
export async function releaseKeys(tx: Tx, refused: readonly SubmissionKey[]): Promise<void> {
  const keyed = refused.filter(({ key }) => key !== undefined)
  if (keyed.length > 0) await release(tx.db, columnsOf(keyed))
}

function columnsOf(keyed: readonly SubmissionKey[]): KeyColumns {
  return { accountIds: keyed.map(({ accountId }) => accountId), keys: keyed.map(({ key }) => key!) }
}

const identityOfRow = (row: { account_id: string; key: string }) =>
  identityOf({ accountId: row.account_id, key: row.key })!

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
