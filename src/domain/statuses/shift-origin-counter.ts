import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const shift = (column: string) =>
  statement<{ params: { statusId: string; by: number } }>(
    `update statuses set ${column} = greatest(0, ${column} + $by::int) where id = $statusId and not local
      and ${column} is not null`,
  )

const COUNTERS = {
  replies: shift('origin_replies_count'),
  reblogs: shift('origin_reblogs_count'),
  favourites: shift('origin_favourites_count'),
}

/**
 * Moves the figure that another server told of its status along with what happens here, since that server hears of it
 * too: shown figures then neither lag behind one's own deed nor stay after it was taken back.
 */
export async function shiftOriginCounter(
  tx: Tx,
  { statusId, counter, by }: { statusId: string; counter: keyof typeof COUNTERS; by: 1 | -1 },
): Promise<void> {
  await COUNTERS[counter](tx.db, { statusId, by })
}
