import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus, visibleTo } from '../access/visibility.ts'
import { checkFilterLimits } from './check-filter.ts'
import { findFilter, findFilteredStatus } from './find-filter.ts'
import { recordFilterChange } from './record-filter-change.ts'

const insert = statement<{ params: { filterId: string; statusId: string }; row: { id: string } }>(
  `insert into filter_statuses (filter_id, status_id) values ($filterId, $statusId)
   on conflict (filter_id, status_id) do nothing returning id`,
)
const insertMany = statement<{
  params: { accountId: string; filterId: string; statusIds: readonly string[] }
  row: { id: string }
}>(
  `with visible as materialized (
     select coalesce(s.reblog_of_id, s.id) as id, requested.position
     from unnest($statusIds::bigint[]) with ordinality as requested (id, position) join statuses s on s.id = requested.id
     where ${visibleTo('$accountId')}
   )
   insert into filter_statuses (filter_id, status_id) select $filterId, id from visible order by position
   on conflict (filter_id, status_id) do nothing returning id`,
)
const remove = statement<{ params: { id: string } }>(`delete from filter_statuses where id = $id`)

/**
 * Adds a status to a filter; for a reblog, the original. Returns the id of the entry.
 * Mastodon: POST /api/v2/filters/:filter_id/statuses
 * @throws NotFoundError for another account's filter and for a status that the account may not see; ValidationError if
 *   the filter already contains the status; UnprocessableError as `checkFilterLimits`
 */
export async function filterStatus(
  tx: Tx,
  { accountId, filterId, statusId }: { accountId: string; filterId: string; statusId: string },
): Promise<string> {
  await recordFilterChange(tx, { accountId })
  await findFilter(tx, { id: filterId, accountId })
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const [row] = await insert(tx.db, { filterId, statusId: status.reblog_of_id ?? status.id })
  if (!row) throw new ValidationError([{ attribute: 'status', code: 'ERR_TAKEN', text: 'has already been taken' }])
  await checkFilterLimits(tx, { accountId })
  return row.id
}

/**
 * Adds many statuses to a filter, with one statement and one message to the clients. Leaves out those that the filter
 * contains already and those that the account may not see.
 * @throws NotFoundError for another account's filter; UnprocessableError as `checkFilterLimits`
 */
export async function filterStatuses(
  tx: Tx,
  { accountId, filterId, statusIds }: { accountId: string; filterId: string; statusIds: readonly string[] },
): Promise<void> {
  await recordFilterChange(tx, { accountId })
  await findFilter(tx, { id: filterId, accountId })
  await insertMany(tx.db, { accountId, filterId, statusIds })
  await checkFilterLimits(tx, { accountId })
}

/**
 * Removes a status from a filter, by the id of the entry. Mastodon: DELETE /api/v2/filters/statuses/:id
 * @throws NotFoundError also for another account's filter
 */
export async function unfilterStatus(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await recordFilterChange(tx, { accountId })
  await findFilteredStatus(tx, { id, accountId })
  await remove(tx.db, { id })
}
