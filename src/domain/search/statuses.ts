import { Unavailable } from '../../lib/errors.ts'
import { compareIds, statusIdAt } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notSilencedBy } from '../feeds/shown.ts'
import { originalVisibleTo } from '../statuses/visibility.ts'
import { compileQuery } from './compile-query.ts'
import type { CompiledQuery } from './compile-query.ts'
import { quoteLexeme, sign } from './lexemes.ts'
import { readQuery } from './read-query.ts'
import { slicesBetween } from './time-slices.ts'

/** Of the statuses that everybody may search and that have what is looked for, so many of the newest are judged. */
const MAX_OPEN = 4_000

/** The same of all others, which are found only by those who have to do with them. */
const MAX_OTHER = 2_000

/** Of what somebody has to do with, so many of the newest are looked at, whatever is looked for. */
const MAX_LIBRARY = 2_000

const TIMEOUT_MS = 3_000
const CANCELLED = '57014'

/** The id of what somebody elsewhere wrote may be that of a moment somewhat later. */
const ID_SLACK_MS = 3_600_000

const MAX_ID = '9223372036854775807'

// $viewerId viewer, $slices stretches of time, newest first, $required what a status has to have: to be found as an open one, as another, and
// in the library (null: anything), $further what else its words must be (null: anything), $lowestId and $highestId the lowest and the highest
// id, $limit limit, $offset offset, $startsAt and $endsAt the first moment and the end of its time, $otherStarts and $otherEnds those of other times.
const AS_OPEN = '($required::text[])[1]'
const AS_OTHER = '($required::text[])[2]'
const IN_ANY_WAY = '($required::text[])[3]'

const IN_TIME = `s.created_at >= $startsAt::timestamptz and s.created_at < $endsAt::timestamptz
  and not exists (select from unnest($otherStarts::timestamptz[], $otherEnds::timestamptz[]) other (start, stop)
    where s.created_at >= other.start and s.created_at < other.stop)`

// Somebody limited is found only by those who follow them.
const NOT_LIMITED = `(s.account_id = $viewerId or not exists (
    select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null offset 0)
  or exists (select from follows f where f.account_id = $viewerId and f.target_account_id = s.account_id offset 0))`

const MAY_BE_SHOWN = `${IN_TIME} and ${NOT_LIMITED} and ${notSilencedBy('$viewerId')} and ${originalVisibleTo('$viewerId', 's')}`

