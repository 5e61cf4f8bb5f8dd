import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

// One row per hashtag, day and account, so that transactions of different accounts do not wait for each other.
const count = statement<{
  params: { statusId: string; tagIds: readonly string[]; createdAt: Date }
  row: { id: string }
}>(
  `insert into tag_uses (tag_id, day, account_id)
   select t.id, (s.created_at at time zone 'UTC')::date, s.account_id
   from statuses s join accounts a on a.id = s.account_id, tags t
   where s.id = $statusId and t.id = any($tagIds::bigint[]) and t.usable
     and s.visibility = 'public' and not s.local_only and s.created_at >= $createdAt and a.silenced_at is null
   order by t.id
   on conflict (tag_id, day, account_id) do update set uses = tag_uses.uses + 1
   returning tag_id as id`,
)
// Updates only hashtags without recent users, so about once per hashtag and hour. Otherwise all transactions with a
// popular hashtag would wait for each other.
const markUsed = statement<{ params: { nowUsed: readonly string[] } }>(
  `update tags t set recent_users = 1
   from (select id from tags where id = any($nowUsed::bigint[]) and coalesce(recent_users, 0) = 0
     order by id for no key update) q
   where t.id = q.id`,
)
const markFindable = statement<{ params: { tagIds: readonly string[] } }>(
  `update tags t set recent_users = 0
   from (select id from tags where id = any($tagIds::bigint[]) and recent_users is null order by id for no key update) q
   where t.id = q.id`,
)
const markListed = statement<{ params: { statusId: string; tagIds: readonly string[] } }>(
  `update tags t set recent_users = 0
   from (select id from tags where id = any($tagIds::bigint[]) and recent_users is null order by id for no key update) q
   where t.id = q.id
     and exists (select from statuses s where s.id = $statusId and s.visibility in ('public', 'unlisted')
       and not s.local_only)`,
)

/**
 * Counts the uses of hashtags by a new status if it is public, federated, created in the last seven days and by an
 * account that is not limited. `unusedIds`: those of the hashtags without recent users.
 */
export async function countTagUses(
  tx: Tx,
  { statusId, tagIds, unusedIds }: { statusId: string; tagIds: readonly string[]; unusedIds: readonly string[] },
): Promise<void> {
  const used = await recordTagUses(tx, { statusId, tagIds })
  const nowUsed = unusedIds.filter((id) => used.has(id))
  if (nowUsed.length > 0) await markUsed(tx.db, { nowUsed })
  await markTagsListed(tx, { statusId, tagIds: unusedIds.filter((id) => !used.has(id)) })
}

/** Records the uses like `countTagUses`, without marking the hashtags. Returns the ids of the counted ones. */
export async function recordTagUses(
  tx: Tx,
  { statusId, tagIds }: { statusId: string; tagIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await count(tx.db, { statusId, tagIds, createdAt: startOfHistory(tx.now) })
  return new Set(rows.map((row) => row.id))
}

/** Marks hashtags before a status that uses them is written. `listedIds`: those that only become findable by everyone. */
export async function markTags(
  tx: Tx,
  { usedIds, listedIds }: { usedIds: readonly string[]; listedIds: readonly string[] },
): Promise<void> {
  if (usedIds.length > 0) await markUsed(tx.db, { nowUsed: usedIds })
  if (listedIds.length > 0) await markFindable(tx.db, { tagIds: listedIds })
}

/** Marks the hashtags of a public or unlisted status as findable by everyone. */
export async function markTagsListed(
  tx: Tx,
  { statusId, tagIds }: { statusId: string; tagIds: readonly string[] },
): Promise<void> {
  if (tagIds.length > 0) await markListed(tx.db, { statusId, tagIds })
}

const prune = statement<{ params: { before: Date } }>(
  `delete from tag_uses where day < ($before::timestamptz at time zone 'UTC')::date`,
)
// Locks the rows in id order, like `countTagUses`, to avoid deadlocks.
const tally = statement(
  `with used as (
     select tag_id, count(distinct account_id)::int as users from tag_uses group by tag_id
   ), changed as (
     select t.id, coalesce(u.users, 0) as users from tags t left join used u on u.tag_id = t.id
     where (t.recent_users > 0 or u.users > 0) and t.recent_users is distinct from coalesce(u.users, 0)
     order by t.id for no key update of t
   )
   update tags t set recent_users = c.users from changed c where t.id = c.id`,
)

/** Effect: deletes uses older than the history that the API shows, and recounts the recent users of each hashtag. */
export async function tallyTagUses(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: startOfHistory(tx.now) }))
  await ctx.write((tx) => tally(tx.db))
}
