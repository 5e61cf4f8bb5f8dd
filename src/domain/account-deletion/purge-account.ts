import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { removeQuotes } from '../quotes/detach-quotes.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { removeTombstone } from '../core/tombstones.ts'
import { blocksReplier } from '../statuses/counters/recount-replies.ts'
import { deleteAccountRows } from './delete-account-rows.ts'

/** How many statuses, favourites, follows or files one transaction deletes. */
const BATCH_SIZE = 500

// Local accounts are deleted only if `deleted_usernames` proves that they were deleted here, so that no remote activity
// can purge one. Remote accounts have a tombstone.
const findDeletionRecord = statement<{ params: { accountId: string } }>(
  `select from accounts a where a.id = $accountId and case when a.domain is null
     then exists (select from deleted_usernames d where d.username = lower(a.username) and d.uri = a.uri)
     else exists (select from tombstones t where t.uri = a.uri and t.owner_uri = a.uri) end`,
)
const findStatuses = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from statuses where account_id = $accountId order by id limit ${BATCH_SIZE} for update`,
)
const findRebloggers = statement<{
  params: { reblogOfIds: readonly string[]; accountId: string }
  row: { account_id: string }
}>(
  `select distinct account_id from statuses where reblog_of_id = any($reblogOfIds::bigint[])
    and account_id <> $accountId`,
)
// Reblogs by other accounts are deleted with the status.
const decrementRebloggerStatuses = statement<{ params: { reblogOfIds: readonly string[]; accountId: string } }>(
  `update account_stats st set statuses_count = greatest(0, st.statuses_count - deleted.n)
   from (select account_id, count(*)::int as n from statuses
     where reblog_of_id = any($reblogOfIds::bigint[]) and account_id <> $accountId group by account_id) deleted
   where st.account_id = deleted.account_id`,
)
const decrementStatusCounters = statement<{ params: { ids: readonly string[] } }>(
  `update status_stats st set replies_count = greatest(0, st.replies_count - deleted.replies),
     reblogs_count = greatest(0, st.reblogs_count - deleted.reblogs)
   from (
     select p.id, count(*) filter (where s.reblog_of_id is not null)::int as reblogs,
       count(*) filter (where s.reblog_of_id is null and s.visibility in ('public', 'unlisted')
         and not ${blocksReplier('p.account_id', 's.account_id')})::int as replies
     from statuses s join statuses p on p.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
     where s.id = any($ids::bigint[]) and s.deleted_at is null
     group by 1
   ) deleted where st.status_id = deleted.id`,
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
const removeFollows = statement<{ params: { accountId: string; followIds: readonly string[] } }>(
  `with deleted as (delete from follows where id = any($followIds::bigint[]) returning account_id, target_account_id)
   update account_stats st set
     following_count = greatest(0, st.following_count - c.following),
     followers_count = greatest(0, st.followers_count - c.followers)
   from (select id, sum(following)::int as following, sum(followers)::int as followers from (
       select account_id as id, 1 as following, 0 as followers from deleted
       union all select target_account_id, 0, 1 from deleted) each group by id) c
   where st.account_id = c.id and c.id <> $accountId`,
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
const removeAccount = statement<{ params: { accountId: string } }>(`delete from accounts where id = $accountId`)

interface FileKeys {
  file_key: string | null
  preview_key: string | null
}

/**
 * Effect: deletes all rows and files of a deleted local or remote account in batches, and decrements the counters that
 * included them. A remote account with `returningUri` can then be recorded again. The row and key of a local account stay until all deliveries of its Delete, which need the key, are
 * done.
 */
export async function purgeAccount(
  ctx: Ctx,
  { accountId, returningUri }: { accountId: string; returningUri?: string },
): Promise<void> {
  do {
    for (const step of [purgeStatuses, purgeFavourites, purgeFollows, purgeMedia, purgeOtherRows]) {
      while (await ctx.write((tx) => step(tx, accountId)));
    }
  } while (await ctx.write((tx) => finishPurge(tx, accountId)))
  if (returningUri !== undefined)
    await ctx.write((tx) => removeTombstone(tx, { uri: returningUri, ownerUri: returningUri }))
}

/** Deletes the account row if nothing else is left of the account. Returns true if rows were inserted meanwhile. */
async function finishPurge(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  await lockAccounts(tx, { ids: [accountId] })
  await lockAccount(tx.db, { accountId })
  if ((await findRemainingRows(tx.db, { accountId })).length > 0) return true
  if ((await findPendingDelivery(tx.db, { accountId })).length === 0) await removeAccount(tx.db, { accountId })
  return false
}

/** Returns whether the account is still deleted. One that was recorded again keeps its remaining rows. */
async function isDeleted(tx: Tx, accountId: string): Promise<boolean> {
  return (await findDeletionRecord(tx.db, { accountId })).length > 0
}

/** Deletes a batch. Returns false when nothing was left, as the other steps do. */
async function purgeStatuses(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  const ids = (await findStatuses(tx.db, { accountId })).map((row) => row.id)
  if (ids.length === 0) return false
  const rebloggers = await findRebloggers(tx.db, { reblogOfIds: ids, accountId })
  await lockAccounts(tx, { ids: rebloggers.map((row) => row.account_id) })
  await decrementRebloggerStatuses(tx.db, { reblogOfIds: ids, accountId })
  await decrementStatusCounters(tx.db, { ids })
  await detachReplies(tx.db, { inReplyToIds: ids })
  await removeQuotes(tx, { statusIds: ids })
  emitRemovedFiles(tx, await removeMedia(tx.db, { statusIds: ids }))
  await removeStatuses(tx.db, { ids })
  return true
}

async function purgeFavourites(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  return (await removeFavourites(tx.db, { accountId })).length > 0
}

async function purgeFollows(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  const follows = await findFollows(tx.db, { accountId })
  if (follows.length === 0) return false
  await lockAccounts(tx, { ids: follows.map((row) => row.other) })
  await removeFollows(tx.db, { accountId, followIds: follows.map((row) => row.id) })
  return true
}

/** Deletes a batch of uploads that are attached to no status. */
async function purgeMedia(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  const files = await removeUnattachedMedia(tx.db, { accountId })
  emitRemovedFiles(tx, files)
  return files.length > 0
}

async function purgeOtherRows(tx: Tx, accountId: string): Promise<boolean> {
  return (await isDeleted(tx, accountId)) && deleteAccountRows(tx, { accountId })
}

/** Requests the deletion of files after the commit. Remote files have no keys: they are stored on their server. */
function emitRemovedFiles(tx: Tx, files: readonly FileKeys[]): void {
  const mediaKeys = files.flatMap(({ file_key, preview_key }) => [file_key, preview_key]).filter((key) => key !== null)
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
}
