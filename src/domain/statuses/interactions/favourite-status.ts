import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordUndo, isUndone } from '../../core/tombstones.ts'
import { checkNotBlocked } from '../../access/check-not-blocked.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { findUndoTarget } from './find-undo-target.ts'
import { lockVisibleOriginal } from '../../access/visibility.ts'

/** The maximum number of activity URIs that are stored per favourite. */
const MAX_URIS = 8

// With the counter of the status. `uris`: the ids of the Like activities that created the favourite; empty for a local
// account.
const insert = statement<{
  params: { accountId: string; statusId: string; now: Date; uris: readonly string[] }
  row: { id: string; is_new: boolean }
}>(
  `with favourite as (
     insert into favourites (account_id, status_id, created_at, uris) values ($accountId, $statusId, $now, $uris)
     on conflict (status_id, account_id) do update
       set uris = (excluded.uris || favourites.uris)[1:${MAX_URIS}] where not favourites.uris @> excluded.uris
     returning id, xmax = 0 as is_new
   ), counted as (
     insert into status_stats (status_id, favourites_count) select $statusId, 1 from favourite where is_new
     on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
   )
   select id, is_new from favourite`,
)
const remove = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `delete from favourites where account_id = $accountId and status_id = $statusId returning id`,
)
const findByUri = statement<{ params: { accountId: string; uri: string }; row: { status_id: string; uris: string[] } }>(
  `select status_id, uris from favourites where account_id = $accountId and $uri = any(uris) for update`,
)
const removeUri = statement<{ params: { accountId: string; statusId: string; uri: string | null } }>(
  `update favourites set uris = array_remove(uris, $uri) where account_id = $accountId and status_id = $statusId`,
)
const decrementFavourites = statement<{ params: { statusId: string } }>(
  `update status_stats set favourites_count = greatest(0, favourites_count - 1) where status_id = $statusId`,
)
const removeNotification = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from notifications where type = 'favourite' and from_account_id = $accountId and status_id = $statusId`,
)

/**
 * Favourites a status that the account may see; for a reblog, favourites the original. Idempotent. `uri` is the id of
 * the activity of a remote account; if it was undone before it arrived, nothing is recorded. `silent`: the author is
 * not notified, and no Like is delivered. Returns the id of the favourited status. Mastodon: POST
 * /api/v1/statuses/:id/favourite
 * @throws NotFoundError
 */
export async function favouriteStatus(
  tx: Tx,
  {
    accountId,
    statusId,
    uri,
    silent = false,
  }: { accountId: string; statusId: string; uri?: string | undefined; silent?: boolean },
): Promise<string> {
  if (uri !== undefined) await lockUris(tx, { uris: [uri] })
  const { id, local } = await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  await checkNotBlocked(tx, { accountId, statusId: id })
  if (uri !== undefined && (await isUndone(tx, { uri, accountId }))) return id
  const [row] = await insert(tx.db, { accountId, statusId: id, now: tx.now, uris: uri === undefined ? [] : [uri] })
  if (row?.is_new) {
    if (!local) await adjustOriginCounters(tx, { statusIds: [id], counter: 'favourites', by: 1 })
    if (!silent) tx.emit('status.favourited', { favouriteId: row.id, accountId, statusId: id })
  }
  return id
}

/**
 * Removes a favourite, also from a status that the account may not see any more. Returns the id of the status, and
 * whether it is visible to the account. Mastodon: POST /api/v1/statuses/:id/unfavourite
 * @throws NotFoundError if there was no favourite and the status is not visible
 */
export async function unfavouriteStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const target = await findUndoTarget(tx, { accountId, statusId })
  const removed = await removeFavourite(tx, { accountId, statusId: target.id })
  if (!removed && !target.visible) throw new NotFoundError()
  return target
}

/**
 * Processes the undo of a favourite by a remote account: removes the favourite that the activity `uri` created, or, if
 * there is none, the account's favourite of the status. If another activity created the same favourite, it remains.
 */
export async function recordUndoneFavourite(
  tx: Tx,
  { accountId, statusId, uri }: { accountId: string; statusId: string | null; uri: string | null },
): Promise<void> {
  if (uri !== null) {
    await lockUris(tx, { uris: [uri] })
    await recordUndo(tx, { uri, accountId })
  }
  const [existing] = uri === null ? [] : await findByUri(tx.db, { accountId, uri })
  if (existing && existing.uris.length > 1) {
    await removeUri(tx.db, { accountId, statusId: existing.status_id, uri })
    return
  }
  const id = existing?.status_id ?? statusId
  if (id !== null) await removeFavourite(tx, { accountId, statusId: id })
}

async function removeFavourite(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  const [row] = await remove(tx.db, { accountId, statusId })
  if (!row) return false
  await decrementFavourites(tx.db, { statusId })
  await adjustOriginCounters(tx, { statusIds: [statusId], counter: 'favourites', by: -1 })
  await removeNotification(tx.db, { accountId, statusId })
  tx.emit('status.unfavourited', { favouriteId: row.id, accountId, statusId })
  return true
}
