import { ServiceUnavailableError } from '../../lib/errors.ts'
import { compareIds, firstStatusIdAt } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { isNotBlockedOrMutedBy } from '../access/feed-visibility.ts'
import { originalVisibleTo } from '../access/visibility.ts'
import { compileQuery } from './compile-query.ts'
import type { CompiledQuery } from './compile-query.ts'
import { quoteLexeme, marker } from './lexemes.ts'
import { parseQuery } from './parse-query.ts'
import { timeSlicesBetween } from './time-slices.ts'

/** How many of the newest matching statuses are examined of those that all users may search. */
const MAX_PUBLIC = 4_000

/** The same for all other statuses, which only users find who interacted with them. */
const MAX_NON_PUBLIC = 2_000

/** How many of the newest statuses in the viewer's library are examined, whatever the query. */
const MAX_LIBRARY = 2_000

const TIMEOUT_MS = 3_000
const QUERY_CANCELED = '57014'

/** The id of a remote status may belong to a slightly later time than its publication. */
const ID_SLACK_MS = 3_600_000

const MAX_ID = '9223372036854775807'

// The parameters are described at `SearchParameters`.
const PUBLIC_WORDS = '($required::text[])[1]'
const NON_PUBLIC_WORDS = '($required::text[])[2]'
const LIBRARY_WORDS = '($required::text[])[3]'

const IN_TIME = `s.created_at >= $startsAt::timestamptz and s.created_at < $endsAt::timestamptz
  and not exists (select from unnest($excludedStarts::timestamptz[], $excludedEnds::timestamptz[]) excluded (start, stop)
    where s.created_at >= excluded.start and s.created_at < excluded.stop)`

// Only followers find the statuses of a limited account.
const NOT_LIMITED = `(s.account_id = $viewerId or not exists (
    select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null offset 0)
  or exists (select from follows f where f.account_id = $viewerId and f.target_account_id = s.account_id offset 0))`

const IS_VISIBLE = `${IN_TIME} and ${NOT_LIMITED} and ${isNotBlockedOrMutedBy('$viewerId')} and ${originalVisibleTo('$viewerId', 's')}`

// The marker in the index may be outdated, so this checks the author again.
const IS_SEARCHABLE = `s.visibility = 'public' and exists (
  select from accounts author where author.id = s.account_id and author.indexable offset 0)`

const IN_LIBRARY = `(s.account_id = $viewerId
  or exists (select from mentions m where m.status_id = s.id and m.account_id = $viewerId offset 0)
  or exists (select from favourites f where f.status_id = s.id and f.account_id = $viewerId offset 0)
  or exists (select from bookmarks b where b.status_id = s.id and b.account_id = $viewerId offset 0)
  or exists (select from statuses b
    where b.reblog_of_id = s.id and b.account_id = $viewerId and b.deleted_at is null offset 0)
  or exists (select from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = s.id and v.account_id = $viewerId offset 0))`

const STATUS_OF = (id: string) => `cross join lateral (select * from statuses where id = ${id} offset 0) s`
const MATCHES = (lexemes: string) => `($conditions::tsquery is null or ${lexemes} @@ $conditions::tsquery)`

/**
 * Returns the SQL of a query for the newest statuses with the words. It reads the index one time slice after another
 * until there are enough statuses. `offset 0` keeps the planner from reordering the steps, so that it reads no more
 * than necessary even if it estimates the frequency of the words wrongly.
 */
const wordSource = (
  words: string,
  { condition, max, gate = 'true' }: { condition: string; max: number; gate?: string },
) => `(
  select s.id from (
      select w.status_id, w.lexemes from unnest($slices::text[]) slice cross join lateral (
        select status_id, lexemes from (
            select status_id, lexemes from status_search_entries
            where lexemes @@ slice::tsquery and lexemes @@ ${words}::tsquery offset 0) matching
        where status_id between $lowestId and $highestId order by status_id desc limit ${max}) w
      limit ${max}) found
    ${STATUS_OF('found.status_id')}
  where ${gate} and ${MATCHES('found.lexemes')} and ${condition} and ${IS_VISIBLE} limit $limit::int + $offset::int)`

