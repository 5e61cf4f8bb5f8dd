import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from './usable-account.ts'
import type { Read } from '../context.ts'
import { visibleTo } from './visibility.ts'

/**
 * Returns an SQL condition: whether a status may be shown on public pages and feeds. Stricter than for anonymous API
 * clients.
 */
function isPubliclyVisible(s: string): string {
  return `(${s}.visibility in ('public', 'unlisted') and not ${s}.local_only and ${visibleTo('null', s)} and exists (
    select from accounts author left join users u on u.account_id = author.id
    where author.id = ${s}.account_id and ${usableAccount('author', 'u')}))`
}

const selectPubliclyVisible = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select s.id from unnest($ids::bigint[]) with ordinality as requested (id, position) join statuses s on s.id = requested.id
   where ${isPubliclyVisible('s')} and (s.reblog_of_id is null or exists (
     select from statuses original where original.id = s.reblog_of_id and ${isPubliclyVisible('original')}))
   order by requested.position`,
)

/**
 * Returns those of the ids that belong to publicly visible statuses, in their order: public and unlisted statuses of
 * usable accounts that are not local-only; of a reblog, both the reblog and the reblogged status. All pages and RSS
 * feeds use it.
 */
export async function filterPubliclyVisible(read: Read, { ids }: { ids: readonly string[] }): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await selectPubliclyVisible(read.db, { ids })
  return rows.map((row) => row.id)
}

const findTombstone = statement<{ params: { uri: string; owner: string } }>(
  `select from tombstones where uri = $uri and owner_uri = $owner`,
)

/** Returns whether a local account deleted a status that was publicly visible. */
export async function wasPubliclyVisible(
  read: Read,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  if (!isId(statusId)) return false
  const owner = `${read.config.origin}/ap/users/${accountId}`
  return (await findTombstone(read.db, { uri: `${owner}/statuses/${statusId}`, owner })).length > 0
}
