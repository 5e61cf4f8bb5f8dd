import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { loseQuotes } from '../quotes/lose.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { blocksReplier } from '../statuses/count-replies.ts'
import { clearRows } from './clear-rows.ts'

/** So many of somebody's statuses, favourites or follows go in one transaction. */
const CHUNK = 500

// Nobody of another server can delete somebody of here: of these it is written down that they did it themselves.
const findDeleted = statement<{ params: { accountId: string } }>(
  `select from accounts a where a.id = $accountId and case when a.domain is null
     then exists (select from deleted_usernames d where d.username = lower(a.username) and d.uri = a.uri)
     else exists (select from tombstones t where t.uri = a.uri and t.owner_uri = a.uri) end`,
)
const findStatuses = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from statuses where account_id = $accountId order by id limit ${CHUNK} for update`,
)
const findBoosters = statement<{
  params: { reblogOfIds: readonly string[]; accountId: string }
  row: { account_id: string }
}>(
  `select distinct account_id from statuses where reblog_of_id = any($reblogOfIds::bigint[])
    and account_id <> $accountId`,
)
// Reblogs by other accounts are deleted with the status.
const discountBoosters = statement<{ params: { reblogOfIds: readonly string[]; accountId: string } }>(
  `update account_stats st set statuses_count = greatest(0, st.statuses_count - gone.n)
   from (select account_id, count(*)::int as n from statuses
     where reblog_of_id = any($reblogOfIds::bigint[]) and account_id <> $accountId group by account_id) gone
   where st.account_id = gone.account_id`,
)
const discountOthers = statement<{ params: { ids: readonly string[] } }>(
  `update status_stats st set replies_count = greatest(0, st.replies_count - gone.replies),
     reblogs_count = greatest(0, st.reblogs_count - gone.boosts)
   from (
     select p.id, count(*) filter (where s.reblog_of_id is not null)::int as boosts,
       count(*) filter (where s.reblog_of_id is null and s.visibility in ('public', 'unlisted')
         and not ${blocksReplier('p.account_id', 's.account_id')})::int as replies
     from statuses s join statuses p on p.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
     where s.id = any($ids::bigint[]) and s.deleted_at is null
     group by 1
   ) gone where st.status_id = gone.id`,
)
const orphanReplies = statement<{ params: { inReplyToIds: readonly string[] } }>(
  `update statuses set in_reply_to_id = null, version = version + 1
    where in_reply_to_id = any($inReplyToIds::bigint[])`,
)
const removeMedia = statement<{ params: { statusIds: readonly string[] }; row: Files }>(
  `delete from media_attachments where status_id = any($statusIds::bigint[]) returning file_key, preview_key`,
)
const removeStatuses = statement<{ params: { ids: readonly string[] } }>(
  `delete from statuses where id = any($ids::bigint[])`,
)

const removeFavourites = statement<{ params: { accountId: string }; row: { status_id: string } }>(
  `with chosen as (select id from favourites where account_id = $accountId order by id limit ${CHUNK}), gone as (
     delete from favourites f using chosen c where f.id = c.id returning f.status_id
   ), counted as (
     update status_stats st set favourites_count = greatest(0, st.favourites_count - 1)
     from gone where st.status_id = gone.status_id
   )
   select status_id from gone`,
)

const findFollows = statement<{ params: { accountId: string }; row: { id: string; other: string } }>(
  `select id, case when account_id = $accountId then target_account_id else account_id end as other
   from follows where account_id = $accountId or target_account_id = $accountId limit ${CHUNK}`,
)
const removeFollows = statement<{ params: { accountId: string; followIds: readonly string[] } }>(
  `with gone as (delete from follows where id = any($followIds::bigint[]) returning account_id, target_account_id)
   update account_stats st set
     following_count = greatest(0, st.following_count - c.following),
     followers_count = greatest(0, st.followers_count - c.followers)
   from (select id, sum(following)::int as following, sum(followers)::int as followers from (
       select account_id as id, 1 as following, 0 as followers from gone
       union all select target_account_id, 0, 1 from gone) each group by id) c
   where st.account_id = c.id and c.id <> $accountId`,
)
const removeLooseMedia = statement<{ params: { accountId: string }; row: Files }>(
  `delete from media_attachments where id = any(array(
     select id from media_attachments where account_id = $accountId limit ${CHUNK})) returning file_key, preview_key`,
)

// Whoever writes something of this account holds its row; nothing can come after this.
const hold = statement<{ params: { accountId: string } }>(`select from accounts where id = $accountId for update`)
const findLeft = statement<{ params: { accountId: string } }>(
  `select where exists (select from statuses where account_id = $accountId)
     or exists (select from favourites where account_id = $accountId)
     or exists (select from follows where account_id = $accountId or target_account_id = $accountId)
     or exists (select from media_attachments where account_id = $accountId)`,
)
const findUnsent = statement<{ params: { accountId: string } }>(
  `select from sent_activities a join deliveries d on d.activity_id = a.id
   where a.account_id = $accountId and d.state = 'waiting' limit 1`,
)
const removeAccount = statement<{ params: { accountId: string } }>(`delete from accounts where id = $accountId`)

interface Files {
  file_key: string | null
  preview_key: string | null
}

/**
 * Effect: everything of somebody who was deleted, here or elsewhere, goes, and whatever it counted for is counted down.
 * Of somebody of here the name and the key stay as long as the news of it has to be signed.
 */
export async function purgeAccount(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  do {
    for (const step of [purgeStatuses, purgeFavourites, purgeFollows, purgeMedia, purgeRest]) {
      while (await ctx.write((tx) => step(tx, accountId)));
    }
  } while (await ctx.write((tx) => isUnfinished(tx, accountId)))
}

/** Removes the account itself, if nothing is left of it but that. True when something came in between. */
async function isUnfinished(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  await lockAccounts(tx, { ids: [accountId] })
  await hold(tx.db, { accountId })
  if ((await findLeft(tx.db, { accountId })).length > 0) return true
  if ((await findUnsent(tx.db, { accountId })).length === 0) await removeAccount(tx.db, { accountId })
  return false
}

/** Whoever came back in between keeps what is there. */
async function isDeleted(tx: Tx, accountId: string): Promise<boolean> {
  return (await findDeleted(tx.db, { accountId })).length > 0
}

/** True as long as there is more. */
async function purgeStatuses(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  const ids = (await findStatuses(tx.db, { accountId })).map((row) => row.id)
  if (ids.length === 0) return false
  const boosters = await findBoosters(tx.db, { reblogOfIds: ids, accountId })
  await lockAccounts(tx, { ids: boosters.map((row) => row.account_id) })
  await discountBoosters(tx.db, { reblogOfIds: ids, accountId })
  await discountOthers(tx.db, { ids })
  await orphanReplies(tx.db, { inReplyToIds: ids })
  await loseQuotes(tx, { statusIds: ids })
  forgetFiles(tx, await removeMedia(tx.db, { statusIds: ids }))
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

/** What was uploaded and stands in no status. */
async function purgeMedia(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDeleted(tx, accountId))) return false
  const files = await removeLooseMedia(tx.db, { accountId })
  forgetFiles(tx, files)
  return files.length > 0
}

async function purgeRest(tx: Tx, accountId: string): Promise<boolean> {
  return (await isDeleted(tx, accountId)) && clearRows(tx, { accountId })
}

/** The files go when it is certain that their rows are gone. Those of other servers lie there. */
function forgetFiles(tx: Tx, files: readonly Files[]): void {
  const mediaKeys = files.flatMap((one) => [one.file_key, one.preview_key]).filter((key) => key !== null)
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
}
