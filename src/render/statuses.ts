import type { Read } from '../domain/context.ts'
import { keepVisible } from '../domain/statuses/keep-visible.ts'
import type { PreviewCard } from '../entities/card.ts'
import type { FilterResult } from '../entities/filter.ts'
import type { Status } from '../entities/status.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { textOfParts, writeArray } from '../lib/json-parts.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import type { Config } from '../platform/config.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Changes, Moment } from '../platform/db/changes.ts'
import { findAccountPieces } from './account-pieces.ts'
import { DEED_NAMES, findAnswers, findQuoteStates } from './answers.ts'
import type { Answers } from './answers.ts'
import { findCardPeople, presentCard } from './cards.ts'
import type { KeptCard } from './cards.ts'
import { prepareFilterResults } from './filter-results.ts'
import type { FilteringViewers } from './filter-results.ts'
import { presentPoll } from './polls.ts'
import { presentQuote, presentQuoteApproval, presentShallowQuote } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import type { Shown } from './shown.ts'
import { findPieces, presentApplication } from './status-pieces.ts'
import type { StatusPiece } from './status-pieces.ts'

/**
 * Who looks, null = anonymous, what they did with the status or what it boosts, what they chose in its poll, and as JSON
 * which of their filters it runs into and what it links to.
 */
interface View {
  viewerId: string | null
  answers: Answers | undefined
  choices: number[] | null
  filtered: string
  card: Json<PreviewCard | null>
}

/** What is asked for: statuses in this order, by somebody, null = anonymous. */
interface Asked {
  ids: readonly string[]
  viewerId: string | null
  /** Whether what was quoted without consent is shown, too, as to the author who takes it back. */
  withheld?: boolean
  /** When their request looked for changes; without it, it is looked anew. */
  asOf?: Moment | undefined
}

const NOBODYS = { answers: new Map<string, Answers>(), filtersVersion: 0 }

/** What one viewer sees of each status that not everybody does. */
export interface Sight {
  /** The viewer's own keys. */
  own(piece: StatusPiece): string
  /** What becomes of what it quotes; null where it quotes nothing. */
  quoteState(row: Shown): QuoteState | null
  /** What may be shown that is quoted without consent. */
  withheld?: ReadonlySet<string>
}

/** Writes statuses for one viewer, and knows what the filters of each say. */
interface PreparedStatuses {
  /** Writes a status behind the other parts; nothing, and false, when it or what it boosts is not there. */
  write(parts: JsonPart[], id: string, sight: Sight): boolean
  /** What a boost boosts; of everything else, itself. */
  subjectOf(piece: StatusPiece): StatusPiece
  filtered(viewerId: string, piece: StatusPiece): Json<FilterResult[]>
  cardFor(viewerId: string | null, piece: StatusPiece): Json<PreviewCard | null>
}

/**
 * What writes statuses as this viewer sees them (null = anonymous: without the viewer's own keys). Whether the viewer may
 * see them has been decided before; whether they may see what these quote is looked at here.
 */
async function writerFor(
  read: Read,
  { ids, viewerId, withheld = false, asOf }: Asked,
): Promise<(parts: JsonPart[], id: string) => boolean> {
  const changes = await lookForChanges(read.db, { asOf })
  const pieces = await findPieces(read, { ids, changes })
  const [{ answers, filtersVersion }, states] = await Promise.all([
    viewerId === null ? NOBODYS : findAnswers(read, { ids: pieces.keys(), viewerId, changes }),
    findQuoteStates(read, { ids: quotingOf(pieces), viewerId }),
  ])
  const viewers = viewerId && filtersVersion > 0 ? { at: changes.now, versions: { [viewerId]: filtersVersion } } : null
  const { write, subjectOf, filtered, cardFor } = await prepareStatuses(read, { pieces, viewers, changes })
  const sight: Sight = {
    own(piece) {
      const subject = subjectOf(piece)
      return ownKeys(read.config, {
        piece,
        subject,
        view: {
          viewerId,
          answers: answers.get(subject.row.id),
          choices: answers.get(piece.row.id)?.choices ?? null,
          filtered: viewerId === null ? '' : filtered(viewerId, piece),
          card: cardFor(viewerId, piece),
        },
      })
    },
    quoteState: (row) => states.get(row.id) ?? null,
    withheld: withheld ? await findWithheld(read, { pieces, viewerId }) : new Set(),
  }
  return (parts, id) => write(parts, id, sight)
}

/** Statuses in parts by their ids, as `writerFor` has them; unknown ids have no entry. */
export async function renderStatusParts(read: Read, asked: Asked): Promise<Map<string, JsonPart[]>> {
  const done = new Map<string, JsonPart[]>()
  if (asked.ids.length === 0) return done
  const write = await writerFor(read, asked)
  for (const id of asked.ids) {
    const parts: JsonPart[] = []
    if (!done.has(id) && write(parts, id)) done.set(id, parts)
  }
  return done
}

/** The same as text. */
export async function renderStatusMap(read: Read, asked: Asked): Promise<Map<string, Json<Status>>> {
  const done = await renderStatusParts(read, asked)
  return new Map([...done].map(([id, parts]) => [id, textOfParts(parts) as Json<Status>]))
}

/** Statuses in the order of the ids, as a whole answer: an array, in parts. Unknown ids are left out. */
export async function renderStatusPage(read: Read, asked: Asked): Promise<JsonPart[]> {
  return asked.ids.length === 0 ? ['[]'] : writeArray(asked.ids, await writerFor(read, asked))
}

/** Those that quote something. */
export function quotingOf(pieces: ReadonlyMap<string, StatusPiece>): string[] {
  const ids: string[] = []
  for (const { row } of pieces.values()) if (row.quotes) ids.push(row.id)
  return ids
}