// What the index says of an author may be outdated.
const IS_OPEN = `s.visibility = 'public' and exists (
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
const FITS = (words: string) => `($further::tsquery is null or ${words} @@ $further::tsquery)`

/**
 * The newest with the words. Stretch by stretch the index gives those in it, until there are enough: `offset 0` keeps
 * each step as it is written, so that nothing is read which is not asked for, whatever is guessed of the words.
 */
const byWords = (has: string, { reach, most }: { reach: string; most: number }) => `(
  select s.id from (
      select w.status_id, w.words from unnest($slices::text[]) slice cross join lateral (
        select status_id, words from (
            select status_id, words from status_words
            where words @@ slice::tsquery and words @@ ${has}::tsquery offset 0) inside
        where status_id between $lowestId and $highestId order by status_id desc limit ${most}) w
      limit ${most}) found
    ${STATUS_OF('found.status_id')}
  where ${FITS('found.words')} and ${reach} and ${MAY_BE_SHOWN} limit $limit::int + $offset::int)`

const newestOf = (from: string, id: string) =>
  `(select ${id} as id from ${from} and ${id} between $lowestId and $highestId order by ${id} desc limit ${MAX_LIBRARY})`

/** The newest that somebody has to do with, whether or not they have the words. */
const inLibrary = `(
  select s.id from (
      select id from (${[
        // Boosts among them have no words; asking which they are would mean to read every row.
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
      ].join(' union ')}) kept order by id desc limit ${MAX_LIBRARY}) found
    cross join lateral (
      select status_id from status_words where status_id = found.id and ${FITS('words')}
        and (${IN_ANY_WAY}::tsquery is null or words @@ ${IN_ANY_WAY}::tsquery) offset 0) w
    ${STATUS_OF('w.status_id')}
  where ${MAY_BE_SHOWN} limit $limit::int + $offset::int)`

interface SearchParameters {
  viewerId: string
  slices: readonly string[]
  required: readonly (string | null)[]
  further: string | null
  lowestId: string
  highestId: string
  limit: number
  offset: number
  startsAt: Date | string
  endsAt: Date | string
  otherStarts: readonly (Date | string)[]
  otherEnds: readonly (Date | string)[]
}

const select = (sources: readonly string[]) =>
  statement<{ params: SearchParameters; row: { id: string } }>(
    `select id from (${sources.join(' union ')}) found order by id desc limit $limit::int offset $offset::int`,
  )

const open = byWords(AS_OPEN, { reach: IS_OPEN, most: MAX_OPEN })
const others = byWords(AS_OTHER, { reach: IN_LIBRARY, most: MAX_OTHER })
const searches: Record<CompiledQuery['reach'], ReturnType<typeof select>> = {
  all: select([open, others, inLibrary]),
  public: select([open]),
  library: select([byWords(AS_OPEN, { reach: IN_LIBRARY, most: MAX_OTHER }), others, inLibrary]),
}

interface Bounds {
  lowest: string | null
  highest: string | null
}

const findBounds = statement<{ row: Bounds }>(
  `select (select min(status_id) from status_words) as lowest, (select max(status_id) from status_words) as highest`,
)
const restrain = statement(
  // The planner thinks of an empty table in the beginning, and would read it whole later on.
  `select set_config('statement_timeout', '${TIMEOUT_MS}', true), set_config('enable_seqscan', 'off', true)`,
)

export interface StatusSearch {
  viewerId: string
  query: string
  /** Only statuses of this account. */
  accountId?: string | undefined
  minId?: string | undefined
  maxId?: string | undefined
  limit: number
  offset?: number
}

/**
 * Statuses that have what a query asks for, as ids, newest first: of those that everybody may search, and of those that
 * the viewer wrote, favourited, boosted, bookmarked, voted in or is mentioned in; never one that they may not see, nor of
 * somebody whom they mute or block. Of what is in many statuses the newest thousands are judged.
 * @throws Unprocessable for what should be a day and is none · Unavailable when it takes too long
 */
export async function searchStatuses(ctx: Ctx, search: StatusSearch): Promise<string[]> {
  const { viewerId, limit } = search
  const clauses = readQuery(search.query)
  const compiled = clauses.length === 0 ? null : await compileQuery(ctx, { clauses, viewerId })
  if (!compiled || limit === 0) return []
  try {
    return await ctx.db.transaction(async (db) => {
      await restrain(db)
      const parameters = parametersOf({ compiled, search, bounds: (await findBounds(db))[0]! })
      const rows = parameters ? await searches[compiled.reach](db, parameters) : []
      return rows.map((row) => row.id)
    })
  } catch (err) {
    if ((err as { code?: unknown }).code !== CANCELLED) throw err
    throw new Unavailable('The search takes too long; say more of what you are looking for')
  }
}

/** Returns the parameters of the statement; null: no status can be found. */
function parametersOf({
  compiled: { required, further, within, outside },
  search: { viewerId, accountId, minId, maxId, limit, offset = 0 },
  bounds,
}: {
  compiled: CompiledQuery
  search: StatusSearch
  bounds: Bounds
}): SearchParameters | null {
  if (bounds.lowest === null || bounds.highest === null) return null
  const [start] = within.flatMap(({ from }) => from ?? []).toSorted((a, b) => b.getTime() - a.getTime())
  const [end] = within.flatMap(({ until }) => until ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  const lows = [bounds.lowest, idAround(start, -ID_SLACK_MS), after(minId)].flatMap((id) => id ?? [])
  const highs = [bounds.highest, idAround(end, ID_SLACK_MS), before(maxId)].flatMap((id) => id ?? [])
  const [low, high] = [lows.toSorted(compareIds).at(-1)!, highs.toSorted(compareIds)[0]!]
  if (compareIds(low, high) > 0) return null
  const all = accountId === undefined ? required : [...required, quoteLexeme(sign.author(accountId))]
  const inAnyWay = all.length > 0 ? all.join('&') : null
  return {
    viewerId,
    slices: slicesBetween(low, high).map(quoteLexeme),
    required: [[...all, quoteLexeme(sign.open)].join('&'), [...all, quoteLexeme(sign.other)].join('&'), inAnyWay],
    further: further.length > 0 ? further.join('&') : null,
    lowestId: low,
    highestId: high,
    limit,
    offset,
    startsAt: start ?? '-infinity',
    endsAt: end ?? 'infinity',
    otherStarts: outside.map(({ from }) => from ?? '-infinity'),
    otherEnds: outside.map(({ until }) => until ?? 'infinity'),
  }
}

function idAround(moment: Date | undefined, slackMs: number): string | null {
  if (moment === undefined) return null
  const id = statusIdAt(new Date(Math.max(0, moment.getTime() + slackMs)))
  return compareIds(id, MAX_ID) > 0 ? MAX_ID : id
}

const after = (id: string | undefined) => (id === undefined || id === MAX_ID ? id : (BigInt(id) + 1n).toString())
const before = (id: string | undefined) => (id === undefined ? id : (BigInt(id) - 1n).toString())
