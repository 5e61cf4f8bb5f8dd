import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { findUndoTarget } from './find-undo-target.ts'
import { lockVisibleOriginal, visibleTo } from '../../access/visibility.ts'

const insert = statement<{ params: { accountId: string; statusId: string; now: Date } }>(
  `insert into bookmarks (account_id, status_id, created_at) values ($accountId, $statusId, $now)
    on conflict do nothing`,
)
const insertMany = statement<{
  params: { accountId: string; statusIds: readonly string[]; now: Date }
  row: { id: string }
}>(
  `with visible as materialized (
     select s.id, coalesce(s.reblog_of_id, s.id) as bookmarked_id, requested.position
     from unnest($statusIds::bigint[]) with ordinality as requested (id, position) join statuses s on s.id = requested.id
     where ${visibleTo('$accountId')}
   ), inserted as (
     insert into bookmarks (account_id, status_id, created_at)
     select $accountId::bigint, bookmarked_id, $now::timestamptz from visible order by position
     on conflict do nothing
   )
   select id from visible`,
)
const remove = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `delete from bookmarks where account_id = $accountId and status_id = $statusId returning id`,
)

/**
 * Bookmarks a status that the account may see; for a reblog, bookmarks the original. Returns the id of the bookmarked
 * status. Mastodon: POST /api/v1/statuses/:id/bookmark
 * @throws NotFoundError
 */
export async function bookmarkStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<string> {
  const { id } = await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  await insert(tx.db, { accountId, statusId: id, now: tx.now })
  return id
}

/**
 * Bookmarks many statuses, as `bookmarkStatus` does, with one statement. Returns the ids of those that the account may
 * not see, or that do not exist.
 */
export async function bookmarkStatuses(
  tx: Tx,
  { accountId, statusIds }: { accountId: string; statusIds: readonly string[] },
): Promise<Set<string>> {
  const visible = await insertMany(tx.db, { accountId, statusIds, now: tx.now })
  const found = new Set(visible.map((row) => row.id))
  return new Set(statusIds.filter((id) => !found.has(id)))
}

/**
 * Removes a bookmark, also from a status that the account may not see any more. Returns the id of the status, and
 * whether it is visible to the account. Mastodon: POST /api/v1/statuses/:id/unbookmark
 * @throws NotFoundError if there was no bookmark and the status is not visible
 */
export async function unbookmarkStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const target = await findUndoTarget(tx, { accountId, statusId })
  const removed = await remove(tx.db, { accountId, statusId: target.id })
  if (removed.length === 0 && !target.visible) throw new NotFoundError()
  return target
}
