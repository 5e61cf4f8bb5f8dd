import { Semaphore } from '../../lib/async/semaphore.ts'
import { statement } from '../../platform/db/statement.ts'
import { PostponedError } from '../../platform/jobs/postponed-error.ts'
import type { Ctx, Tx } from '../context.ts'
import { removeQuotes } from '../quotes/detach-quotes.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { uncountReplies } from '../statuses/counters/recount-replies.ts'
import { uncountStatuses } from '../statuses/counters/uncount-statuses.ts'
import { lockReblogs, removeReblogs } from '../statuses/write/delete-reblogs.ts'
import { detachAccount } from '../statuses/parts/detach-account.ts'
import { removeTombstone } from '../core/tombstones.ts'
import { deleteAccountRows } from './delete-account-rows.ts'

/** How many statuses, favourites, follows or files one transaction deletes. */
const BATCH_SIZE = 500

/**
 * How many accounts a process purges at the same time, and how many further jobs wait for that: the staff may delete a
 * server with ten thousand accounts, and deliveries have to continue.
 */
const MAX_RUNNING = 2
const MAX_WAITING = 6

/** How long other purges are postponed meanwhile. */
const RETRY_MS = 20_000

const turns = new Semaphore({ permits: MAX_RUNNING })

/** The accounts that this process purges, or will purge next. */
const purging = new Set<string>()

