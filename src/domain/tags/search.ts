import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { startOfHistory } from './days.ts'

/** Of tags that begin so, this many of the most used are ranked by their use at this moment. */
const RANKED = 200

/** By how many a tag is used is counted so far; above, what the last hour's tally says is right enough. */
const COUNTED = 100

/** The latest of the viewer's own statuses, whose tags they find although nobody else does. */
const OWN_STATUSES = 200

/** Nothing that begins with a text comes after the text with this behind it. */
const LAST_CHARACTER = '\u{10ffff}'

// $prefix the beginning, $prefixEnd its bound, $limit limit, $offset offset, $viewerId viewer, $since since when uses count, $reviewedOnly only what was reviewed.
const BEGINS = `t.name ~>=~ $prefix and t.name ~<~ $prefixEnd and t.listable and (not $reviewedOnly::boolean or t.reviewed_at is not null)`
const select = (from: string, condition: string, rest = '') =>
  `(select t.id, t.name, coalesce(t.recent_users, 0) as tallied from ${from} where ${BEGINS} and ${condition} ${rest})`

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
       select id from statuses where account_id = $viewerId and deleted_at is null order by id desc limit ${OWN_STATUSES}
     ) latest on latest.id = st.status_id
   ), found as (
     ${[
       select('tags t', 't.name = $prefix and t.recent_users is not null'),
       select(
         'tags t',
         't.recent_users > 0',
         `order by t.recent_users desc, t.name limit greatest(${RANKED}, $limit::int + $offset::int)`,
       ),
       select('tags t', 't.recent_users = 0', `order by t.name using ~<~ limit $limit::int + $offset::int`),
       select('own join tags t on t.id = own.tag_id', 'true'),
     ].join(' union ')}
   )
   select f.id from found f cross join lateral (
     select count(distinct u.account_id) as users, coalesce(sum(u.uses), 0) as uses
     from (select account_id, uses from tag_uses
       where tag_id = f.id and day >= ($since::timestamptz at time zone 'UTC')::date and f.tallied < ${COUNTED}
       limit ${COUNTED}) u) used
   order by f.name = $prefix desc, greatest(f.tallied, used.users) desc, used.uses desc, length(f.name), f.name
   limit $limit::int offset $offset::int`,
)

/**
 * Hashtags whose names begin so, as ids: the one that is called so first, then by how many used them in public in the
 * last seven days. What was never used where everybody sees it is found only by those who use, follow or feature it.
 * `reviewedOnly`: only what the staff looked at.
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
  const name = normalizeTag(query.trim().replace(/^[#＃]/, ''))
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
