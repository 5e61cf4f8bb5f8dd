import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { findVisibleStatus } from './visibility.ts'

const insert = statement<{ id: string }>(
  `insert into favourites (account_id, status_id, created_at) values ($1, $2, $3)
   on conflict (status_id, account_id) do nothing returning id`,
)
const count = statement(
  `insert into status_stats (status_id, favourites_count) values ($1, 1)
   on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1`,
)
const remove = statement<{ id: string }>(`delete from favourites where account_id = $1 and status_id = $2 returning id`)
const discount = statement(
  `update status_stats set favourites_count = greatest(0, favourites_count - 1) where status_id = $1`,
)
const withdraw = statement(
  `delete from notifications where type = 'favourite' and from_account_id = $1 and status_id = $2`,
)

/** Favourites a status that the person may see; of a boost, what it boosts. Twice is once. Returns the status's id. @throws NotFound */
export async function favouriteStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  await refuseBlocked(tx, { accountId, statusId: id })
  const [row] = await insert(tx.db, [accountId, id, tx.now])
  if (row) {
    await count(tx.db, [id])
    tx.emit('status.favourited', { accountId, statusId: id })
  }
  return id
}

/**
 * Takes a favourite back, also from a status that the person may not see any more. Returns the status's id.
 * @throws NotFound when there was none and the status is hidden
 */
export async function unfavouriteStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const visible = await findVisibleStatus(tx, { id: statusId, viewerId: accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  const id = visible?.reblog_of_id ?? statusId
  const [row] = await remove(tx.db, [accountId, id])
  if (row) {
    await discount(tx.db, [id])
    await withdraw(tx.db, [accountId, id])
  }
  if (!row && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}
