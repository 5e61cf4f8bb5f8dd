import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { FEED_LENGTH, HOME, LIST } from './standing.ts'
import type { FeedKind } from './standing.ts'

// Whose feed it is may be deleted in the very moment in which an entry is written.
const trim = ({ table, key }: FeedKind, owner: string) =>
  statement(
    `delete from ${table} e using (
       select f.${key}, case when bool_or(${owner}) then (array_agg(f.status_id order by f.status_id desc))[${FEED_LENGTH}]
         else 9223372036854775807 end as oldest
       from ${table} f group by f.${key} having count(*) > ${FEED_LENGTH} or not bool_or(${owner})
     ) long where e.${key} = long.${key} and e.status_id < long.oldest`,
  )
const trimHomes = trim(HOME, 'exists (select from users u where u.account_id = f.account_id)')
const trimLists = trim(LIST, 'exists (select from lists l where l.id = f.list_id)')

/** Effect: cuts feeds to their length. */
export async function pruneFeeds(ctx: Ctx): Promise<void> {
  for (const step of [trimHomes, trimLists]) await ctx.write((tx) => step(tx.db))
}