// Local accounts are deleted only if `deleted_usernames` proves that they were deleted here, so that no remote activity
// can purge one. Remote accounts have a tombstone, or were suspended here and their purge has started.
const findDeletionRecord = statement<{
  params: { accountId: string }
  row: { keeps_row: boolean; is_local: boolean }
  notNull: 'keeps_row' | 'is_local'
}>(
  `select p.account_id is not null as keeps_row, a.domain is null as is_local
   from accounts a left join account_purges p on p.account_id = a.id
   where a.id = $accountId and case when a.domain is null
     then exists (select from deleted_usernames d where d.username = lower(a.username) and d.uri = a.uri)
     else exists (select from tombstones t where t.uri = a.uri and t.owner_uri = a.uri)
       or (p.started_at is not null and a.suspended_at is not null) end`,
)
// The newest ones first, then the hidden ones, which the index does not have. Without an index of this order, each batch
// would sort all remaining statuses. They are locked in the order of their ids.
const findStatuses = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from statuses where id = any(array(
     (select id from statuses where account_id = $accountId and deleted_at is null order by id desc limit ${BATCH_SIZE})
     union all
     (select id from statuses where account_id = $accountId and deleted_at is not null limit ${BATCH_SIZE})
     limit ${BATCH_SIZE}))
   order by id for update`,
)
const findParents = statement<{ params: { ids: readonly string[] }; row: { id: string }; notNull: 'id' }>(
  `select distinct in_reply_to_id as id from statuses
   where id = any($ids::bigint[]) and in_reply_to_id is not null and not in_reply_to_id = any($ids::bigint[])`,
)
const detachReplies = statement<{ params: { inReplyToIds: readonly string[] } }>(
  `update statuses set in_reply_to_id = null, version = version + 1
    where in_reply_to_id = any($inReplyToIds::bigint[])`,
)
const removeMedia = statement<{ params: { statusIds: readonly string[] }; row: FileKeys }>(
  `delete from media_attachments where status_id = any($statusIds::bigint[]) returning file_key, preview_key`,
)
const removeStatuses = statement<{ params: { ids: readonly string[] } }>(
  `delete from statuses where id = any($ids::bigint[])`,
)

const removeFavourites = statement<{ params: { accountId: string }; row: { status_id: string } }>(
  `with batch as (select id from favourites where account_id = $accountId order by id limit ${BATCH_SIZE}), deleted as (
     delete from favourites f using batch b where f.id = b.id returning f.status_id
   ), counted as (
     update status_stats st set favourites_count = greatest(0, st.favourites_count - 1)
     from deleted where st.status_id = deleted.status_id
   )
   select status_id from deleted`,
)

const findFollows = statement<{ params: { accountId: string }; row: { id: string; other: string } }>(
  `select id, case when account_id = $accountId then target_account_id else account_id end as other
   from follows where account_id = $accountId or target_account_id = $accountId limit ${BATCH_SIZE}`,
)
const removeFollows = statement<{
  params: { accountId: string; followIds: readonly string[] }
  row: { account_id: string; target_account_id: string; uri: string | null; is_from_local: boolean }
  notNull: 'is_from_local'
}>(
  `with deleted as (
     delete from follows where id = any($followIds::bigint[]) returning account_id, target_account_id, uri
   ), counted as (
     update account_stats st set
       following_count = greatest(0, st.following_count - c.following),
       followers_count = greatest(0, st.followers_count - c.followers)
     from (select id, sum(following)::int as following, sum(followers)::int as followers from (
         select account_id as id, 1 as following, 0 as followers from deleted
         union all select target_account_id, 0, 1 from deleted) each group by id) c
     where st.account_id = c.id and c.id <> $accountId
   )
   select d.account_id, d.target_account_id, d.uri, a.domain is null as is_from_local
   from deleted d join accounts a on a.id = d.account_id`,
)
const removeUnattachedMedia = statement<{ params: { accountId: string }; row: FileKeys }>(
  `delete from media_attachments where id = any(array(
     select id from media_attachments where account_id = $accountId limit ${BATCH_SIZE})) returning file_key, preview_key`,
)

// Transactions that insert rows of the account lock its row, so none can insert further rows after this lock.
const lockAccount = statement<{ params: { accountId: string } }>(
  `select from accounts where id = $accountId for update`,
)
const findRemainingRows = statement<{ params: { accountId: string } }>(
  `select where exists (select from statuses where account_id = $accountId)
     or exists (select from favourites where account_id = $accountId)
     or exists (select from follows where account_id = $accountId or target_account_id = $accountId)
     or exists (select from media_attachments where account_id = $accountId)`,
)
const findPendingDelivery = statement<{ params: { accountId: string } }>(
  `select from sent_activities a join deliveries d on d.activity_id = a.id
   where a.account_id = $accountId and d.state = 'pending' limit 1`,
)
const resetCounters = statement<{ params: { accountId: string } }>(
  `update account_stats set statuses_count = 0, followers_count = 0, following_count = 0, last_status_at = null
   where account_id = $accountId`,
)
const removePrivateKey = statement<{ params: { accountId: string } }>(
  `delete from actor_keys where account_id = $accountId and private_key is not null`,
)
const recordFinish = statement<{ params: { accountId: string; now: Date } }>(
  `update account_purges set started_at = coalesce(started_at, $now), finished_at = $now where account_id = $accountId`,
)
const removeAccount = statement<{ params: { accountId: string } }>(`delete from accounts where id = $accountId`)

interface FileKeys {
  file_key: string | null
  preview_key: string | null
}

/**
 * Effect: deletes all rows and files of a deleted local or remote account in batches, and decrements the counters that
 * included them. The key of a local account stays until all deliveries of its Delete, which need the key, are done. The
 * row is deleted last; of an account that this server has suspended it stays, with its reports and warnings. A remote
 * account with `returningUri` can then be recorded again.
 * @throws PostponedError if this process purges the account already, or several others
 */
export async function purgeAccount(
  ctx: Ctx,
  { accountId, returningUri }: { accountId: string; returningUri?: string },
): Promise<void> {
  if (purging.size >= MAX_RUNNING + MAX_WAITING || purging.has(accountId))
    throw new PostponedError('accounts are being purged', { delayMs: RETRY_MS * (0.5 + 0.5 * Math.random()) })
  purging.add(accountId)
  try {
    await turns.run(async () => purgeAll(ctx, accountId))
  } finally {
    purging.delete(accountId)
  }
  if (returningUri !== undefined)
    await ctx.write((tx) => removeTombstone(tx, { uri: returningUri, ownerUri: returningUri }))
}

async function purgeAll(ctx: Ctx, accountId: string): Promise<void> {
  do {
    for (const step of [purgeStatuses, purgeReferences, purgeFavourites, purgeFollows, purgeMedia, purgeOtherRows]) {
      while (await ctx.write((tx) => step(tx, accountId)));
    }
  } while (await ctx.write((tx) => finishPurge(tx, accountId)))
}

/**
 * Deletes the account row, or resets it if it stays, if nothing else is left of the account. Returns true if rows were
 * inserted meanwhile.
 */
async function finishPurge(tx: Tx, accountId: string): Promise<boolean> {
  const deletion = await lockDeleted(tx, { accountId })
  if (!deletion) return false
  await lockAccount(tx.db, { accountId })
  if ((await findRemainingRows(tx.db, { accountId })).length > 0) return true
  if ((await findPendingDelivery(tx.db, { accountId })).length > 0) return false
  if (deletion.keeps_row) {
    await resetCounters(tx.db, { accountId })
    await removePrivateKey(tx.db, { accountId })
    await recordFinish(tx.db, { accountId, now: tx.now })
  } else {
    await removeAccount(tx.db, { accountId })
  }
  return false
}

/**
 * Locks an account with others, and returns its deletion; undefined if it is not deleted any more. One that was recorded
 * again, or whose suspension has ended, keeps its remaining rows. The lock excludes the end of its suspension while a
 * batch is deleted.
 */
async function lockDeleted(
  tx: Tx,
  { accountId, others = [] }: { accountId: string; others?: readonly string[] },
): Promise<{ keeps_row: boolean; is_local: boolean } | undefined> {
  await lockAccounts(tx, { ids: [accountId, ...others] })
  const [deletion] = await findDeletionRecord(tx.db, { accountId })
  return deletion
}

/** Deletes a batch. Returns false when nothing was left, as the other steps do. */
async function purgeStatuses(tx: Tx, accountId: string): Promise<boolean> {
  const ids = (await findStatuses(tx.db, { accountId })).map((row) => row.id)
  if (ids.length === 0) return false
  const { reblogs, hasMore } = await lockReblogs(tx, { statusIds: ids })
  if (!(await lockDeleted(tx, { accountId, others: reblogs.map((reblog) => reblog.account_id) }))) return false
  await removeReblogs(tx, { reblogs })
  if (hasMore) return true
  const parents = await findParents(tx.db, { ids })
  await uncountStatuses(tx, { ids })
  await detachReplies(tx.db, { inReplyToIds: ids })
  await removeQuotes(tx, { statusIds: ids })
  emitRemovedFiles(tx, await removeMedia(tx.db, { statusIds: ids }))
  await removeStatuses(tx.db, { ids })
  await uncountReplies(tx, { parentIds: parents.map(({ id }) => id) })
  return true
}

/** Detaches a batch of the statuses of others that mention the account or reply to it. */
async function purgeReferences(tx: Tx, accountId: string): Promise<boolean> {
  const deletion = await lockDeleted(tx, { accountId })
  return deletion !== undefined && detachAccount(tx, { accountId, keepsRow: deletion.keeps_row })
}

async function purgeFavourites(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await lockDeleted(tx, { accountId }))) return false
  return (await removeFavourites(tx.db, { accountId })).length > 0
}

async function purgeFollows(tx: Tx, accountId: string): Promise<boolean> {
  const follows = await findFollows(tx.db, { accountId })
  const deletion = await lockDeleted(tx, { accountId, others: follows.map((row) => row.other) })
  if (!deletion || follows.length === 0) return false
  const removed = await removeFollows(tx.db, { accountId, followIds: follows.map((row) => row.id) })
  // The server of a remote account that is deleted only here does not know that its followers are gone.
  if (deletion.keeps_row && !deletion.is_local) {
    for (const follow of removed.filter((one) => one.is_from_local)) {
      const { account_id: followerId, target_account_id: targetAccountId, uri } = follow
      tx.emit('account.unfollowed', { accountId: followerId, targetAccountId, uri })
    }
  }
  return true
}

/** Deletes a batch of uploads that are attached to no status. */
async function purgeMedia(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await lockDeleted(tx, { accountId }))) return false
  const files = await removeUnattachedMedia(tx.db, { accountId })
  emitRemovedFiles(tx, files)
  return files.length > 0
}

async function purgeOtherRows(tx: Tx, accountId: string): Promise<boolean> {
  const deletion = await lockDeleted(tx, { accountId })
  return deletion !== undefined && deleteAccountRows(tx, { accountId, keepsRow: deletion.keeps_row })
}

/** Requests the deletion of files after the commit. Remote files have no keys: they are stored on their server. */
function emitRemovedFiles(tx: Tx, files: readonly FileKeys[]): void {
  const mediaKeys = files.flatMap(({ file_key, preview_key }) => [file_key, preview_key]).filter((key) => key !== null)
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
}
