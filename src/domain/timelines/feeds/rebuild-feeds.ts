import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { isActiveUser } from '../../access/feed-eligibility.ts'
import { backfillHomeFeed, backfillListFeeds } from './backfill-feeds.ts'

/** The number of users whose feeds one transaction prunes. */
const BATCH_SIZE = 50

/** The number of statuses of each followed account or list member that a rebuild adds. */
const REBUILD_STATUSES_PER_AUTHOR = 400

const deleteInactiveFeeds = statement<{ row: { account_id: string } }>(
  `with inactive as (
     select id from users u where u.feed_state <> 'pruned' and not ${isActiveUser()} order by id limit ${BATCH_SIZE}
     for no key update
   ), pruned as (
     update users u set feed_state = 'pruned' from inactive where u.id = inactive.id returning u.account_id
   ), home_entries as (
     delete from feed_entries where account_id = any(array(select account_id from pruned))
   ), entries_of_lists as (
     delete from list_entries where list_id = any(array(
       select l.id from lists l where l.account_id = any(array(select account_id from pruned))))
   )
   select account_id from pruned`,
)

/** Effect: deletes the feeds of inactive users, which receive no new entries anyway. */
export async function pruneInactiveFeeds(ctx: Ctx): Promise<void> {
  while ((await ctx.write((tx) => deleteInactiveFeeds(tx.db))).length === BATCH_SIZE);
}

/** The time for which a request rebuilds its viewer's feeds. If it takes longer, a job rebuilds them. */
const REBUILD_MS_IN_REQUEST = 300

/** The SQLSTATE of a statement that PostgreSQL cancelled because of `statement_timeout`. */
const QUERY_CANCELED = '57014'

const findFeedState = statement<{
  params: { accountId: string }
  row: { feed_state: 'complete' | 'pruned' | 'rebuild_requested' }
}>(`select feed_state from users where account_id = $accountId`)
const requestRebuild = statement<{ params: { accountId: string } }>(
  `update users set feed_state = 'rebuild_requested' where account_id = $accountId and feed_state = 'pruned' returning id`,
)

/**
 * Rebuilds the feeds of a user who has returned, within the request that reads them if that is quick. Otherwise
 * enqueues a job that rebuilds them, only once even if they are read again meanwhile.
 * @returns whether the feeds are complete now
 */
export async function ensureFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<boolean> {
  const [user] = await findFeedState(ctx.db, { accountId })
  if (user?.feed_state === 'pruned') await rebuildInTime(ctx, { accountId })
  return ctx.write(async (tx) => {
    if ((await requestRebuild(tx.db, { accountId })).length > 0) tx.emit('feeds.rebuild_requested', { accountId })
    return (await findFeedState(tx.db, { accountId }))[0]?.feed_state === 'complete'
  })
}

/** Does nothing if the rebuild takes too long, or if another request or the job has begun it. */
async function rebuildInTime(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const deadline = performance.now() + REBUILD_MS_IN_REQUEST
  try {
    await ctx.write((tx) => rebuild(tx, { accountId, state: 'pruned', deadline }))
  } catch (err) {
    if ((err as { code?: unknown }).code !== QUERY_CANCELED) throw err
  }
}

/** Effect: rebuilds the feeds of a user who has returned. */
export async function rebuildFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write((tx) => rebuild(tx, { accountId, state: 'rebuild_requested' }))
}

const lockUser = statement<{ params: { accountId: string; state: string } }>(
  `select from users where account_id = $accountId and feed_state = $state for no key update`,
)
const markComplete = statement<{ params: { accountId: string } }>(
  `update users set feed_state = 'complete' where account_id = $accountId`,
)
const limitTime = statement<{ params: { milliseconds: string } }>(
  `select set_config('statement_timeout', $milliseconds, true)`,
)

/**
 * Rebuilds the feeds of a user, if they are in this state, from the statuses of the user and of all followed accounts.
 * `deadline`: in milliseconds of `performance.now()`; a statement that would end later fails.
 */
async function rebuild(
  tx: Tx,
  { accountId, state, deadline }: { accountId: string; state: 'pruned' | 'rebuild_requested'; deadline?: number },
): Promise<void> {
  const limitStatementTime = async () => {
    // For PostgreSQL, 0 means no limit.
    if (deadline !== undefined)
      await limitTime(tx.db, { milliseconds: String(Math.max(1, Math.ceil(deadline - performance.now()))) })
  }
  await limitStatementTime()
  if ((await lockUser(tx.db, { accountId, state })).length === 0) return
  // Before the backfill, because pruned feeds accept no entries.
  await markComplete(tx.db, { accountId })
  await limitStatementTime()
  await backfillHomeFeed(tx, { accountId, perAuthor: REBUILD_STATUSES_PER_AUTHOR })
  await limitStatementTime()
  await backfillListFeeds(tx, { accountId, perAuthor: REBUILD_STATUSES_PER_AUTHOR })
}
