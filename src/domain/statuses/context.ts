import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { findVisibleStatus, visibleTo } from './visibility.ts'

/** How much of a thread is shown at once. A stranger's request must not cost as much as a member's. */
const LIMITS = {
  member: { ancestors: 4_096, descendants: 4_096, depth: 4_096 },
  anonymous: { ancestors: 40, descendants: 60, depth: 20 },
}

// Hidden statuses are left out, not what hangs on them: a reply to something hidden may still be for everybody.
const shown = (s: string) => `${visibleTo('$2', s)}
  and (${s}.account_id = $2 or not exists (
    select from blocks b where b.account_id = $2 and b.target_account_id = ${s}.account_id))
  and (${s}.account_id = $2 or not exists (
    select from mutes m where m.account_id = $2 and m.target_account_id = ${s}.account_id
      and (m.expires_at is null or m.expires_at > now())))
  and (${s}.account_id = $2 or not exists (
    select from accounts silenced where silenced.id = ${s}.account_id and silenced.silenced_at is not null
      and not exists (select from follows f where f.account_id = $2 and f.target_account_id = silenced.id)))
  and (${s}.local or not ${blocksDomainOfId('$2', `${s}.account_id`)})`

const findAncestors = statement<{ id: string }>(
  `with recursive up (id, in_reply_to_id, height) as (
     select id, in_reply_to_id, 0 from statuses where id = $1
     union all
     select s.id, s.in_reply_to_id, up.height + 1 from up join statuses s on s.id = up.in_reply_to_id
     where up.height < $3::int
   ) cycle id set looped using trail
   select s.id from up join statuses s on s.id = up.id where up.id <> $1 and not looped and ${shown('s')} order by up.height desc`,
)

// The path orders a thread depth first; an author who goes on under their own status comes before the others.
const findDescendants = statement<{ id: string }>(
  `with recursive down (id, account_id, depth, path) as (
     select id, account_id, 0, array[]::text[] from statuses where id = $1
     union all
     select s.id, s.account_id, down.depth + 1,
       down.path || (case when s.account_id = down.account_id then '0' else '1' end || lpad(s.id::text, 20, '0'))
     from down join statuses s on s.in_reply_to_id = down.id
     where down.depth < $4::int
   ) cycle id set looped using trail
   select s.id from down join statuses s on s.id = down.id
   where down.id <> $1 and not looped and ${shown('s')} order by down.path limit $3`,
)

/**
 * The thread around a status: what it answers, oldest first, and what answers it, in the order of the tree.
 * @throws NotFound
 */
export async function findContext(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<{ ancestorIds: string[]; descendantIds: string[] }> {
  const status = await findVisibleStatus(read, { id, viewerId })
  const limits = viewerId === null ? LIMITS.anonymous : LIMITS.member
  const [up, down] = await Promise.all([
    findAncestors(read.db, [status.id, viewerId, limits.ancestors]),
    findDescendants(read.db, [status.id, viewerId, limits.descendants, limits.depth]),
  ])
  return { ancestorIds: up.map((row) => row.id), descendantIds: down.map((row) => row.id) }
}
