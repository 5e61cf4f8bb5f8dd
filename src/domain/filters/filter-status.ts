import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus } from '../access/visibility.ts'
import { checkFilterLimits } from './check-filter.ts'
import { findFilter, findFilteredStatus } from './find-filter.ts'
import { recordFilterChange } from './record-filter-change.ts'

const insert = statement<{ params: { filterId: string; statusId: string }; row: { id: string } }>(
  `insert into filter_statuses (filter_id, status_id) values ($filterId, $statusId)
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
 * Removes a status from a filter, by the id of the entry. Mastodon: DELETE /api/v2/filters/statuses/:id
 * @throws NotFoundError also for another account's filter
 */
export async function unfilterStatus(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await recordFilterChange(tx, { accountId })
  await findFilteredStatus(tx, { id, accountId })
  await remove(tx.db, { id })
}