const newestOf = (from: string, id: string) =>
  `(select ${id} as id from ${from} and ${id} between $lowestId and $highestId order by ${id} desc limit ${MAX_LIBRARY})`

/** The newest statuses in the viewer's library. */
const LIBRARY = `library as materialized (
  select id from (${[
    // Includes reblogs, which have no index entry; excluding them here would require reading every row.
    newestOf('statuses w where w.account_id = $viewerId and w.deleted_at is null', 'w.id'),
    newestOf('mentions m where m.account_id = $viewerId', 'm.status_id'),
    newestOf('favourites f where f.account_id = $viewerId', 'f.status_id'),
    newestOf('bookmarks b where b.account_id = $viewerId', 'b.status_id'),
    newestOf(
      'statuses b where b.account_id = $viewerId and b.reblog_of_id is not null and b.deleted_at is null',
      'b.reblog_of_id',
    ),
    newestOf(
      `(select poll_id from poll_votes where account_id = $viewerId order by poll_id desc limit ${MAX_LIBRARY}) v
             cross join lateral (select status_id from polls where id = v.poll_id offset 0) p where true`,
      'p.status_id',
    ),
  ].join(' union ')}) newest order by id desc limit ${MAX_LIBRARY})`

// Evaluated once. If it is false, these are all statuses of the library.
const IS_LIBRARY_LARGE = `((select count(*) from library) = ${MAX_LIBRARY}
  or exists (select from poll_votes where account_id = $viewerId offset ${MAX_LIBRARY} - 1))`

/** The SQL of a query for the matching statuses among the newest in the viewer's library. */
const librarySource = `(
  select s.id from library found
    cross join lateral (
      select status_id from status_search_entries where status_id = found.id and ${MATCHES('lexemes')}
        and (${LIBRARY_WORDS}::tsquery is null or lexemes @@ ${LIBRARY_WORDS}::tsquery) offset 0) w
    ${STATUS_OF('w.status_id')}
  where ${IS_VISIBLE} limit $limit::int + $offset::int)`

interface SearchParameters {
  viewerId: string
  /** The markers of the time slices to read, newest first. */
  slices: readonly string[]
  /** The required lexemes of an open status, of another status, and of a status in the library (null: any). */
  required: readonly (string | null)[]
  /** Further conditions on the lexemes; null for none. */
  conditions: string | null
  lowestId: string
  highestId: string
  limit: number
  offset: number
  /** The time range of the publication, and the excluded time ranges. The ends are exclusive. */
  startsAt: Date | string
  endsAt: Date | string
  excludedStarts: readonly (Date | string)[]
  excludedEnds: readonly (Date | string)[]
}

const select = (sources: readonly string[]) =>
  statement<{ params: SearchParameters; row: { id: string } }>(
    `${sources.includes(librarySource) ? `with ${LIBRARY}` : ''}
     select id from (${sources.join(' union ')}) found order by id desc limit $limit::int offset $offset::int`,
  )

const publicSource = wordSource(PUBLIC_WORDS, { condition: IS_SEARCHABLE, max: MAX_PUBLIC })
/** The older statuses of a large library. */
const olderSource = (words: string) =>
  wordSource(words, { condition: IN_LIBRARY, max: MAX_NON_PUBLIC, gate: IS_LIBRARY_LARGE })
const searches: Record<CompiledQuery['scope'], ReturnType<typeof select>> = {
  all: select([publicSource, olderSource(NON_PUBLIC_WORDS), librarySource]),
  public: select([publicSource]),
  library: select([olderSource(PUBLIC_WORDS), olderSource(NON_PUBLIC_WORDS), librarySource]),
}

interface Bounds {
  lowest: string | null
  highest: string | null
}

const findBounds = statement<{ row: Bounds }>(
  `select (select min(status_id) from status_search_entries) as lowest, (select max(status_id) from status_search_entries) as highest`,
)
const limitStatement = statement(
  // While the table is empty, the planner may choose a sequential scan, and would use it when the table has grown.
  `select set_config('statement_timeout', '${TIMEOUT_MS}', true), set_config('enable_seqscan', 'off', true)`,
)

