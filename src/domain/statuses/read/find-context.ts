import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { blocksDomainOfId } from '../../access/user-domain-blocks.ts'
import { findVisibleStatus, visibleTo } from '../../access/visibility.ts'

/**
 * How many statuses of a thread are returned (the limits are Mastodon's), and how many replies are read for that, level
 * by level (`maxRead`). An anonymous request must be cheaper than that of a user.
 */
const LIMITS = {
  authenticated: { ancestors: 4_096, descendants: 4_096, depth: Infinity, maxRead: 20_000 },
  anonymous: { ancestors: 40, descendants: 60, depth: 20, maxRead: 2_000 },
}

/** The number of statuses whose visibility is checked by one statement. */
const VISIBILITY_BATCH_SIZE = 500

/** The number of replies that are ordered before other tasks may run: work of a few milliseconds. */
const ORDERING_BATCH_SIZE = 1_000

const findAncestors = statement<{ params: { statusId: string; ancestors: number }; row: { id: string } }>(
  `with recursive ancestors (id, in_reply_to_id, height) as (
     select id, in_reply_to_id, 0 from statuses where id = $statusId
     union all
     select s.id, s.in_reply_to_id, a.height + 1 from ancestors a join statuses s on s.id = a.in_reply_to_id
     where a.height < $ancestors::int
   ) select id from ancestors order by height desc`,
)

// PostgreSQL reads the replies level by level and stops at the limit. `union` removes duplicates, so that a cycle of
// replies ends. The result is one row of lists in the order of the ids: pg would turn thousands of rows into objects
// without letting other requests continue, which took up to 90 ms.
const findDescendants = statement<{
  params: { statusId: string; maxRead: number }
  row: { ids: string; parent_ids: string; author_ids: string }
}>(
  `with recursive descendants (id, parent_id, account_id) as (
     select id, 0::bigint, account_id from statuses where id = $statusId
     union
     select s.id, s.in_reply_to_id, s.account_id from descendants d join statuses s on s.in_reply_to_id = d.id
   ) select string_agg(id::text, ',' order by id) as ids, string_agg(parent_id::text, ',' order by id) as parent_ids,
       string_agg(account_id::text, ',' order by id) as author_ids
     from (select * from descendants limit $maxRead::int) limited`,
)

// Excludes hidden statuses, but not the replies to them: a reply to a hidden status may still be public.
const filterVisible = statement<{ params: { ids: readonly string[]; viewerId: string | null }; row: { id: string } }>(
  `select s.id from unnest($ids::bigint[]) with ordinality as thread (id, place) join statuses s on s.id = thread.id
   where ${visibleTo('$viewerId')} and (s.account_id = $viewerId or (
     not exists (select from blocks b where b.account_id = $viewerId and b.target_account_id = s.account_id)
     and not exists (
       select from mutes m where m.account_id = $viewerId and m.target_account_id = s.account_id
         and (m.expires_at is null or m.expires_at > now()))
     and not exists (
       select from accounts silenced where silenced.id = s.account_id and silenced.silenced_at is not null
         and not exists (select from follows f where f.account_id = $viewerId and f.target_account_id = silenced.id))
     and (s.local or not ${blocksDomainOfId('$viewerId', 's.account_id')})))
   order by thread.place`,
)

interface Reply {
  id: string
  authorId: string
}

/** The ancestors of a status, oldest first, and its descendants, in depth-first order of the tree. */
export interface Thread {
  ancestorIds: string[]
  descendantIds: string[]
}

/**
 * Returns the thread of a status, without statuses that the viewer may not see or that are from accounts and domains
 * that the viewer blocks or mutes. Mastodon: GET /api/v1/statuses/:id/context
 * @throws NotFoundError
 */
export async function findContext(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Thread> {
  const status = await findVisibleStatus(read, { id, viewerId })
  const limits = viewerId === null ? LIMITS.anonymous : LIMITS.authenticated
  const [ancestors, [descendants]] = await Promise.all([
    findAncestors(read.db, { statusId: status.id, ancestors: limits.ancestors }),
    findDescendants(read.db, { statusId: status.id, maxRead: limits.maxRead }),
  ])
  const candidates = new Set(ancestors.map((row) => row.id))
  candidates.delete(status.id)
  const orderedReplies = await orderReplies(descendants!, { rootId: status.id, depth: limits.depth })
  const [ancestorIds, descendantIds] = await Promise.all([
    takeVisible(read, { ids: [...candidates], viewerId, count: limits.ancestors }),
    takeVisible(read, { ids: orderedReplies, viewerId, count: limits.descendants }),
  ])
  return { ancestorIds, descendantIds }
}

/**
 * Orders replies, which are sorted by id, as a tree, depth first and down to the given depth. Self-replies precede the
 * replies of others.
 */
async function orderReplies(
  lists: { ids: string; parent_ids: string; author_ids: string },
  { rootId, depth }: { rootId: string; depth: number },
): Promise<string[]> {
  const parentIds = lists.parent_ids.split(',')
  const authorIds = lists.author_ids.split(',')
  const repliesTo = new Map<string, Reply[]>()
  const authorOf = new Map<string, string>()
  for (const [n, id] of lists.ids.split(',').entries()) {
    if (n % ORDERING_BATCH_SIZE === ORDERING_BATCH_SIZE - 1) await yieldToEventLoop()
    const [parentId, authorId] = [parentIds[n]!, authorIds[n]!]
    authorOf.set(id, authorId)
    const siblings = repliesTo.get(parentId)
    if (siblings) siblings.push({ id, authorId })
    else repliesTo.set(parentId, [{ id, authorId }])
  }
  // `seen` also ends a cycle, which leads back to its first status.
  const seen = new Set([rootId])
  const stack = [{ id: rootId, level: 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { id, level } = next
    seen.add(id)
    if (seen.size % ORDERING_BATCH_SIZE === 0) await yieldToEventLoop()
    if (level >= depth) continue
    const author = authorOf.get(id)
    // The last status pushed is processed first, so the replies are pushed in reverse order.
    const replies = repliesTo.get(id)?.toReversed() ?? []
    for (const isOwn of [false, true]) {
      for (const reply of replies) {
        if ((reply.authorId === author) === isOwn && !seen.has(reply.id)) stack.push({ id: reply.id, level: level + 1 })
      }
    }
  }
  seen.delete(rootId)
  return [...seen]
}

/** Returns the first `count` ids of statuses that the viewer may see. */
async function takeVisible(
  read: Read,
  { ids, viewerId, count }: { ids: readonly string[]; viewerId: string | null; count: number },
): Promise<string[]> {
  const visibleIds: string[] = []
  for (let from = 0; from < ids.length && visibleIds.length < count; from += VISIBILITY_BATCH_SIZE) {
    const rows = await filterVisible(read.db, { ids: ids.slice(from, from + VISIBILITY_BATCH_SIZE), viewerId })
    visibleIds.push(...rows.map((row) => row.id))
  }
  return visibleIds.slice(0, count)
}
