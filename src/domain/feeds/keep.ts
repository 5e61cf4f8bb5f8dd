import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { isSeenLately } from './belongs.ts'
import { gatherIntoHome, gatherIntoLists } from './gather.ts'

/** So many people lose their feeds in one transaction. */
const CHUNK = 50

/** Statuses of each person, followed or on a list, that a feed is made of again. */
const REMADE = 400

const drop = statement<{ row: { account_id: string } }>(
  `with away as (
     select id from users u where u.feeds <> 'dropped' and not ${isSeenLately()} order by id limit ${CHUNK}
     for no key update
   ), dropped as (
     update users u set feeds = 'dropped' from away where u.id = away.id returning u.account_id
   ), homes as (
     delete from feed_entries where account_id = any(array(select account_id from dropped))
   ), of_lists as (
     delete from list_entries where list_id = any(array(
       select l.id from lists l where l.account_id = any(array(select account_id from dropped))))
   )
   select account_id from dropped`,
)

/** Effect: drops the feeds of those who have not been here for long. Nothing was written into them any more. */
export async function dropFeeds(ctx: Ctx): Promise<void> {
  while ((await ctx.write((tx) => drop(tx.db))).length === CHUNK);
}

/** A request waits this long for its viewer's feeds; the rebuild of feeds that take longer is left to a job. */
const REBUILD_MS_IN_REQUEST = 300

/** What PostgreSQL reports about a statement that it cancelled because its time was over. */
const QUERY_CANCELED = '57014'

const find = statement<{ params: { accountId: string }; row: { feeds: 'kept' | 'dropped' | 'asked' } }>(
  `select feeds from users where account_id = $accountId`,
)
const ask = statement<{ params: { accountId: string } }>(
  `update users set feeds = 'asked' where account_id = $accountId and feeds = 'dropped' returning id`,
)

/**
 * Rebuilds the feeds of a user who came back, within the request that reads them where that is quick. Otherwise a job
 * rebuilds them, which is enqueued once, however often they are read meanwhile.
 * @returns whether the feeds are complete now
 */
export async function ensureFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<boolean> {
  const [user] = await find(ctx.db, { accountId })
  if (user?.feeds === 'dropped') await rebuildInTime(ctx, { accountId })
  return ctx.write(async (tx) => {
    if ((await ask(tx.db, { accountId })).length > 0) tx.emit('feeds.asked', { accountId })
    return (await find(tx.db, { accountId }))[0]?.feeds === 'kept'
  })
}

/** Does nothing where the rebuild would take too long, or another request or the job has begun it. */
async function rebuildInTime(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const deadline = performance.now() + REBUILD_MS_IN_REQUEST
  try {
    await ctx.write((tx) => rebuild(tx, { accountId, state: 'dropped', deadline }))
  } catch (err) {
    if ((err as { code?: unknown }).code !== QUERY_CANCELED) throw err
  }
}

/** Effect: rebuilds the feeds of a user who came back. */
export async function remakeFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write((tx) => rebuild(tx, { accountId, state: 'asked' }))
}

const hold = statement<{ params: { accountId: string; state: string } }>(
  `select from users where account_id = $accountId and feeds = $state for no key update`,
)
const keep = statement<{ params: { accountId: string } }>(
  `update users set feeds = 'kept' where account_id = $accountId`,
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
  { accountId, state, deadline }: { accountId: string; state: 'dropped' | 'asked'; deadline?: number },
): Promise<void> {
  const inTime = async () => {
    // PostgreSQL takes 0 for no limit.
    if (deadline !== undefined)
      await limitTime(tx.db, { milliseconds: String(Math.max(1, Math.ceil(deadline - performance.now()))) })
  }
  await inTime()
  if ((await hold(tx.db, { accountId, state })).length === 0) return
  // Dropped feeds take no entries.
  await keep(tx.db, { accountId })
  await inTime()
  await gatherIntoHome(tx, { accountId, perPerson: REMADE })
  await inTime()
  await gatherIntoLists(tx, { accountId, perPerson: REMADE })
}
