import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const increment = statement<{ params: { quotedId: string } }>(
  `insert into status_stats (status_id, quotes_count) values ($quotedId, 1)
   on conflict (status_id) do update set quotes_count = status_stats.quotes_count + 1`,
)
const decrement = statement<{ params: { quotedId: string } }>(
  `update status_stats set quotes_count = greatest(0, quotes_count - 1) where status_id = $quotedId`,
)

/** Increments or decrements the number of accepted quotes of a status. */
export async function countQuote(tx: Tx, { quotedId, by }: { quotedId: string; by: 1 | -1 }): Promise<void> {
  await (by === 1 ? increment : decrement)(tx.db, { quotedId })
}
