import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'

/** Somebody unknown, where that is clear before anything is asked: the same rule, and half as much to think of. */
export const NOBODY = 'null'

/**
 * The one predicate that says who may see a status, as SQL over the alias `s` of `statuses`. `viewer` is the parameter
 * of the viewer's account id, which is null for somebody unknown, or `NOBODY`. Every query on statuses that answers a
 * person has it; whether a status belongs into a certain list (mutes, filters) is that list's own matter.
 *
 * A boost is seen by those who may see both the boost and what it boosts. `author`: whose statuses all of them are, in SQL
 * that is the same for each row, so that what rests on authors is asked once.
 */
export function visibleTo(viewer: string, s = 's', author?: string): string {
  return `(${originalVisibleTo(viewer, s, author)} and (${s}.reblog_of_id is null or exists (
    select from statuses original where original.id = ${s}.reblog_of_id and ${originalVisibleTo(viewer, 'original')})))`
}

/** The same for what is never a boost, such as what is quoted: half as much for the database to think of. */
export function originalVisibleTo(viewer: string, s: string, author?: string): string {
  const whose = author ?? `${s}.account_id`
  // With an offset a question is not made part of a join, in which it would be asked of each row.
  const once = author === undefined ? '' : 'offset 0'
  const isSuspended = `exists (select from accounts author where author.id = ${whose} and author.suspended_at is not null ${once})`
  if (viewer === NOBODY) {
    return `(${s}.deleted_at is null and not ${s}.local_only and ${s}.visibility in ('public', 'unlisted')
      and not ${isSuspended})`
  }
  return `(${s}.deleted_at is null and not ${isSuspended}
    and (${whose} = ${viewer}::bigint or (
      not exists (select from blocks b where b.account_id = ${whose} and b.target_account_id = ${viewer}::bigint ${once})
      -- people of here are of no domain, which is asked once
      and not (exists (select from accounts reader where reader.id = ${viewer}::bigint and reader.domain is not null offset 0)
        and ${blocksDomainOfId(whose, `${viewer}::bigint`)})
      and (not ${s}.local_only or ${viewer}::bigint is not null)
      and (${s}.visibility in ('public', 'unlisted')
        or (${s}.visibility = 'private' and exists (
          select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = ${whose} ${once}))
        -- the offset keeps the planner from reading all that ever mentioned the viewer
        or exists (
          select from mentions m where m.status_id = ${s}.id and m.account_id = ${viewer}::bigint offset 0)))))`
}

/** What the verbs need to know of a status before they touch it. */
export interface StatusRow {
  id: string
  account_id: string
  reblog_of_id: string | null
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  conversation_id: string | null
  local: boolean
}

const COLUMNS =
  's.id, s.account_id, s.reblog_of_id, s.visibility, s.in_reply_to_id, s.in_reply_to_account_id, s.conversation_id, s.local'

const findOne = statement<{ params: { id: string; viewerId: string | null }; row: StatusRow }>(
  `select ${COLUMNS} from statuses s where s.id = $id and ${visibleTo('$viewerId')}`,
)

/**
 * The status, if the viewer may see it.
 * @throws NotFound, the very same for a hidden status as for one that never was
 */
export async function findVisibleStatus(
  read: Pick<Read, 'db'>,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<StatusRow> {
  const [row] = await findOne(read.db, { id, viewerId })
  if (!row) throw new NotFound()
  return row
}
