import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

// Locks the statuses in the order of their ids, so that two transactions cannot deadlock. The origin server may report
// the largest number that the column can store.
const adjustStatement = (column: string) =>
  statement<{ params: { statusIds: readonly string[]; by: number } }>(
    `update statuses s
     set ${column} = least(greatest(0, s.${column}::bigint + $by::int * changed.times), 2147483647)
     from (
       select s.id, given.times
       from (select id, count(*)::int as times from unnest($statusIds::bigint[]) id group by id) given
         join statuses s on s.id = given.id
       where not s.local and s.${column} is not null order by s.id for no key update of s
     ) changed where s.id = changed.id`,
  )

const COUNTERS = {
  replies: adjustStatement('origin_replies_count'),
  reblogs: adjustStatement('origin_reblogs_count'),
  favourites: adjustStatement('origin_favourites_count'),
}

/**
 * Adjusts the counter that the origin server reported for remote statuses, after interactions or their undo were
 * recorded here: once for each time that a status is listed. The origin server counts the same interactions. Without
 * the adjustment, clients would show the former number until the status is fetched again. Does nothing for local
 * statuses and for counters that the origin does not report.
 */
export async function adjustOriginCounters(
  tx: Tx,
  { statusIds, counter, by }: { statusIds: readonly string[]; counter: keyof typeof COUNTERS; by: 1 | -1 },
): Promise<void> {
  if (statusIds.length > 0) await COUNTERS[counter](tx.db, { statusIds, by })
}
