import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const ensure = statement<{ params: { ids: readonly string[] } }>(
  `insert into status_stats (status_id) select id from unnest($ids::bigint[]) id order by id
   on conflict (status_id) do nothing`,
)
const lockRows = statement<{ params: { statusIds: readonly string[] } }>(
  `select from status_stats where status_id = any($statusIds::bigint[]) order by status_id for no key update`,
)

/**
 * Locks the counters of these statuses until the transaction ends, in the order of their ids. A transaction that
 * changes the counters of more than one status calls this first, so that such transactions cannot deadlock.
 */
export async function lockStatusCounters(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  if (ids.length === 0) return
  await ensure(tx.db, { ids })
  await lockRows(tx.db, { statusIds: ids })
}
