import type { Read } from '../domain/context.ts'
import type { Changes } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { KeptByViewer } from '../platform/db/kept-by-viewer.ts'
import { choicesOf } from './polls.ts'
import { QUOTE_COLUMNS, quoteStateFor, STANDINGS } from './quotes.ts'
import type { QuoteState } from './quotes.ts'

/** What a viewer may have done with the status `shown`, and the rows that tell it, each with its account. */
const DEEDS = {
  favourited: 'favourites d where d.status_id = shown.id',
  reblogged: 'statuses d where d.reblog_of_id = shown.id and d.deleted_at is null',
  bookmarked: 'bookmarks d where d.status_id = shown.id',
  muted: 'conversation_mutes d where d.conversation_id = shown.conversation_id',
} as const

export const DEED_NAMES = Object.keys(DEEDS) as (keyof typeof DEEDS)[]

/** All that is asked so about viewers: what they did, and how they stand to its author. */
export const QUESTIONS = { ...DEEDS, ...STANDINGS } as const

/** The answers for one viewer. */
export interface Answers extends Record<keyof typeof QUESTIONS, boolean> {
  /** What they chose in its poll; null: nothing. */
  choices: number[] | null
}

interface Row extends Answers {
  id: string
  /** Of the viewer's filters; 0: there are none. */
  filters_version: number
}

const questions = Object.entries(QUESTIONS).map(
  ([name, rows]) => `exists (select from ${rows} and d.account_id = $2 offset 0) as ${name}`,
)
const select = statement<Row>(
  `select shown.id, ${questions.join(', ')}, ${choicesOf('shown.id', '$2')} as choices,
     coalesce((select u.filters_version from users u where u.account_id = $2), 0) as filters_version
   from statuses shown where shown.id = any($1::bigint[])`,
)

/** Who did what, and how much memory one process may take for that. */
const kept = new KeptByViewer<Row>({
  maxBytes: 16 * 1024 * 1024,
  answerBytes: 280,
  keyOf: ({ id }) => id,
  hasChanged: (changes, { id }, since) => changes.hasChanged('status', id, since),
})

/** What one viewer did with each of these statuses, and how they stand to its author. */
export async function findAnswers(
  read: Read,
  { ids, viewerId, changes }: { ids: Iterable<string>; viewerId: string; changes: Changes },
): Promise<{ answers: Map<string, Answers>; filtersVersion: number }> {
  const load = async (missing: string[]) => select(read.db, [missing, viewerId])
  const answers = new Map<string, Answers>()
  let filtersVersion = 0
  for (const row of await kept.find(changes, { viewerId, keys: ids, load })) {
    if (row === undefined) continue
    answers.set(row.id, row)
    filtersVersion = Math.max(filtersVersion, row.filters_version)
  }
  return { answers, filtersVersion }
}

/** The text of a statement that asks something about those of the statuses `$1` that quote. */
export function selectQuoting(column: string): string {
  return `select shown.id, ${column} from (
    select s.id, ${QUOTE_COLUMNS} from statuses s join quotes quote on quote.status_id = s.id
    where s.id = any($1::bigint[])) shown`
}

const selectStates = statement<{ id: string; state: QuoteState | null }>(
  selectQuoting(`${quoteStateFor('$2')} as state`),
)

/**
 * What becomes of what these statuses quote, for one viewer, null = somebody unknown. It is a long question, which rests
 * on so much that it is asked each time, but only about those that quote something.
 */
export async function findQuoteStates(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Map<string, QuoteState | null>> {
  if (ids.length === 0) return new Map()
  const rows = await selectStates(read.db, [ids, viewerId])
  return new Map(rows.map((row) => [row.id, row.state]))
}
