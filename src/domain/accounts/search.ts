import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { foreignDomain } from './lookup.ts'
import { usableAccount } from './usable.ts'
import { gramsOf, patternOf } from './words.ts'

/** Words of a query that count; those after them say nothing new. */
const MAX_WORDS = 4
const MAX_QUERY_CHARACTERS = 200

/**
 * Of more matches than this, as a word has that is in every tenth name, not all are ranked: only those among the most
 * followed accounts, among those whom the viewer followed last, and among the handles that begin so.
 */
const MAX_MATCHES = 500
const MOST_FOLLOWED = 2_000
const LATEST_FOLLOWED = 1_000
const MAX_BEGINNINGS = 1_000

/** Where only they are asked for, all whom somebody may follow. */
const MAX_FOLLOWED = 10_000

/** Nothing that begins with a text comes after the text with this behind it. */
const LAST_CHARACTER = '\u{10ffff}'

/** What a word is looked for in. Every word of it has a blank before it; the index `accounts_words` is on this text. */
const TEXT = `' ' || lower(a.username || ' ' || a.display_name || ' ' || coalesce(a.domain, ''))`

// $viewerId viewer, $limit limit, $offset offset, $handleName and $handleDomain the handle, $prefix and $prefixEnd the bounds of handles that begin with the first word,
// $patterns the patterns of the words, $grams the parts that the index has of them. Bounds rather than a pattern, because a plan that
// is kept for all patterns can't enter the index by one. `offset 0` makes the planner take the rows as it is written,
// whatever it thinks of the words.
const BEGINS = `lower(a.username) ~>=~ lower($prefix) and lower(a.username) ~<~ lower($prefixEnd)`
const MATCHES = `${TEXT} like all (array(select lower(pattern) from unnest($patterns::text[]) pattern))`

const candidates = (from: string, condition: string, limit = '') =>
  `(select a.id, a.username, a.domain from ${from} left join users u on u.account_id = a.id
    where ${condition} and a.moved_to_account_id is null and ${usableAccount()} ${limit})`

const matching = candidates(
  `(select * from accounts a
      where search_grams(${TEXT}) @> array(select lower(gram) from unnest($grams::text[]) gram) and ${MATCHES} offset 0) a`,
  'true',
  `limit ${MAX_MATCHES}`,
)
const named = candidates(
  'accounts a',
  `lower(a.username) = lower($handleName) and coalesce(a.domain, '') = $handleDomain`,
)
const beginning = (condition: string) =>
  candidates(
    `(select * from accounts a where ${BEGINS} offset 0) a`,
    `${MATCHES} and ${condition}`,
    `limit ${MAX_BEGINNINGS}`,
  )
const followed = (condition: string, limit: number) =>
  candidates(
    `(select $viewerId::bigint as id union all (
        select f.target_account_id from (select * from follows where account_id = $viewerId offset 0) f
        order by f.id desc limit ${limit})) known,
      lateral (select * from accounts a where a.id = known.id offset 0) a`,
    `${MATCHES} and ${condition}`,
  )
const popular = (condition: string) =>
  candidates(
    `(select st.account_id as id from account_stats st where st.followers_count > 0
        order by st.followers_count desc, st.account_id desc limit ${MOST_FOLLOWED}) top,
      lateral (select * from accounts a where a.id = top.id offset 0) a`,
    `${MATCHES} and ${condition}`,
  )

const ranked = (found: string) =>
  `select a.id from (${found}) a join account_stats st on st.account_id = a.id
   order by lower(a.username) = lower($handleName) and coalesce(a.domain, '') = $handleDomain desc,
     lower(a.username) = lower($handleName) desc, (${BEGINS}) desc,
     exists (select from follows f where f.account_id = $viewerId and f.target_account_id = a.id) desc,
     st.followers_count desc, a.id desc
   limit $limit::int offset $offset::int`

interface SearchParameters {
  viewerId: string
  limit: number
  offset: number
  handleName: string
  handleDomain: string
  prefix: string
  prefixEnd: string
  patterns: readonly string[]
}

// The sources of a common word are not even begun when the index has all there is.
const isCommon = `(select count(*) >= ${MAX_MATCHES} from matching)`
const searchAll = statement<{ params: SearchParameters & { grams: readonly string[] }; row: { id: string } }>(
  `with matching as materialized ${matching}
   ${ranked(['select * from matching', named, beginning(isCommon), followed(isCommon, LATEST_FOLLOWED), popular(isCommon)].join(' union '))}`,
)
const searchFollowed = statement<{ params: SearchParameters; row: { id: string } }>(
  ranked(followed('true', MAX_FOLLOWED)),
)

/**
 * People by their handle or name, as ids: the one whose handle it is first, then handles that begin so, then whoever
 * has all the words in handle, name or domain; among equals those whom the viewer follows, then the most followed.
 * `following`: only those whom the viewer follows, and the viewer. Who is suspended, has moved, or is not confirmed or
 * approved yet is never found.
 */
export async function searchAccounts(
  read: Read,
  {
    query,
    viewerId,
    following = false,
    limit,
    offset = 0,
  }: { query: string; viewerId: string; following?: boolean; limit: number; offset?: number },
): Promise<string[]> {
  const typed = query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed().trim().replace(/^@/, '')
  const handle = parseHandle(typed)
  const domain = foreignDomain(read, handle?.domain ?? null)
  const words = (handle ? [handle.username, domain] : typed.split(/[\s@]+/)).filter(Boolean).slice(0, MAX_WORDS)
  const [first] = words
  if (first === undefined || limit === 0) return []
  const parameters = {
    viewerId,
    limit,
    offset,
    handleName: handle?.username ?? '',
    handleDomain: domain,
    prefix: first,
    prefixEnd: first + LAST_CHARACTER,
    patterns: words.map(patternOf),
  }
  const rows = following
    ? await searchFollowed(read.db, parameters)
    : await searchAll(read.db, { ...parameters, grams: words.flatMap(gramsOf) })
  return rows.map((row) => row.id)
}
