import { setImmediate as letOthers } from 'node:timers/promises'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { findVisibleStatus, visibleTo } from './visibility.ts'

/**
 * How much of a thread is shown at once, and how many of its replies are looked at for that, level by level. A
 * stranger's request must not cost as much as a member's.
 */
const LIMITS = {
  member: { ancestors: 4_096, descendants: 4_096, depth: Infinity, walked: 20_000 },
  anonymous: { ancestors: 40, descendants: 60, depth: 20, walked: 2_000 },
}

/** So many statuses are judged by one statement. */
const JUDGED_AT_ONCE = 500

/** So many replies are put in order before everybody else has their turn: a few milliseconds' work. */
const ORDERED_AT_ONCE = 1_000

const findAncestors = statement<{ params: { statuId: string; ancestors: number }; row: { id: string } }>(
  `with recursive up (id, in_reply_to_id, height) as (
     select id, in_reply_to_id, 0 from statuses where id = $statuId
     union all
     select s.id, s.in_reply_to_id, up.height + 1 from up join statuses s on s.id = up.in_reply_to_id
     where up.height < $ancestors::int
   ) select id from up order by height desc`,
)

// Level by level no more are looked for than are taken, and those by their ids. `union` goes round no circle.
const findDescendants = statement<{ params: { statuId: string; walked: number }; row: Reply }>(
  `with recursive down (id, parent_id, account_id) as (
     select id, null::bigint, account_id from statuses where id = $statuId
     union
     select s.id, s.in_reply_to_id, s.account_id from down join statuses s on s.in_reply_to_id = down.id
   ) select id, parent_id, account_id from (select * from down limit $walked::int) walked order by id`,
)

// Hidden statuses are left out, not what hangs on them: a reply to something hidden may still be for everybody.
const keepShown = statement<{ params: { ids: readonly string[]; viewerId: string | null }; row: { id: string } }>(
  `select s.id from unnest($ids::bigint[]) with ordinality as wanted (id, place) join statuses s on s.id = wanted.id
   where ${visibleTo('$viewerId')} and (s.account_id = $viewerId or (
     not exists (select from blocks b where b.account_id = $viewerId and b.target_account_id = s.account_id)
     and not exists (
       select from mutes m where m.account_id = $viewerId and m.target_account_id = s.account_id
         and (m.expires_at is null or m.expires_at > now()))
     and not exists (
       select from accounts silenced where silenced.id = s.account_id and silenced.silenced_at is not null
         and not exists (select from follows f where f.account_id = $viewerId and f.target_account_id = silenced.id))
     and (s.local or not ${blocksDomainOfId('$viewerId', 's.account_id')})))
   order by wanted.place`,
)

interface Reply {
  id: string
  /** null for the status whose replies these are. */
  parent_id: string | null
  account_id: string
}

/** What a status answers, oldest first, and what answers it, in the order of the tree. */
export interface Thread {
  ancestorIds: string[]
  descendantIds: string[]
}

/**
 * The thread around a status: what of it the viewer may and wants to see.
 * @throws NotFound
 */
export async function findContext(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Thread> {
  const status = await findVisibleStatus(read, { id, viewerId })
  const limits = viewerId === null ? LIMITS.anonymous : LIMITS.member
  const [up, down] = await Promise.all([
    findAncestors(read.db, { statuId: status.id, ancestors: limits.ancestors }),
    findDescendants(read.db, { statuId: status.id, walked: limits.walked }),
  ])
  const above = new Set(up.map((row) => row.id))
  above.delete(status.id)
  const below = await orderReplies(down, { rootId: status.id, depth: limits.depth })
  const [ancestorIds, descendantIds] = await Promise.all([
    takeShown(read, { ids: [...above], viewerId, count: limits.ancestors }),
    takeShown(read, { ids: below, viewerId, count: limits.descendants }),
  ])
  return { ancestorIds, descendantIds }
}

/** Rows by their ids as a tree, depth first, no deeper than said; who goes on under their own status comes first. */
async function orderReplies(
  rows: readonly Reply[],
  { rootId, depth }: { rootId: string; depth: number },
): Promise<string[]> {
  const repliesTo = new Map<string, Reply[]>()
  const authorOf = new Map<string, string>()
  for (const [n, row] of rows.entries()) {
    if (n % ORDERED_AT_ONCE === ORDERED_AT_ONCE - 1) await letOthers()
    authorOf.set(row.id, row.account_id)
    if (row.parent_id === null) continue
    const siblings = repliesTo.get(row.parent_id)
    if (siblings) siblings.push(row)
    else repliesTo.set(row.parent_id, [row])
  }
  // A circle leads back to where it began.
  const seen = new Set([rootId])
  const waiting = [{ id: rootId, level: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, level } = next
    seen.add(id)
    if (seen.size % ORDERED_AT_ONCE === 0) await letOthers()
    if (level >= depth) continue
    const author = authorOf.get(id)
    // The first is put on top, so they go in from the last.
    const replies = repliesTo.get(id)?.toReversed() ?? []
    for (const isOwn of [false, true]) {
      for (const reply of replies) {
        if ((reply.account_id === author) === isOwn && !seen.has(reply.id))
          waiting.push({ id: reply.id, level: level + 1 })
      }
    }
  }
  seen.delete(rootId)
  return [...seen]
}

/** The first so many that are shown to the viewer. */
async function takeShown(
  read: Read,
  { ids, viewerId, count }: { ids: readonly string[]; viewerId: string | null; count: number },
): Promise<string[]> {
  const shown: string[] = []
  for (let from = 0; from < ids.length && shown.length < count; from += JUDGED_AT_ONCE) {
    const rows = await keepShown(read.db, { ids: ids.slice(from, from + JUDGED_AT_ONCE), viewerId })
    shown.push(...rows.map((row) => row.id))
  }
  return shown.slice(0, count)
}
