import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { isSeenLately } from './belongs.ts'
import { gatherIntoHome, gatherIntoLists } from './gather.ts'

/** So many people lose their feeds in one transaction. */
const CHUNK = 50

/** Statuses of each person, followed or on a list, that a feed is made of again. */
const REMADE = 400

const drop = statement<{ account_id: string }>(
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
  while ((await ctx.write((tx) => drop(tx.db, []))).length === CHUNK);
}

const ask = statement(`update users set feeds = 'asked' where account_id = $1 and feeds = 'dropped' returning id`)

/** Has the feeds of somebody who came back made again. They are asked for once, however often they are read meanwhile. */
export async function askForFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await ask(tx.db, [accountId])).length > 0) tx.emit('feeds.asked', { accountId })
  })
}

const hold = statement(`select from users where account_id = $1 and feeds = 'asked' for no key update`)
const keep = statement(`update users set feeds = 'kept' where account_id = $1`)

/** Effect: makes the feeds of somebody who came back: from their own statuses, and those of all whom they follow. */
export async function remakeFeeds(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await hold(tx.db, [accountId])).length === 0) return
    await gatherIntoHome(tx, { accountId, perPerson: REMADE })
    await gatherIntoLists(tx, { accountId, perPerson: REMADE })
    await keep(tx.db, [accountId])
  })
}
