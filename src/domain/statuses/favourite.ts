import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { buryDeed, isBuriedDeed } from '../tombstones.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { shiftOriginCounter } from './shift-origin-counter.ts'
import { findVisibleStatus } from './visibility.ts'

/** So many activities that made one favourite are remembered. */
const URIS_KEPT = 8

// `uris`: of the activities that it comes from; none for a local account.
const insert = statement<{
  params: { accountId: string; statusId: string; now: Date; uris: readonly string[] }
  row: { id: string; is_new: boolean }
}>(
  `insert into favourites (account_id, status_id, created_at, uris) values ($accountId, $statusId, $now, $uris)
   on conflict (status_id, account_id) do update
     set uris = (excluded.uris || favourites.uris)[1:${URIS_KEPT}] where not favourites.uris @> excluded.uris
   returning id, xmax = 0 as is_new`,
)
const count = statement<{ params: { statusId: string } }>(
  `insert into status_stats (status_id, favourites_count) values ($statusId, 1)
   on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1`,
)
const remove = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `delete from favourites where account_id = $accountId and status_id = $statusId returning id`,
)
const findByUri = statement<{ params: { accountId: string; uri: string }; row: { status_id: string; uris: string[] } }>(
  `select status_id, uris from favourites where account_id = $accountId and $uri = any(uris) for update`,
)
const forgetUri = statement<{ params: { accountId: string; statusId: string; uri: string | null } }>(
  `update favourites set uris = array_remove(uris, $uri) where account_id = $accountId and status_id = $statusId`,
)
const discount = statement<{ params: { statusId: string } }>(
  `update status_stats set favourites_count = greatest(0, favourites_count - 1) where status_id = $statusId`,
)
const withdraw = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from notifications where type = 'favourite' and from_account_id = $accountId and status_id = $statusId`,
)

/**
 * Favourites a status that the person may see; of a boost, what it boosts. Twice is once. `uri`: of the activity, where
 * that came from elsewhere; one that was taken back before it came does nothing. Returns the status's id.
 * @throws NotFound
 */
export async function favouriteStatus(
  tx: Tx,
  { accountId, statusId, uri }: { accountId: string; statusId: string; uri?: string | undefined },
): Promise<string> {
  if (uri !== undefined) await lockUris(tx, { uris: [uri] })
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  await refuseBlocked(tx, { accountId, statusId: id })
  if (uri !== undefined && (await isBuriedDeed(tx, { uri, accountId }))) return id
  const [row] = await insert(tx.db, { accountId, statusId: id, now: tx.now, uris: uri === undefined ? [] : [uri] })
  if (row?.is_new) {
    await count(tx.db, { statusId: id })
    await shiftOriginCounter(tx, { statusId: id, counter: 'favourites', by: 1 })
    tx.emit('status.favourited', { favouriteId: row.id, accountId, statusId: id })
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
  const removed = await removeFavourite(tx, { accountId, statusId: id })
  if (!removed && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}

/**
 * Takes in that somebody elsewhere took a favourite back: of this activity, or, if none is known to come from it, on
 * this status. The favourite lasts while it comes from another activity too.
 */
export async function takeBackFavourite(
  tx: Tx,
  { accountId, statusId, uri }: { accountId: string; statusId: string | null; uri: string | null },
): Promise<void> {
  if (uri !== null) {
    await lockUris(tx, { uris: [uri] })
    await buryDeed(tx, { uri, accountId })
  }
  const [known] = uri === null ? [] : await findByUri(tx.db, { accountId, uri })
  if (known && known.uris.length > 1) {
    await forgetUri(tx.db, { accountId, statusId: known.status_id, uri })
    return
  }
  const id = known?.status_id ?? statusId
  if (id !== null) await removeFavourite(tx, { accountId, statusId: id })
}

async function removeFavourite(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  const [row] = await remove(tx.db, { accountId, statusId })
  if (!row) return false
  await discount(tx.db, { statusId })
  await shiftOriginCounter(tx, { statusId, counter: 'favourites', by: -1 })
  await withdraw(tx.db, { accountId, statusId })
  tx.emit('status.unfavourited', { favouriteId: row.id, accountId, statusId })
  return true
}
