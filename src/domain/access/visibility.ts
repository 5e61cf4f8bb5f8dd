import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from './user-domain-blocks.ts'

/**
 * An anonymous viewer that is known when the SQL is built: the same rule as a shorter condition, which plans faster.
 */
export const ANONYMOUS = 'null'

/**
 * Returns the one SQL condition that decides whether a status is visible to a viewer, over the alias `s` of `statuses`.
 * `viewer` is the parameter with the viewer's account id, which is null for an anonymous visitor, or `ANONYMOUS`. Every
 * query that returns statuses to a user contains it. Conditions of a certain list (mutes, filters) are separate.
 *
 * A reblog is visible to those who may see both the reblog and the reblogged status. `author`: the author of all of the
 * statuses, as SQL that is the same for each row, so that conditions on the author are evaluated once.
 */
export function visibleTo(viewer: string, s = 's', author?: string): string {
  return `(${originalVisibleTo(viewer, s, author)} and (${s}.reblog_of_id is null or exists (
    select from statuses original where original.id = ${s}.reblog_of_id and ${originalVisibleTo(viewer, 'original')})))`
}

/** Returns the same condition for statuses that are never reblogs, such as quoted ones; it plans faster. */
export function originalVisibleTo(viewer: string, s: string, author?: string): string {
  const authorId = author ?? `${s}.account_id`
  // With `offset 0` the planner does not turn a subquery into a join, which would evaluate it for each row.
  const once = author === undefined ? '' : 'offset 0'
  const isSuspended = `exists (select from accounts author where author.id = ${authorId} and author.suspended_at is not null ${once})`
  if (viewer === ANONYMOUS) {
    return `(${s}.deleted_at is null and not ${s}.local_only and ${s}.visibility in ('public', 'unlisted')
      and not ${isSuspended})`
  }
  return `(${s}.deleted_at is null and not ${isSuspended}
    and (${authorId} = ${viewer}::bigint or (
      not exists (select from blocks b where b.account_id = ${authorId} and b.target_account_id = ${viewer}::bigint ${once})
      -- local viewers have no domain, which is evaluated once
      and not (exists (select from accounts reader where reader.id = ${viewer}::bigint and reader.domain is not null offset 0)
        and ${blocksDomainOfId(authorId, `${viewer}::bigint`)})
      and (not ${s}.local_only or ${viewer}::bigint is not null)
      and (${s}.visibility in ('public', 'unlisted')
        or (${s}.visibility = 'private' and exists (
          select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = ${authorId} ${once}))
        -- offset 0 keeps the planner from reading all mentions of the viewer
        or exists (
          select from mentions m where m.status_id = ${s}.id and m.account_id = ${viewer}::bigint offset 0)))))`
}

/** The columns of a status that operations check before they change it. */
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

/** A status that someone names, perhaps by the id of a reblog. */
export interface NamedStatus {
  id: string
  /** null for an anonymous visitor. */
  viewerId: string | null
}

// Sorted, so that two transactions that also delete statuses cannot deadlock.
const lockOriginals = statement<{
  params: { ids: readonly string[]; viewerIds: readonly (string | null)[] }
  row: StatusRow & { place: string }
}>(
  `select ${COLUMNS}, requested.place
   from unnest($ids::bigint[], $viewerIds::bigint[]) with ordinality requested (id, viewer_id, place)
     join statuses named on named.id = requested.id join statuses s on s.id = coalesce(named.reblog_of_id, named.id)
   where (named.reblog_of_id is null or ${originalVisibleTo('requested.viewer_id', 'named')})
     and ${originalVisibleTo('requested.viewer_id', 's')}
   order by s.id for key share of s`,
)

/**
 * Returns the statuses in the order in which they are named, null for those that are not visible to the viewer; for
 * reblogs, the originals. They cannot be deleted until the transaction ends.
 */
export async function lockVisibleOriginals(
  tx: Pick<Read, 'db'>,
  named: readonly NamedStatus[],
): Promise<(StatusRow | null)[]> {
  if (named.length === 0) return []
  const rows = await lockOriginals(tx.db, {
    ids: named.map(({ id }) => id),
    viewerIds: named.map(({ viewerId }) => viewerId),
  })
  const found = new Map(rows.map(({ place, ...row }) => [Number(place), row]))
  return named.map((_, n) => found.get(n + 1) ?? null)
}

/**
 * Returns a status that is visible to the viewer; for a reblog, the original. It cannot be deleted or hidden until the
 * transaction ends, so what refers to it is deleted with it.
 * @throws NotFoundError as `findVisibleStatus`
 */
export async function lockVisibleOriginal(tx: Pick<Read, 'db'>, named: NamedStatus): Promise<StatusRow> {
  const [row] = await lockVisibleOriginals(tx, [named])
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Returns a status that is visible to the viewer.
 * @throws NotFoundError, the same for a hidden status as for an unknown one
 */
export async function findVisibleStatus(
  read: Pick<Read, 'db'>,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<StatusRow> {
  const [row] = await findOne(read.db, { id, viewerId })
  if (!row) throw new NotFoundError()
  return row
}
