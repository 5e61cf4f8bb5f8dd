import { statement } from '../../platform/db/statement.ts'
import { SUSPENSION_RETENTION_MS } from '../accounts/lookup/find-local-account.ts'
import type { Tx } from '../context.ts'

const schedule = statement<{ params: { accountIds: readonly string[]; dueAt: Date } }>(
  `insert into account_purges (account_id, due_at)
   select id, $dueAt::timestamptz from unnest($accountIds::bigint[]) suspended (id) order by id
   on conflict (account_id) do nothing`,
)
const cancel = statement<{ params: { accountIds: readonly string[] } }>(
  `delete from account_purges where account_id = any($accountIds::bigint[])`,
)
const start = statement<{ params: { accountId: string; now: Date } }>(
  `update account_purges set started_at = coalesce(started_at, $now) where account_id = $accountId`,
)

/** Returns the time until which a suspension that begins now can be undone. */
export function purgeTimeOf({ now }: { now: Date }): Date {
  return new Date(now.getTime() + SUSPENSION_RETENTION_MS)
}

/** Schedules the deletion of the data of suspended accounts. An earlier date of an account stays. */
export async function schedulePurges(tx: Tx, { accountIds }: { accountIds: readonly string[] }): Promise<void> {
  if (accountIds.length > 0) await schedule(tx.db, { accountIds, dueAt: purgeTimeOf(tx) })
}

/**
 * Cancels the deletion of the data of accounts that are no longer suspended; the caller has locked them. Of a remote
 * account whose deletion has begun, the remaining data stay.
 */
export async function cancelPurges(tx: Tx, { accountIds }: { accountIds: readonly string[] }): Promise<void> {
  if (accountIds.length > 0) await cancel(tx.db, { accountIds })
}

/** Records that the deletion of the data of an account begins, if it is suspended. */
export async function recordPurgeStart(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await start(tx.db, { accountId, now: tx.now })
}
