import { normalizeHashtagPrefix } from '../../lib/text/entities/normalize-hashtag.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

/** The number of most used hashtags with the prefix that are ranked by their current use. */
const MAX_RANKED = 200

/**
 * The current users of a hashtag are counted up to this number; above, the hourly `recent_users` is accurate enough.
 */
const MAX_COUNTED_USERS = 100

/** The number of the viewer's latest statuses whose hashtags the viewer can find even if nobody else can. */
const MAX_OWN_STATUSES = 200

/** The prefix with this character appended is the upper bound of all names with the prefix. */
const LAST_CHARACTER = '\u{10ffff}'

const HAS_PREFIX = `t.name ~>=~ $prefix and t.name ~<~ $prefixEnd and t.listable and (not $reviewedOnly::boolean or t.reviewed_at is not null)`
const select = (from: string, condition: string, rest = '') =>
  `(select t.id, t.name, coalesce(t.recent_users, 0) as tallied from ${from} where ${HAS_PREFIX} and ${condition} ${rest})`

const find = statement<{
  params: {
    prefix: string
    prefixEnd: string
    limit: number
    offset: number
    viewerId: string | null
    since: Date
    reviewedOnly: boolean
  }
  row: { id: string }
}>(
  `with own as materialized (
     select tag_id from tag_follows where account_id = $viewerId
     union select tag_id from featured_tags where account_id = $viewerId
     union select st.tag_id from status_tags st join (
       select id from statuses where account_id = $viewerId and deleted_at is null order by id desc limit ${MAX_OWN_STATUSES}
     ) latest on latest.id = st.status_id
   ), found as (
     ${[
       select('tags t', 't.name = $prefix and t.recent_users is not null'),
       select(
         'tags t',
         't.recent_users > 0',
         `order by t.recent_users desc, t.name limit greatest(${MAX_RANKED}, $limit::int + $offset::int)`,
       ),
       select('tags t', 't.recent_users = 0', `order by t.name using ~<~ limit $limit::int + $offset::int`),
       select('own join tags t on t.id = own.tag_id', 'true'),
     ].join(' union ')}
   )
   select f.id from found f cross join lateral (
     select count(distinct u.account_id) as users, coalesce(sum(u.uses), 0) as uses
     from (select account_id, uses from tag_uses
       where tag_id = f.id and day >= ($since::timestamptz at time zone 'UTC')::date and f.tallied < ${MAX_COUNTED_USERS}
       limit ${MAX_COUNTED_USERS}) u) used
   order by f.name = $prefix desc, greatest(f.tallied, used.users) desc, used.uses desc, length(f.name), f.name
   limit $limit::int offset $offset::int`,
)

/**
 * Returns the ids of the hashtags with the prefix: the exact match first, then by the number of accounts that used them
 * publicly in the last seven days. Hashtags that were never used publicly are found only by users who use, follow or
 * feature them. `reviewedOnly`: only hashtags that moderators have reviewed.
 */
export async function searchTags(
  read: Pick<Read, 'db'>,
  {
    query,
    viewerId,
    now,
    reviewedOnly = false,
    limit,
    offset = 0,
  }: { query: string; viewerId: string; now: Date; reviewedOnly?: boolean; limit: number; offset?: number },
): Promise<string[]> {
  const name = normalizeHashtagPrefix(query.trim().replace(/^[#＃]/, ''))
  if (name === null || limit === 0) return []
  const rows = await find(read.db, {
    prefix: name,
    prefixEnd: name + LAST_CHARACTER,
    limit,
    offset,
    viewerId,
    since: startOfHistory(now),
    reviewedOnly,
  })
  return rows.map((row) => row.id)
}
