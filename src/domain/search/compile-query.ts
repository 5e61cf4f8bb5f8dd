import { Unprocessable } from '../../lib/errors.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { wordsToFind } from '../../lib/text/searchWords.ts'
import type { PlacedWord } from '../../lib/text/searchWords.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { foreignDomain } from '../accounts/lookup.ts'
import type { Read } from '../context.ts'
import { quoteLexeme, sign, stemWords } from './lexemes.ts'
import type { Clause } from './read-query.ts'

/** A stretch of time, from its first moment on, as long as its end is not reached; null: without that bound. */
interface Stretch {
  from: Date | null
  until: Date | null
}

/** A query as the index of statuses understands it. */
export interface CompiledQuery {
  /** Lexemes that a status has to have, quoted. */
  required: string[]
  /** What else its words have to fulfil, each as a `tsquery`: phrases, and what must not be there. */
  further: string[]
  within: Stretch[]
  outside: Stretch[]
  reach: 'all' | 'library' | 'public'
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
 * Makes of the conditions of a query what can be looked up. Null: nothing can be found.
 * @throws Unprocessable for what should be a day and is none
 */
export async function compileQuery(
  read: Read,
  { clauses, viewerId }: { clauses: readonly Clause[]; viewerId: string },
): Promise<CompiledQuery | null> {
  const isDated = clauses.some(({ kind }) => kind === 'before' || kind === 'after' || kind === 'during')
  const timeZone = isDated ? ((await findTimeZone(read.db, { viewerId }))[0]?.time_zone ?? 'UTC') : 'UTC'
  const texts = new Map(clauses.flatMap(({ kind, text }) => (kind === 'words' ? [[text, wordsToFind(text)]] : [])))
  const [authors, stems] = await Promise.all([
    readAuthors(read, { clauses, viewerId }),
    stemWords(read, { words: [...texts.values()].flatMap((words) => words.map(({ word }) => word)) }),
  ])
  const compiled: CompiledQuery = { required: [], further: [], within: [], outside: [], reach: 'all' }
  for (const { kind, text, negated } of clauses) {
    if (kind === 'in') {
      if (text === 'library' || text === 'public') compiled.reach = text
      continue
    }
    if (kind === 'before' || kind === 'after' || kind === 'during') {
      compiled[negated ? 'outside' : 'within'].push(readStretch({ kind, text, timeZone }))
      continue
    }
    const words =
      kind === 'words'
        ? texts.get(text)!.map(({ word, place }) => ({ word: stems.get(word)!, place }))
        : asWord(kind === 'from' ? authors.get(text) : signOf({ kind, text }))
    if (negated) compiled.further.push(...(words.length === 0 ? [] : [`!(${phraseOf(words)})`]))
    else if (words.length === 0) return null
    else {
      compiled.required.push(...words.map(({ word }) => quoteLexeme(word)))
      if (words.length > 1) compiled.further.push(`(${phraseOf(words)})`)
    }
  }
  return { ...compiled, required: [...new Set(compiled.required)] }
}

function asWord(lexeme: string | undefined): PlacedWord[] {
  return lexeme === undefined ? [] : [{ word: lexeme, place: 0 }]
}

/** Words at these places, as a `tsquery`. */
function phraseOf(words: readonly PlacedWord[]): string {
  return words
    .map(({ word, place }, n) => (n === 0 ? '' : `<${place - words[n - 1]!.place}>`) + quoteLexeme(word))
    .join('')
}

function signOf({ kind, text }: { kind: Exclude<Clause['kind'], 'words' | 'from'>; text: string }): string {
  if (kind === 'hashtag') return sign.hashtag(text)
  if (kind === 'language') return sign.language(normalizeLanguage(text) ?? text)
  return sign.property(text)
}

/** What was typed behind `from:` → the sign of that author; who is not known here is left out. */
async function readAuthors(
  read: Read,
  { clauses, viewerId }: { clauses: readonly Clause[]; viewerId: string },
): Promise<Map<string, string>> {
  const typed = [...new Set(clauses.flatMap(({ kind, text }) => (kind === 'from' && text !== 'me' ? [text] : [])))]
  const handles = typed.flatMap((name) => {
    const handle = parseHandle(name)
    return handle ? [{ name, username: handle.username, domain: foreignDomain(read, handle.domain) }] : []
  })
  const rows =
    handles.length === 0
      ? []
      : await findAuthors(read.db, {
          names: handles.map(({ name }) => name),
          usernames: handles.map(({ username }) => username),
          domains: handles.map(({ domain }) => domain),
        })
  return new Map([['me', sign.author(viewerId)], ...rows.map(({ name, id }) => [name, sign.author(id)] as const)])
}

const DAY = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** A day, a month or a year of somebody's calendar: what is in it, before it or after it. */
function readStretch({
  kind,
  text,
  timeZone,
}: {
  kind: 'before' | 'after' | 'during'
  text: string
  timeZone: string
}): Stretch {
  const [, year, month, day] = DAY.exec(text) ?? []
  try {
    const first = Temporal.PlainDate.from(`${year}-${month ?? '01'}-${day ?? '01'}`)
    const next = first.add(day ? { days: 1 } : month ? { months: 1 } : { years: 1 })
    const from = new Date(first.toZonedDateTime(timeZone).epochMilliseconds)
    const until = new Date(next.toZonedDateTime(timeZone).epochMilliseconds)
    if (kind === 'before') return { from: null, until: from }
    return kind === 'after' ? { from: until, until: null } : { from, until }
  } catch (err) {
    if (err instanceof RangeError) throw new Unprocessable(`"${text.slice(0, 50)}" is not a day, as 2026-12-31 is one`)
    throw err
  }
}
