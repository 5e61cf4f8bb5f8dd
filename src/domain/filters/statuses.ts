import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus } from '../statuses/visibility.ts'
import { checkRoom } from './check-filter.ts'
import { findFilter, findFilteredStatus } from './find.ts'
import { noteFilterChange } from './note-change.ts'

const insert = statement<{ params: { filterId: string; reblogOfId: string }; row: { id: string } }>(
  `insert into filter_statuses (filter_id, status_id) values ($filterId, $reblogOfId)
   on conflict (filter_id, status_id) do nothing returning id`,
)
const remove = statement<{ params: { id: string } }>(`delete from filter_statuses where id = $id`)

/**
 * Has a filter catch one status; of a boost, what it boosts. Returns the id of the entry.
 * @throws NotFound for somebody else's filter and for a status that one may not see · ValidationFailed for one twice
 */
export async function filterStatus(
  tx: Tx,
  { accountId, filterId, statusId }: { accountId: string; filterId: string; statusId: string },
): Promise<string> {
  await noteFilterChange(tx, { accountId })
  await findFilter(tx, { id: filterId, accountId })
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const [row] = await insert(tx.db, { filterId, reblogOfId: status.reblog_of_id ?? status.id })
  if (!row) throw new ValidationFailed([{ attribute: 'status', code: 'ERR_TAKEN', text: 'has already been taken' }])
  await checkRoom(tx, { accountId })
  return row.id
}

/** Lets a status be, by the id of the entry. @throws NotFound also for somebody else's */
export async function unfilterStatus(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await noteFilterChange(tx, { accountId })
  await findFilteredStatus(tx, { id, accountId })
  await remove(tx.db, { id })
}
