import { randomInt } from 'node:crypto'
import { ConflictError, NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordUndo, isUndone } from '../../core/tombstones.ts'
import { isRecent } from '../parts/recency.ts'
import { candidateIds } from '../parts/candidate-ids.ts'
import { checkNotBlocked } from '../../access/check-not-blocked.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { findUndoTarget } from './find-undo-target.ts'
import { lockVisibleOriginal } from '../../access/visibility.ts'
import type { StatusRow } from '../../access/visibility.ts'

const findOwn = statement<{ params: { originalId: string; accountId: string }; row: { id: string } }>(
  `select id from statuses where reblog_of_id = $originalId and account_id = $accountId and deleted_at is null`,
)
const findDefaultVisibility = statement<{ params: { accountId: string }; row: { visibility: ReblogVisibility } }>(
  `select coalesce(u.default_privacy, case when a.locked then 'private' else 'public' end) as visibility
   from accounts a join users u on u.account_id = a.id where a.id = $accountId`,
)
const insert = statement<{
  params: { accountId: string; origin: string; visibility: string; originalId: string }
  row: { id: string }
}>(
  `insert into statuses (id, account_id, uri, url, visibility, reblog_of_id, created_at)
   select id, $accountId::bigint, $origin || '/ap/users/' || $accountId || '/statuses/' || id || '/activity',
     $origin || '/ap/users/' || $accountId || '/statuses/' || id || '/activity', $visibility,
       $originalId, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id
   on conflict (reblog_of_id, account_id) where reblog_of_id is not null and deleted_at is null do nothing
   returning id`,
)
const insertRemote = statement<{
  params: { id: string | null; accountId: string; remoteUri: string; visibility: string; originalId: string; at: Date }
  row: { id: string }
}>(
  `insert into statuses (id, account_id, uri, url, visibility, reblog_of_id, created_at, local)
   values (coalesce($id::bigint, next_status_id()), $accountId, $remoteUri, $remoteUri, $visibility, $originalId, $at,
     false)
   on conflict do nothing returning id`,
)
// If a remote account reblogs a status again, it has undone its first reblog, even if the Undo has not arrived yet.
const updateReblog = statement<{ params: { reblogId: string; remoteUri: string; at: Date } }>(
  `update statuses set uri = $remoteUri, url = $remoteUri, created_at = $at, version = version + 1
   where id = $reblogId and created_at < $at and uri <> $remoteUri`,
)
const incrementReblogs = statement<{ params: { originalId: string } }>(
  `insert into status_stats (status_id, reblogs_count) values ($originalId, 1)
   on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1`,
)
const incrementStatuses = statement<{ params: { accountId: string; at: Date } }>(
  `update account_stats set statuses_count = statuses_count + 1, last_status_at = greatest(last_status_at, $at)
   where account_id = $accountId`,
)
const removeOwn = statement<{
  params: { reblogOfId: string; accountId: string }
  row: RemovedReblog
  notNull: 'reblog_of_id'
}>(
  `delete from statuses where reblog_of_id = $reblogOfId and account_id = $accountId and deleted_at is null
   returning id, uri, reblog_of_id`,
)
const removeByUri = statement<{
  params: { uri: string; accountId: string }
  row: RemovedReblog
  notNull: 'reblog_of_id'
}>(
  `delete from statuses where uri = $uri and account_id = $accountId and reblog_of_id is not null and deleted_at is null
   returning id, uri, reblog_of_id`,
)
const decrementReblogs = statement<{ params: { statusId: string } }>(
  `update status_stats set reblogs_count = greatest(0, reblogs_count - 1) where status_id = $statusId`,
)
const decrementStatuses = statement<{ params: { accountId: string } }>(
  `update account_stats set statuses_count = greatest(0, statuses_count - 1) where account_id = $accountId`,
)
const removeNotification = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from notifications where type = 'reblog' and from_account_id = $accountId and status_id = $statusId`,
)

type ReblogVisibility = Exclude<StatusRow['visibility'], 'direct'>

interface RemovedReblog {
  id: string
  uri: string
  reblog_of_id: string
}

/** The reblog of a remote account. */
interface RemoteReblog {
  /** The id of the Announce activity. */
  uri: string
  /** Not in the future; null means now. */
  publishedAt: Date | null
}

/**
 * Returns whether the account may reblog the status. Anyone may reblog public and unlisted statuses, only the author
 * may reblog a private (followers-only) status, and direct statuses cannot be reblogged.
 */
function canReblog(original: StatusRow, accountId: string): boolean {
  if (original.visibility === 'private') return original.account_id === accountId
  return original.visibility !== 'direct'
}

/** Returns the visibility of the account's reblogs if the request has none: the default visibility of its posts. */
async function defaultVisibilityOf(tx: Tx, accountId: string): Promise<ReblogVisibility> {
  const [row] = await findDefaultVisibility(tx.db, { accountId })
  return row?.visibility ?? 'public'
}

/**
 * Reblogs a status. Without `visibility`, the reblog has the default visibility of the account's posts; the reblog of a
 * private status is always private. Idempotent: returns the id of the existing reblog. `remote` describes the activity
 * of a remote account; only a recent one is added to feeds and causes a notification (`status.reblogged`). Returns the
 * id of the reblog. Mastodon: POST /api/v1/statuses/:id/reblog
 * @throws NotFoundError if the account may not see or not reblog the status, or if the activity was undone before it
 *   arrived
 */
export async function reblogStatus(
  tx: Tx,
  {
    accountId,
    statusId,
    visibility,
    remote,
  }: {
    accountId: string
    statusId: string
    visibility?: ReblogVisibility | undefined
    remote?: RemoteReblog | undefined
  },
): Promise<string> {
  if (remote) await lockUris(tx, { uris: [remote.uri] })
  const original = await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  if (!canReblog(original, accountId)) throw new NotFoundError()
  await checkNotBlocked(tx, { accountId, statusId: original.id })
  if (remote && (await isUndone(tx, { uri: remote.uri, accountId }))) throw new NotFoundError()
  const effectiveVisibility =
    original.visibility === 'private' ? 'private' : (visibility ?? (await defaultVisibilityOf(tx, accountId)))
  const { id, isNew } = await ensureReblog(tx, {
    accountId,
    originalId: original.id,
    visibility: effectiveVisibility,
    remote,
  })
  if (!isNew) return id
  const at = remote?.publishedAt ?? tx.now
  await incrementReblogs(tx.db, { originalId: original.id })
  if (!original.local) await adjustOriginCounters(tx, { statusIds: [original.id], counter: 'reblogs', by: 1 })
  await incrementStatuses(tx.db, { accountId, at })
  if (isRecent(tx, at)) tx.emit('status.reblogged', { accountId, statusId: original.id, reblogId: id })
  return id
}

async function ensureReblog(
  tx: Tx,
  {
    accountId,
    originalId,
    visibility,
    remote,
  }: { accountId: string; originalId: string; visibility: string; remote: RemoteReblog | undefined },
): Promise<{ id: string; isNew: boolean }> {
  const at = remote?.publishedAt ?? tx.now
  const ids = remote ? candidateIds(tx, { at, random: randomInt }) : [null]
  // The insert fails if a reblog exists. That one may be undone before it is read; then the insert is tried again.
  for (;;) {
    for (const id of ids) {
      const [inserted] = remote
        ? await insertRemote(tx.db, { id, accountId, remoteUri: remote.uri, visibility, originalId, at })
        : await insert(tx.db, { accountId, origin: tx.config.origin, visibility, originalId })
      if (inserted) return { id: inserted.id, isNew: true }
      const [existing] = await findOwn(tx.db, { originalId, accountId })
      if (existing && remote) await updateReblog(tx.db, { reblogId: existing.id, remoteUri: remote.uri, at })
      if (existing) return { id: existing.id, isNew: false }
    }
    if (remote) throw new ConflictError()
  }
}

/**
 * Undoes a reblog, also of a status that the account may not see any more. `statusId` is the id of the original or of
 * the reblog. Returns the id of the original, and whether it is visible to the account.
 * Mastodon: POST /api/v1/statuses/:id/unreblog
 * @throws NotFoundError if there was no reblog and the status is not visible
 */
export async function unreblogStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const target = await findUndoTarget(tx, { accountId, statusId })
  const [row] = await removeOwn(tx.db, { reblogOfId: target.id, accountId })
  if (row) await finishUnreblog(tx, { accountId, reblog: row })
  if (!row && !target.visible) throw new NotFoundError()
  return target
}

/**
 * Processes the undo of a reblog by a remote account: removes the reblog that the activity `uri` created, or, if there
 * is none, the account's reblog of the status.
 */
export async function recordUndoneReblog(
  tx: Tx,
  { accountId, statusId, uri }: { accountId: string; statusId: string | null; uri: string | null },
): Promise<void> {
  if (uri !== null) {
    await lockUris(tx, { uris: [uri] })
    await recordUndo(tx, { uri, accountId })
  }
  const [exact] = uri === null ? [] : await removeByUri(tx.db, { uri, accountId })
  const [row] = exact || statusId === null ? [exact] : await removeOwn(tx.db, { reblogOfId: statusId, accountId })
  if (row) await finishUnreblog(tx, { accountId, reblog: row })
}

async function finishUnreblog(
  tx: Tx,
  { accountId, reblog }: { accountId: string; reblog: RemovedReblog },
): Promise<void> {
  const { id: reblogId, uri, reblog_of_id: statusId } = reblog
  await decrementReblogs(tx.db, { statusId })
  await adjustOriginCounters(tx, { statusIds: [statusId], counter: 'reblogs', by: -1 })
  await decrementStatuses(tx.db, { accountId })
  await removeNotification(tx.db, { accountId, statusId })
  tx.emit('status.unreblogged', { accountId, statusId, reblogId, uri })
}
