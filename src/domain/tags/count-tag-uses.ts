import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

/** A hashtag of a status. */
export interface TagUse {
  statusId: string
  tagId: string
}

interface TagUseColumns {
  statusIds: readonly string[]
  tagIds: readonly string[]
}

// One row per hashtag, day and account, so that transactions of different accounts do not wait for each other.
const count = statement<{ params: TagUseColumns & { createdAt: Date }; row: { id: string } }>(
  `insert into tag_uses (tag_id, day, account_id, uses)
   select t.id, (s.created_at at time zone 'UTC')::date, s.account_id, count(*)
   from unnest($statusIds::bigint[], $tagIds::bigint[]) as used (status_id, tag_id)
     join statuses s on s.id = used.status_id join accounts a on a.id = s.account_id join tags t on t.id = used.tag_id
   where t.usable
     and s.visibility = 'public' and not s.local_only and s.created_at >= $createdAt and a.silenced_at is null
   group by 1, 2, 3 order by 1, 2, 3
   on conflict (tag_id, day, account_id) do update set uses = tag_uses.uses + excluded.uses
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
// One statement for both marks, so that two transactions lock the hashtags in the same order and cannot deadlock.
const markAll = statement<{ params: { tagIds: readonly string[]; users: readonly number[] } }>(
  `update tags t set recent_users = q.users
   from (
     select t.id, given.users
     from unnest($tagIds::bigint[], $users::integer[]) as given (id, users) join tags t on t.id = given.id
     where coalesce(t.recent_users, -1) < given.users and coalesce(t.recent_users, 0) = 0
     order by t.id for no key update of t
   ) q
   where t.id = q.id`,
)
const markListed = statement<{ params: TagUseColumns }>(
  `update tags t set recent_users = 0
   from (select id from tags where id = any($tagIds::bigint[]) and recent_users is null order by id for no key update) q
   where t.id = q.id
     and exists (select from unnest($statusIds::bigint[], $tagIds::bigint[]) as used (status_id, tag_id)
       join statuses s on s.id = used.status_id
       where used.tag_id = q.id and s.visibility in ('public', 'unlisted') and not s.local_only)`,
)

/**
 * Counts the uses of hashtags by new statuses that are public, federated, created in the last seven days and by accounts
 * that are not limited. `unusedIds`: those of the hashtags without recent users.
 */
export async function countTagUses(
  tx: Tx,
  { uses, unusedIds }: { uses: readonly TagUse[]; unusedIds: ReadonlySet<string> },
): Promise<void> {
  const used = await recordTagUses(tx, { uses })
  const nowUsed = [...unusedIds].filter((id) => used.has(id))
  if (nowUsed.length > 0) await markUsed(tx.db, { nowUsed })
  await markTagsListed(tx, { uses: uses.filter(({ tagId }) => unusedIds.has(tagId) && !used.has(tagId)) })
}

/** Records the uses like `countTagUses`, without marking the hashtags. Returns the ids of the counted ones. */
export async function recordTagUses(tx: Tx, { uses }: { uses: readonly TagUse[] }): Promise<Set<string>> {
  const rows = await count(tx.db, { ...columnsOf(uses), createdAt: startOfHistory(tx.now) })
  return new Set(rows.map((row) => row.id))
}

/**
 * Marks hashtags before statuses that use them are written. `listedIds`: those that only become findable by everyone,
 * unless they are also in `usedIds`.
 */
export async function markTags(
  tx: Tx,
  { usedIds, listedIds }: { usedIds: readonly string[]; listedIds: readonly string[] },
): Promise<void> {
  const users = new Map([...listedIds.map((id) => [id, 0] as const), ...usedIds.map((id) => [id, 1] as const)])
  if (users.size > 0) await markAll(tx.db, { tagIds: [...users.keys()], users: [...users.values()] })
}

/** Marks the hashtags of public and unlisted statuses as findable by everyone. */
export async function markTagsListed(tx: Tx, { uses }: { uses: readonly TagUse[] }): Promise<void> {
  if (uses.length > 0) await markListed(tx.db, columnsOf(uses))
}

function columnsOf(uses: readonly TagUse[]): TagUseColumns {
  return { statusIds: uses.map(({ statusId }) => statusId), tagIds: uses.map(({ tagId }) => tagId) }
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
