import { randomInt } from 'node:crypto'
import { Conflict, NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { buryDeed, isBuriedDeed } from '../tombstones.ts'
import { isNews } from './news.ts'
import { pastIds } from './past-ids.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { shiftOriginCounter } from './shift-origin-counter.ts'
import { findVisibleStatus } from './visibility.ts'
import type { StatusRow } from './visibility.ts'

const findOwn = statement<{ params: { originalId: string; accountId: string }; row: { id: string } }>(
  `select id from statuses where reblog_of_id = $originalId and account_id = $accountId and deleted_at is null`,
)
const findUsual = statement<{ params: { accountId: string }; row: { visibility: BoostVisibility } }>(
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
// Somebody elsewhere who boosts again has taken the first boost back, even if that was not heard of yet.
const renew = statement<{ params: { knownId: string; remoteUri: string; at: Date } }>(
  `update statuses set uri = $remoteUri, url = $remoteUri, created_at = $at where id = $knownId and created_at < $at
    and uri <> $remoteUri`,
)
const count = statement<{ params: { originalId: string } }>(
  `insert into status_stats (status_id, reblogs_count) values ($originalId, 1)
   on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1`,
)
const countAuthor = statement<{ params: { accountId: string; at: Date } }>(
  `update account_stats set statuses_count = statuses_count + 1, last_status_at = greatest(last_status_at, $at)
   where account_id = $accountId`,
)
const removeOwn = statement<{
  params: { reblogOfId: string; accountId: string }
  row: Removed
  notNull: 'reblog_of_id'
}>(
  `delete from statuses where reblog_of_id = $reblogOfId and account_id = $accountId and deleted_at is null
   returning id, uri, reblog_of_id`,
)
const removeByUri = statement<{ params: { uri: string; accountId: string }; row: Removed; notNull: 'reblog_of_id' }>(
  `delete from statuses where uri = $uri and account_id = $accountId and reblog_of_id is not null and deleted_at is null
   returning id, uri, reblog_of_id`,
)
const discount = statement<{ params: { statusId: string } }>(
  `update status_stats set reblogs_count = greatest(0, reblogs_count - 1) where status_id = $statusId`,
)
const discountAuthor = statement<{ params: { accountId: string } }>(
  `update account_stats set statuses_count = greatest(0, statuses_count - 1) where account_id = $accountId`,
)
const withdraw = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from notifications where type = 'reblog' and from_account_id = $accountId and status_id = $statusId`,
)

type BoostVisibility = Exclude<StatusRow['visibility'], 'direct'>

interface Removed {
  id: string
  uri: string
  reblog_of_id: string
}

/** A boost that somebody elsewhere made. */
interface RemoteBoost {
  /** Of the activity. */
  uri: string
  /** Not in the future; null: now. */
  publishedAt: Date | null
}

/** Who may pass a status on: everybody what is public or unlisted, the author also what is for followers, nobody a direct one. */
function mayBoost(original: StatusRow, accountId: string): boolean {
  if (original.visibility === 'private') return original.account_id === accountId
  return original.visibility !== 'direct'
}

/** For whom somebody boosts unless they say: for those for whom they post. */
async function usualFor(tx: Tx, accountId: string): Promise<BoostVisibility> {
  const [usual] = await findUsual(tx.db, { accountId })
  return usual?.visibility ?? 'public'
}

/**
 * Boosts a status, for those for whom the person posts unless `visibility` says otherwise; what is for followers only for
 * them. Boosting it again gives the boost that is there. `remote`: where the activity came from elsewhere;
 * what is no news any more comes into no feed. Returns the boost's id.
 * @throws NotFound for what the person may not see or not pass on, and for a boost that was taken back before it came
 */
export async function boostStatus(
  tx: Tx,
  {
    accountId,
    statusId,
    visibility,
    remote,
  }: {
    accountId: string
    statusId: string
    visibility?: BoostVisibility | undefined
    remote?: RemoteBoost | undefined
  },
): Promise<string> {
  if (remote) await lockUris(tx, { uris: [remote.uri] })
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const original =
    found.reblog_of_id === null ? found : await findVisibleStatus(tx, { id: found.reblog_of_id, viewerId: accountId })
  if (!mayBoost(original, accountId)) throw new NotFound()
  await refuseBlocked(tx, { accountId, statusId: original.id })
  if (remote && (await isBuriedDeed(tx, { uri: remote.uri, accountId }))) throw new NotFound()
  const shownTo = original.visibility === 'private' ? 'private' : (visibility ?? (await usualFor(tx, accountId)))
  const { id, isNew } = await ensureBoost(tx, { accountId, originalId: original.id, visibility: shownTo, remote })
  if (!isNew) return id
  const at = remote?.publishedAt ?? tx.now
  await count(tx.db, { originalId: original.id })
  await shiftOriginCounter(tx, { statusId: original.id, counter: 'reblogs', by: 1 })
  await countAuthor(tx.db, { accountId, at })
  if (isNews(tx, at)) tx.emit('status.boosted', { accountId, statusId: original.id, boostId: id })
  return id
}

async function ensureBoost(
  tx: Tx,
  {
    accountId,
    originalId,
    visibility,
    remote,
  }: { accountId: string; originalId: string; visibility: string; remote: RemoteBoost | undefined },
): Promise<{ id: string; isNew: boolean }> {
  const at = remote?.publishedAt ?? tx.now
  const ids = remote ? pastIds(tx, { at, random: randomInt }) : [null]
  // The boost that was in the way may be taken back in between: then there is room for this one.
  for (;;) {
    for (const id of ids) {
      const [made] = remote
        ? await insertRemote(tx.db, { id, accountId, remoteUri: remote.uri, visibility, originalId, at })
        : await insert(tx.db, { accountId, origin: tx.config.origin, visibility, originalId })
      if (made) return { id: made.id, isNew: true }
      const [known] = await findOwn(tx.db, { originalId, accountId })
      if (known && remote) await renew(tx.db, { knownId: known.id, remoteUri: remote.uri, at })
      if (known) return { id: known.id, isNew: false }
    }
    if (remote) throw new Conflict()
  }
}

/**
 * Takes a boost back, also of a status that the person may not see any more. `statusId` is the boosted one or the boost.
 * @throws NotFound when there was none and the status is hidden
 */
export async function unboostStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const visible = await findVisibleStatus(tx, { id: statusId, viewerId: accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  const id = visible?.reblog_of_id ?? statusId
  const [row] = await removeOwn(tx.db, { reblogOfId: id, accountId })
  if (row) await forgetBoost(tx, { accountId, boost: row })
  if (!row && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}

/**
 * Takes in that somebody elsewhere took a boost back: that of this activity, or, if none came from it, that of this
 * status.
 */
export async function takeBackBoost(
  tx: Tx,
  { accountId, statusId, uri }: { accountId: string; statusId: string | null; uri: string | null },
): Promise<void> {
  if (uri !== null) {
    await lockUris(tx, { uris: [uri] })
    await buryDeed(tx, { uri, accountId })
  }
  const [exact] = uri === null ? [] : await removeByUri(tx.db, { uri, accountId })
  const [row] = exact || statusId === null ? [exact] : await removeOwn(tx.db, { reblogOfId: statusId, accountId })
  if (row) await forgetBoost(tx, { accountId, boost: row })
}

async function forgetBoost(tx: Tx, { accountId, boost }: { accountId: string; boost: Removed }): Promise<void> {
  const { id: boostId, uri, reblog_of_id: statusId } = boost
  await discount(tx.db, { statusId })
  await shiftOriginCounter(tx, { statusId, counter: 'reblogs', by: -1 })
  await discountAuthor(tx.db, { accountId })
  await withdraw(tx.db, { accountId, statusId })
  tx.emit('status.unboosted', { accountId, statusId, boostId, uri })
}
