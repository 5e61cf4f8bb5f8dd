import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { FEED_LENGTH, HOME_FEED, LIST_FEED } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'

// Also deletes all entries of feeds without an owner: the owner can be deleted while an entry is being written.
const trimStatement = ({ table, key }: FeedKind, owner: string) =>
  statement(
    `delete from ${table} e using (
       select f.${key}, case when bool_or(${owner}) then (array_agg(f.status_id order by f.status_id desc))[${FEED_LENGTH}]
         else 9223372036854775807 end as oldest
       from ${table} f group by f.${key} having count(*) > ${FEED_LENGTH} or not bool_or(${owner})
     ) excess where e.${key} = excess.${key} and e.status_id < excess.oldest`,
  )
const trimHomes = trimStatement(HOME_FEED, 'exists (select from users u where u.account_id = f.account_id)')
const trimLists = trimStatement(LIST_FEED, 'exists (select from lists l where l.id = f.list_id)')

/** Effect: deletes the oldest entries of feeds that exceed `FEED_LENGTH`. */
export async function pruneFeeds(ctx: Ctx): Promise<void> {
  for (const step of [trimHomes, trimLists]) await ctx.write((tx) => step(tx.db))
}
