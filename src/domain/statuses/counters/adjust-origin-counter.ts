import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const adjustStatement = (column: string) =>
  statement<{ params: { statusId: string; by: number } }>(
    `update statuses set ${column} = greatest(0, ${column} + $by::int) where id = $statusId and not local
      and ${column} is not null`,
  )

const COUNTERS = {
  replies: adjustStatement('origin_replies_count'),
  reblogs: adjustStatement('origin_reblogs_count'),
  favourites: adjustStatement('origin_favourites_count'),
}

/**
 * Adjusts the counter that the origin server reported for a remote status, after an interaction or its undo was
 * recorded here. The origin server counts the same interaction. Without the adjustment, clients would show the former
 * number until the status is fetched again. Does nothing for local statuses and for counters that the origin does not
 * report.
 */
export async function adjustOriginCounter(
  tx: Tx,
  { statusId, counter, by }: { statusId: string; counter: keyof typeof COUNTERS; by: 1 | -1 },
): Promise<void> {
  await COUNTERS[counter](tx.db, { statusId, by })
}
