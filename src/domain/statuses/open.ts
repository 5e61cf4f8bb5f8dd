import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { visibleTo } from './visibility.ts'

/** Whether a status may be shown to the whole world, as SQL over its alias: stricter than to somebody unknown. */
function isOpen(s: string): string {
  return `(${s}.visibility in ('public', 'unlisted') and not ${s}.local_only and ${visibleTo('null', s)} and exists (
    select from accounts author left join users u on u.account_id = author.id
    where author.id = ${s}.account_id and ${usableAccount('author', 'u')}))`
}

const findOpen = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select s.id from unnest($ids::bigint[]) with ordinality as wanted (id, place) join statuses s on s.id = wanted.id
   where ${isOpen('s')} and (s.reblog_of_id is null or exists (
     select from statuses boosted where boosted.id = s.reblog_of_id and ${isOpen('boosted')}))
   order by wanted.place`,
)

/**
 * Of these ids, in their order, those that the whole world may read: public and unlisted ones of people who may show
 * themselves; of boosts, where that is also true of what they boost. Whatever a page or a feed shows goes through here.
 */
export async function keepOpen(read: Read, { ids }: { ids: readonly string[] }): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await findOpen(read.db, { ids })
  return rows.map((row) => row.id)
}

const findGrave = statement<{ params: { uri: string; owner: string } }>(
  `select from tombstones where uri = $uri and owner_uri = $owner`,
)

/** Whether somebody of here deleted what everybody could see. */
export async function wasOpen(
  read: Read,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  if (!isId(statusId)) return false
  const owner = `${read.config.origin}/ap/users/${accountId}`
  return (await findGrave(read.db, { uri: `${owner}/statuses/${statusId}`, owner })).length > 0
}