/** What they quote, whether or not its author agrees, as far as the viewer may see it. */
async function findWithheld(
  read: Read,
  { pieces, viewerId }: { pieces: ReadonlyMap<string, StatusPiece>; viewerId: string | null },
): Promise<Set<string>> {
  const ids = [...pieces.values()].flatMap(({ row }) => row.quoted_id ?? [])
  return new Set(await keepVisible(read, { ids, viewerId }))
}

/** Gets ready to write these statuses, and the filters of those viewers who have some, null = nobody. */
export async function prepareStatuses(
  read: Read,
  {
    pieces,
    viewers,
    changes,
  }: { pieces: ReadonlyMap<string, StatusPiece>; viewers: FilteringViewers | null; changes: Changes },
): Promise<PreparedStatuses> {
  const authors = new Set<string>()
  const cards: KeptCard[] = []
  for (const { row, card } of pieces.values()) {
    authors.add(row.account_id)
    if (card !== null) cards.push(card)
  }
  const [accounts, resultsOf, people] = await Promise.all([
    findAccountPieces(read, { ids: authors, changes }),
    prepareFilterResults(read, { viewers }),
    findCardPeople(read, { cards, asOf: changes.moment }),
  ])
  const write = (parts: JsonPart[], id: string, sight: Sight, isInside = false): boolean => {
    const piece = pieces.get(id)
    const account = piece && accounts.get(piece.row.account_id)
    if (!account) return false
    const { reblog_of_id: boosted, quotes } = piece.row
    const { length } = parts
    parts.push(piece.bytes, ',"account":', account.bytes)
    if (boosted !== null) {
      parts.push(',"reblog":')
      if (!write(parts, boosted, sight)) {
        parts.length = length
        return false
      }
    }
    if (quotes) parts.push(`,"quote":${writeQuote(piece.row, sight, isInside)}`)
    parts.push(`${sight.own(piece)}}`)
    return true
  }
  const writeQuote = (row: Shown, sight: Sight, isInside: boolean): string => {
    const { quoted_id: quotedId } = row
    const state = sight.quoteState(row)
    if (isInside) return presentShallowQuote(state, quotedId)
    const quoted = (inner: string) => {
      const parts: JsonPart[] = []
      return write(parts, inner, sight, true) ? (textOfParts(parts) as Json<Status>) : undefined
    }
    return presentQuote({ state, quotedId, quoted, withheld: sight.withheld ?? new Set() })
  }
  const subjectOf = (piece: StatusPiece): StatusPiece => {
    const { reblog_of_id: boosted } = piece.row
    return boosted === null ? piece : (pieces.get(boosted) ?? piece)
  }
  const filtered = (viewerId: string, piece: StatusPiece): Json<FilterResult[]> => {
    const { row, bytes } = subjectOf(piece)
    const { id, version, account_id: accountId, poll } = row
    return resultsOf(viewerId, { id, version, accountId, body: bytes, pollOptions: poll?.options ?? [] })
  }
  const cardFor = (viewerId: string | null, { card }: StatusPiece): Json<PreviewCard | null> =>
    card ? presentCard(card, { people, viewerId }) : toJson(null)
  return { write: (parts, id, sight) => write(parts, id, sight), subjectOf, filtered, cardFor }
}

/** Statuses in the order of the ids; unknown ids are left out. */
export async function renderStatuses(read: Read, asked: Asked): Promise<Json<Status>[]> {
  const map = await renderStatusMap(read, asked)
  return asked.ids.map((id) => map.get(id)).filter((status) => status !== undefined)
}

/** One status. @throws NotFound */
export async function renderStatus(
  read: Read,
  { id, ...rest }: Omit<Asked, 'ids'> & { id: string },
): Promise<Json<Status>> {
  const [status] = await renderStatuses(read, { ids: [id], ...rest })
  if (status === undefined) throw new NotFound()
  return status
}

/** All that a viewer may have done, as text, by the bits that say what. */
const DEED_TEXTS = Array.from({ length: 2 ** DEED_NAMES.length }, (_, bits) =>
  DEED_NAMES.map((name, n) => `,"${name}":${(bits & (1 << n)) !== 0}`).join(''),
)

function deedsText(answers: Answers | undefined): string {
  let bits = 0
  if (answers) for (let n = 0; n < DEED_NAMES.length; n += 1) if (answers[DEED_NAMES[n]!]) bits |= 1 << n
  return DEED_TEXTS[bits]!
}

/**
 * What depends on who looks: the card, the poll, what it was written with where not everybody is told, whether they may
 * quote it, and what they did with it; on a boost, with what it boosts, which is the `subject`.
 */
export function ownKeys(
  config: Config,
  { piece: { row, card }, subject, view }: { piece: StatusPiece; subject: StatusPiece; view: View },
): string {
  const { viewerId, answers, choices } = view
  let text = ''
  if (card !== null) text += `,"card":${view.card}`
  if (row.poll !== null) text += `,"poll":${toJson(presentPoll(config, { ...row, poll: row.poll, viewerId, choices }))}`
  if (row.application?.public === false && row.reblog_of_id === null) {
    text += `,"application":${presentApplication(row.account_id === viewerId ? row.application : null)}`
  }
  const quoter = viewerId !== null && answers ? { id: viewerId, standing: answers } : null
  text += `,"quote_approval":${presentQuoteApproval(subject.quotable, quoter)}`
  if (viewerId === null) return text
  const pinnable = row.account_id === viewerId && row.reblog_of_id === null && row.visibility !== 'direct'
  return `${text}${deedsText(answers)},"filtered":${view.filtered}${pinnable ? `,"pinned":${row.pinned}` : ''}`
}
