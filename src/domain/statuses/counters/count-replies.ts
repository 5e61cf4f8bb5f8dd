import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

// Locks the counters in the order of their ids, so that two transactions cannot deadlock.
const increment = statement<{ params: { parentIds: readonly string[] } }>(
  `insert into status_stats (status_id, replies_count)
   select parent_id, count(*) from unnest($parentIds::bigint[]) parent_id group by parent_id order by parent_id
   on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count`,
)

/** Counts new replies: `parentIds` are the statuses that they reply to, each as often as it has new replies. */
export async function countReplies(tx: Tx, { parentIds }: { parentIds: readonly string[] }): Promise<void> {
  if (parentIds.length > 0) await increment(tx.db, { parentIds })
}
