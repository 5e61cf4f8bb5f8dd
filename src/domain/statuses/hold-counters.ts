import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const ensure = statement<{ params: { ids: readonly string[] } }>(
  `insert into status_stats (status_id) select id from unnest($ids::bigint[]) id order by id
   on conflict (status_id) do nothing`,
)
const hold = statement<{ params: { statusIds: readonly string[] } }>(
  `select from status_stats where status_id = any($statusIds::bigint[]) order by status_id for no key update`,
)

/**
 * Holds the counters of these statuses until the transaction ends, in the order of their ids. Whoever counts at more than
 * one does this first: so no two of them wait for each other in a circle.
 */
export async function holdCounters(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  if (ids.length === 0) return
  await ensure(tx.db, { ids })
  await hold(tx.db, { statusIds: ids })
}