export interface StatusSearch {
  viewerId: string
  query: string
  /** Return only statuses of this account. */
  accountId?: string | undefined
  minId?: string | undefined
  maxId?: string | undefined
  limit: number
  offset?: number
}

/**
 * Returns the ids of the statuses that match a query, newest first. Searches public statuses of indexable authors and
 * the viewer's library: statuses that the viewer wrote, favourited, reblogged, bookmarked, voted in or is mentioned in.
 * Excludes statuses that the viewer may not see, and those of accounts that the viewer blocks or mutes. If very many
 * statuses match, examines only the newest thousands.
 * @throws UnprocessableError for an invalid date; ServiceUnavailableError if the search exceeds the time limit
 */
export async function searchStatuses(ctx: Ctx, search: StatusSearch): Promise<string[]> {
  const { viewerId, limit } = search
  const clauses = parseQuery(search.query)
  const compiled = clauses.length === 0 ? null : await compileQuery(ctx, { clauses, viewerId })
  if (!compiled || limit === 0) return []
  try {
    return await ctx.db.transaction(async (db) => {
      await limitStatement(db)
      const parameters = parametersOf({ compiled, search, bounds: (await findBounds(db))[0]! })
      const rows = parameters ? await searches[compiled.scope](db, parameters) : []
      return rows.map((row) => row.id)
    })
  } catch (err) {
    if ((err as { code?: unknown }).code !== QUERY_CANCELED) throw err
    throw new ServiceUnavailableError('The search takes too long; use more specific words')
  }
}

/** Returns the parameters of the statement; null if no status can match. */
function parametersOf({
  compiled: { required, conditions, includedRanges, excludedRanges },
  search: { viewerId, accountId, minId, maxId, limit, offset = 0 },
  bounds,
}: {
  compiled: CompiledQuery
  search: StatusSearch
  bounds: Bounds
}): SearchParameters | null {
  if (bounds.lowest === null || bounds.highest === null) return null
  const [start] = includedRanges.flatMap(({ from }) => from ?? []).toSorted((a, b) => b.getTime() - a.getTime())
  const [end] = includedRanges.flatMap(({ until }) => until ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  const lows = [bounds.lowest, boundId(start, -ID_SLACK_MS), after(minId)].flatMap((id) => id ?? [])
  const highs = [bounds.highest, boundId(end, ID_SLACK_MS), before(maxId)].flatMap((id) => id ?? [])
  const [low, high] = [lows.toSorted(compareIds).at(-1)!, highs.toSorted(compareIds)[0]!]
  if (compareIds(low, high) > 0) return null
  const allRequired = accountId === undefined ? required : [...required, quoteLexeme(marker.author(accountId))]
  const anyMarker = allRequired.length > 0 ? allRequired.join('&') : null
  return {
    viewerId,
    slices: timeSlicesBetween(low, high).map(quoteLexeme),
    required: [
      [...allRequired, quoteLexeme(marker.open)].join('&'),
      [...allRequired, quoteLexeme(marker.other)].join('&'),
      anyMarker,
    ],
    conditions: conditions.length > 0 ? conditions.join('&') : null,
    lowestId: low,
    highestId: high,
    limit,
    offset,
    startsAt: start ?? '-infinity',
    endsAt: end ?? 'infinity',
    excludedStarts: excludedRanges.map(({ from }) => from ?? '-infinity'),
    excludedEnds: excludedRanges.map(({ until }) => until ?? 'infinity'),
  }
}

function boundId(moment: Date | undefined, slackMs: number): string | null {
  if (moment === undefined) return null
  const id = firstStatusIdAt(new Date(Math.max(0, moment.getTime() + slackMs)))
  return compareIds(id, MAX_ID) > 0 ? MAX_ID : id
}

const after = (id: string | undefined) => (id === undefined || id === MAX_ID ? id : (BigInt(id) + 1n).toString())
const before = (id: string | undefined) => (id === undefined ? id : (BigInt(id) - 1n).toString())
