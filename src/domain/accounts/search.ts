import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { foreignDomain } from './lookup.ts'
import { usableAccount } from './usable.ts'

/** Words of a query that count; those after them say nothing new. */
const MAX_WORDS = 4
const MAX_QUERY_CHARACTERS = 200

/** Of more matches than this, those beyond are not looked at: nobody reads so far, and ranking them would take long. */
const MAX_CANDIDATES = 2_000

/** Shorter words are searched at the beginnings of words only, since the index holds three characters at a time. */
const MIN_INNER_CHARACTERS = 3

/** Nothing that begins with a text comes after the text with this behind it. */
const LAST_CHARACTER = '\u{10ffff}'

const TEXT = `lower(a.username || ' ' || a.display_name || ' ' || coalesce(a.domain, ''))`

const statements = new Map<string, Statement<{ id: string }>>()

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
  const typed = query.slice(0, MAX_QUERY_CHARACTERS).trim().replace(/^@/, '').toLowerCase()
  const handle = parseHandle(typed)
  const domain = foreignDomain(read, handle?.domain ?? null)
  const words = (handle ? [handle.username, domain] : typed.split(/[\s@]+/)).filter(Boolean).slice(0, MAX_WORDS)
  const [first] = words
  if (first === undefined || limit === 0) return []
  const rows = await statementFor(words, following)(read.db, [
    viewerId,
    limit,
    offset,
    handle?.username ?? '',
    domain,
    first,
    first + LAST_CHARACTER,
    ...words.flatMap(patternsOf),
  ])
  return rows.map((row) => row.id)
}

// $1 viewer, $2 limit, $3 offset, $4 and $5 the handle, $6 and $7 the bounds of handles that begin with the first word,
// from $8 on the patterns of the words. Bounds rather than a pattern, because a plan that is kept for all patterns can't
// enter the index by one.
function statementFor(words: readonly string[], following: boolean): Statement<{ id: string }> {
  const shape = `${words.map((word) => patternsOf(word).length).join()} ${following}`
  let found = statements.get(shape)
  if (!found) statements.set(shape, (found = build(words, following)))
  return found
}

function build(words: readonly string[], following: boolean): Statement<{ id: string }> {
  let parameter = 7
  const clauses = words.map((word) => {
    const matches = patternsOf(word).map(() => `${TEXT} like $${(parameter += 1)}`)
    return `(${matches.join(' or ')})`
  })
  const all = clauses.join(' and ')
  const found = following
    ? candidates(FOLLOWED, all)
    : [
        candidates('accounts', `lower(a.username) = $4 and coalesce(a.domain, '') = $5`),
        candidates(BEGINNING, clauses.slice(1).join(' and ') || 'true'),
        candidates('accounts', all),
      ].join(' union ')
  return statement<{ id: string }>(
    `with found as (${found})
     select found.id from found join account_stats st on st.account_id = found.id
     order by lower(found.username) = $4 and coalesce(found.domain, '') = $5 desc,
       lower(found.username) = $4 desc, (${begins('found')}) desc,
       exists (select from follows f where f.account_id = $1 and f.target_account_id = found.id) desc,
       st.followers_count desc, found.id
     limit $2 offset $3`,
  )
}

const begins = (alias: string) => `lower(${alias}.username) ~>=~ $6 and lower(${alias}.username) ~<~ $7`

// `offset 0` keeps the planner from entering by the words, of which a common one may be in every row there is.
const BEGINNING = `(select * from accounts one where ${begins('one')} offset 0)`
const FOLLOWED = `(
  select one.* from (
    select $1::bigint as id union all select f.target_account_id from follows f where f.account_id = $1
  ) known, lateral (select * from accounts one where one.id = known.id offset 0) one)`

function candidates(source: string, condition: string): string {
  return `(select a.id, a.username, a.domain from ${source} a left join users u on u.account_id = a.id
    where ${condition} and a.moved_to_account_id is null and ${usableAccount()} limit ${MAX_CANDIDATES})`
}

function patternsOf(word: string): string[] {
  const text = escape(word)
  return Array.from(word).length >= MIN_INNER_CHARACTERS ? [`%${text}%`] : [`${text}%`, `% ${text}%`]
}

/** In a pattern these three characters would stand for others. */
function escape(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
