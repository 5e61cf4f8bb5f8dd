import { UnprocessableError } from '../../lib/errors.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { tokenizeForQuery } from '../../lib/text/search-words.ts'
import type { IndexedWord } from '../../lib/text/search-words.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import type { Read } from '../context.ts'
import { quoteLexeme, marker, stemWords } from './lexemes.ts'
import type { Clause } from './parse-query.ts'

/** A time range from `from` (inclusive) to `until` (exclusive); null means unbounded. */
interface TimeRange {
  from: Date | null
  until: Date | null
}

/** A query in terms of the search index of statuses. */
export interface CompiledQuery {
  /** Quoted lexemes that a status must contain. */
  required: string[]
  /** Further conditions on its lexemes, each as a `tsquery`: phrases and exclusions. */
  conditions: string[]
  includedRanges: TimeRange[]
  excludedRanges: TimeRange[]
  scope: 'all' | 'library' | 'public'
}

const findTimeZone = statement<{ params: { viewerId: string }; row: { time_zone: string | null } }>(
  `select time_zone from users where account_id = $viewerId`,
)
const findAuthors = statement<{
  params: { names: readonly string[]; usernames: readonly string[]; domains: readonly string[] }
  row: { name: string; id: string }
}>(
  `select handle.name, a.id from unnest($names::text[], $usernames::text[], $domains::text[]) handle (name, username,
    domain)
     join accounts a on lower(a.username) = lower(handle.username) and coalesce(a.domain, '') = handle.domain`,
)

/**
 * Compiles the clauses of a query. Ignores clauses that contain only signs, such as `&`, which are not indexed. Returns
 * null if no status can match.
 * @throws UnprocessableError for an invalid date
 */
export async function compileQuery(
  read: Read,
  { clauses: allClauses, viewerId }: { clauses: readonly Clause[]; viewerId: string },
): Promise<CompiledQuery | null> {
  const texts = new Map(
    allClauses.flatMap(({ kind, text }) => (kind === 'words' ? [[text, tokenizeForQuery(text)]] : [])),
  )
  const clauses = allClauses.filter(({ kind, text }) => kind !== 'words' || texts.get(text)!.length > 0)
  if (clauses.length === 0) return null
  const isDated = clauses.some(({ kind }) => kind === 'before' || kind === 'after' || kind === 'during')
  const timeZone = isDated ? ((await findTimeZone(read.db, { viewerId }))[0]?.time_zone ?? 'UTC') : 'UTC'
  const [authors, stems] = await Promise.all([
    resolveAuthors(read, { clauses, viewerId }),
    stemWords(read, { words: [...texts.values()].flatMap((words) => words.map(({ word }) => word)) }),
  ])
  const compiled: CompiledQuery = { required: [], conditions: [], includedRanges: [], excludedRanges: [], scope: 'all' }
  for (const { kind, text, negated } of clauses) {
    if (kind === 'in') {
      if (text === 'library' || text === 'public') compiled.scope = text
      continue
    }
    if (kind === 'before' || kind === 'after' || kind === 'during') {
      compiled[negated ? 'excludedRanges' : 'includedRanges'].push(parseTimeRange({ kind, text, timeZone }))
      continue
    }
    const words =
      kind === 'words'
        ? texts.get(text)!.map(({ word, place }) => ({ word: stems.get(word)!, place }))
        : singleWord(kind === 'from' ? authors.get(text) : markerOf({ kind, text }))
    if (negated) compiled.conditions.push(...(words.length === 0 ? [] : [`!(${phraseOf(words)})`]))
    else if (words.length === 0) return null
    else {
      compiled.required.push(...words.map(({ word }) => quoteLexeme(word)))
      if (words.length > 1) compiled.conditions.push(`(${phraseOf(words)})`)
    }
  }
  return { ...compiled, required: [...new Set(compiled.required)] }
}

function singleWord(lexeme: string | undefined): IndexedWord[] {
  return lexeme === undefined ? [] : [{ word: lexeme, place: 0 }]
}

/** Returns words at these positions as a phrase in a `tsquery`. */
function phraseOf(words: readonly IndexedWord[]): string {
  return words
    .map(({ word, place }, n) => (n === 0 ? '' : `<${place - words[n - 1]!.place}>`) + quoteLexeme(word))
    .join('')
}

function markerOf({ kind, text }: { kind: Exclude<Clause['kind'], 'words' | 'from'>; text: string }): string {
  if (kind === 'hashtag') return marker.hashtag(text)
  if (kind === 'language') return marker.language(normalizeLanguage(text) ?? text)
  return marker.property(text)
}

/** Returns the author marker for each value of `from:`. Unknown accounts are left out. */
async function resolveAuthors(
  read: Read,
  { clauses, viewerId }: { clauses: readonly Clause[]; viewerId: string },
): Promise<Map<string, string>> {
  const names = [...new Set(clauses.flatMap(({ kind, text }) => (kind === 'from' && text !== 'me' ? [text] : [])))]
  const handles = names.flatMap((name) => {
    const handle = parseHandle(name)
    return handle ? [{ name, username: handle.username, domain: toStoredDomain(read, handle.domain) }] : []
  })
  const rows =
    handles.length === 0
      ? []
      : await findAuthors(read.db, {
          names: handles.map(({ name }) => name),
          usernames: handles.map(({ username }) => username),
          domains: handles.map(({ domain }) => domain),
        })
  return new Map([['me', marker.author(viewerId)], ...rows.map(({ name, id }) => [name, marker.author(id)] as const)])
}

const DAY = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** Returns the time range during, before or after a day, a month or a year in a time zone. */
function parseTimeRange({
  kind,
  text,
  timeZone,
}: {
  kind: 'before' | 'after' | 'during'
  text: string
  timeZone: string
}): TimeRange {
  const [, year, month, day] = DAY.exec(text) ?? []
  try {
    const first = Temporal.PlainDate.from(`${year}-${month ?? '01'}-${day ?? '01'}`)
    const next = first.add(day ? { days: 1 } : month ? { months: 1 } : { years: 1 })
    const from = new Date(first.toZonedDateTime(timeZone).epochMilliseconds)
    const until = new Date(next.toZonedDateTime(timeZone).epochMilliseconds)
    if (kind === 'before') return { from: null, until: from }
    return kind === 'after' ? { from: until, until: null } : { from, until }
  } catch (err) {
    if (err instanceof RangeError)
      throw new UnprocessableError(`"${text.slice(0, 50)}" is not a day, as 2026-12-31 is one`)
    throw err
  }
}
