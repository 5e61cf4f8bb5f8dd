import type { Read } from '../domain/context.ts'
import { keepVisible } from '../domain/statuses/visibility.ts'
import type { PreviewCard } from '../entities/card.ts'
import type { FilterResult } from '../entities/filter.ts'
import type { Status } from '../entities/status.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Config } from '../platform/config.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Changes, Moment } from '../platform/db/changes.ts'
import { presentAccounts } from './accounts.ts'
import { DEEDS, findAnswers, findQuoteStates } from './answers.ts'
import type { Answers } from './answers.ts'
import { findCardPeople, presentCard } from './cards.ts'
import { presentEmojis } from './emojis.ts'
import { prepareFilterResults } from './filter-results.ts'
import type { FilteringViewers } from './filter-results.ts'
import { presentPoll } from './polls.ts'
import { presentQuote, presentQuoteApproval, presentShallowQuote } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import { findShown } from './shown.ts'
import type { Shown } from './shown.ts'
import { findBodies } from './status-bodies.ts'

/**
 * Who looks, null = anonymous, what they did with each status, and as JSON which of their filters it runs into and what
 * it links to.
 */
interface View {
  viewerId: string | null
  answersOn: (statusId: string) => Answers | undefined
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

/** What one viewer sees of each row that not everybody does. */
export interface Sight {
  /** The viewer's own keys. */
  own(row: Shown): string
  /** What becomes of what it quotes; null where it quotes nothing. */
  quoteState(row: Shown): QuoteState | null
  /** What may be shown that is quoted without consent. */
  withheld?: ReadonlySet<string>
}

/** Writes what does not depend on a viewer, with the keys of one, and knows what the filters of each say. */
interface PreparedStatuses {
  /** Undefined when the status, or what it boosts, is not there. */
  compose(id: string, sight: Sight): Json<Status> | undefined
  /** What a boost boosts; of everything else, itself. */
  subjectOf(row: Shown): Shown
  filtered(viewerId: string, row: Shown): Json<FilterResult[]>
  cardFor(viewerId: string | null, row: Shown): Json<PreviewCard | null>
}

/**
 * Statuses by their ids, as this viewer sees them (null = anonymous: without the viewer's own keys). Whether the viewer
 * may see them has been decided before; whether they may see what these quote is looked at here.
 */
export async function renderStatusMap(
  read: Read,
  { ids, viewerId, withheld = false, asOf }: Asked,
): Promise<Map<string, Json<Status>>> {
  if (ids.length === 0) return new Map()
  const changes = await lookForChanges(read.db, { asOf })
  const rows = await findShown(read, { ids, changes })
  const quoting = [...rows.values()].filter((row) => row.quotes).map((row) => row.id)
  const [{ answers, filtersVersion }, states] = await Promise.all([
    viewerId === null ? NOBODYS : findAnswers(read, { ids: [...rows.keys()], viewerId, changes }),
    findQuoteStates(read, { ids: quoting, viewerId }),
  ])
  const viewers = viewerId && filtersVersion > 0 ? { at: changes.now, versions: { [viewerId]: filtersVersion } } : null
  const { compose, subjectOf, filtered, cardFor } = await prepareStatuses(read, { rows, changes, viewers })
  const answersOn = (id: string) => answers.get(id)
  const sight: Sight = {
    own(row) {
      const results = viewerId === null ? '' : filtered(viewerId, row)
      const view = { viewerId, answersOn, filtered: results, card: cardFor(viewerId, row) }
      return ownKeys(read.config, { row, subject: subjectOf(row), view })
    },
    quoteState: (row) => states.get(row.id) ?? null,
    withheld: withheld ? await findWithheld(read, { rows, viewerId }) : new Set(),
  }
  const done = new Map<string, Json<Status>>()
  for (const id of ids) {
    const status = done.get(id) ?? compose(id, sight)
    if (status !== undefined) done.set(id, status)
  }
  return done
}

/** What the rows quote, whether or not its author agrees, as far as the viewer may see it. */
async function findWithheld(
  read: Read,
  { rows, viewerId }: { rows: ReadonlyMap<string, Shown>; viewerId: string | null },
): Promise<Set<string>> {
  const ids = [...rows.values()].flatMap((row) => row.quoted_id ?? [])
  return new Set(await keepVisible(read, { ids, viewerId }))
}

/**
 * Finds everything of these statuses that does not depend on a viewer, and the filters of those viewers who have some,
 * null = nobody.
 */
export async function prepareStatuses(
  read: Read,
  {
    rows,
    changes,
    viewers,
  }: { rows: ReadonlyMap<string, Shown>; changes: Changes; viewers: FilteringViewers | null },
): Promise<PreparedStatuses> {
  const authors = new Set<string>()
  for (const row of rows.values()) authors.add(row.account_id)
  const [bodies, accounts, resultsOf] = await Promise.all([
    findBodies(read, { statuses: rows.values() }),
    presentAccounts(read, { ids: authors, changes }),
    prepareFilterResults(read, { viewers }),
  ])
  const people = await findCardPeople(read, { cards: [...bodies.values()].flatMap(({ card }) => card ?? []) })
  const compose = (id: string, sight: Sight, isInside = false): Json<Status> | undefined => {
    const row = rows.get(id)
    const body = bodies.get(id)
    const account = row && accounts.get(row.account_id)
    const reblog = row?.reblog_of_id == null ? 'null' : compose(row.reblog_of_id, sight)
    if (!row || body === undefined || account === undefined || reblog === undefined) return undefined
    const emojis = row.emojis === null ? '[]' : toJson(presentEmojis(read.config, row.emojis))
    const { quoted_id: quotedId } = row
    const state = sight.quoteState(row)
    const quoted = (inner: string) => compose(inner, sight, true)
    const quote = isInside
      ? presentShallowQuote(state, quotedId)
      : presentQuote({ state, quotedId, quoted, withheld: sight.withheld ?? new Set() })
    return `${body.json},"account":${account},"reblog":${reblog},"emojis":${emojis},"quote":${quote}${counters(row)}${sight.own(row)}}` as Json<Status>
  }
  const subjectOf = (row: Shown): Shown => rows.get(row.reblog_of_id ?? row.id) ?? row
  const filtered = (viewerId: string, row: Shown): Json<FilterResult[]> => {
    const { id, version, account_id: accountId, poll } = subjectOf(row)
    return resultsOf(viewerId, { id, version, accountId, body: bodies.get(id)?.json, pollOptions: poll?.options ?? [] })
  }
  const cardFor = (viewerId: string | null, { id }: Shown): Json<PreviewCard | null> => {
    const card = bodies.get(id)?.card
    return card ? presentCard(card, { people, viewerId }) : toJson(null)
  }
  return { compose: (id, sight) => compose(id, sight), subjectOf, filtered, cardFor }
}

/** Statuses in the order of the ids; unknown ids are left out. As `renderStatusMap`. */
export async function renderStatuses(
  read: Read,
  asked: Asked,
): Promise<Json<Status>[]> {
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

function counters(row: Shown): string {
  return `,"replies_count":${row.replies_count},"reblogs_count":${row.reblogs_count},"favourites_count":${row.favourites_count},"quotes_count":${row.quotes_count}`
}

/**
 * What depends on who looks: the card, the poll, what it was written with, whether they may quote it, and what they did with it; on
 * a boost, with what it boosts, which is the `subject`.
 */
export function ownKeys(config: Config, { row, subject, view }: { row: Shown; subject: Shown; view: View }): string {
  const { viewerId, answersOn, filtered, card } = view
  const answers = answersOn(subject.id)
  const poll = `,"poll":${row.poll === null ? 'null' : toJson(presentPoll(config, { ...row, poll: row.poll, viewerId, choices: answersOn(row.id)?.choices ?? null }))}`
  const quoter = viewerId !== null && answers ? { id: viewerId, standing: answers } : null
  const approval = `,"quote_approval":${presentQuoteApproval(subject, quoter)}`
  const shared = `,"card":${card}${poll}${applicationOf(row, viewerId)}${approval}`
  if (viewerId === null) return shared
  const did = Object.keys(DEEDS).map((name) => `"${name}":${answers?.[name as keyof typeof DEEDS] ?? false}`)
  const pinnable = row.account_id === viewerId && row.reblog_of_id === null && row.visibility !== 'direct'
  return `${shared},${did.join()},"filtered":${filtered}${pinnable ? `,"pinned":${row.pinned}` : ''}`
}

/** An author may keep to themselves what they write with. A boost is written with nothing. */
function applicationOf({ application, account_id, reblog_of_id }: Shown, viewerId: string | null): string {
  if (reblog_of_id !== null) return ''
  const isShown = application !== null && (application.public || account_id === viewerId)
  return `,"application":${isShown ? toJson({ name: application.name, website: application.website }) : 'null'}`
}
