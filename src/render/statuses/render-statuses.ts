import type { CachedRead } from '../../domain/context.ts'
import { filterVisibleStatuses } from '../../domain/access/find-visible-statuses.ts'
import { findViewerStates } from '../../domain/access/viewer-states.ts'
import type { OriginalStatus, ViewerState } from '../../domain/access/viewer-states.ts'
import type { Collection } from '../../entities/accounts/collection.ts'
import type { PreviewCard } from '../../entities/statuses/card.ts'
import type { FilterResult } from '../../entities/accounts/filter.ts'
import type { Status, StatusForViewer, StatusShared } from '../../entities/statuses/status.ts'
import { listJson } from '../../lib/json/entity-json.ts'
import { joinFragmentWith } from '../../lib/json/fragment.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { findAccountRecords } from '../accounts/account-records.ts'
import { findCardAccounts, renderCard } from '../cards/render-cards.ts'
import type { CardRecord } from '../cards/render-cards.ts'
import { findLinkedCollections } from '../collections/linked-collections.ts'
import { prepareFilterMatcher } from '../filters/filter-results.ts'
import type { FilteringViewers } from '../filters/filter-results.ts'
import { findQuoteStates } from './quote-states.ts'
import { renderQuote, renderShallowQuote } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import { statusForViewer } from './status-for-viewer.ts'
import type { OwnFields } from './status-for-viewer.ts'
import { findStatusRecords } from './status-records.ts'
import type { RecordedRow, StatusRecord } from './status-records.ts'

/** The statuses to render, and the viewer. */
interface StatusesInput {
  ids: readonly string[]
  /** null for anonymous. */
  viewerId: string | null
  /** Viewer states that were read with something else. */
  known?: ReadonlyMap<string, ViewerState>
  /** Includes quoted statuses whose authors did not accept the quote, for an author who deletes the quoting status. */
  withheld?: boolean
}

/** Provides the viewer-specific parts of a status for one viewer. */
export interface RenderContext {
  fieldsOf(record: StatusRecord): Complete<OwnFields>
  /** null for a status without a quote. */
  quoteStateOf(row: RecordedRow): QuoteState | null
  /** Statuses to include although their quotes are not accepted. */
  withheld: ReadonlySet<string>
}

/** Renders the statuses that it was prepared for, for any of the viewers. */
export interface StatusRenderer {
  /** Returns null if the status, its author, or the status that it reblogs does not exist. */
  render(id: string, context: RenderContext): EntityJson<Status> | null
  /** Returns all viewer-specific fields of a status; null like `render`. */
  fieldsForViewer(id: string, context: RenderContext): Complete<StatusForViewer> | null
  /** Returns the reblogged status of a reblog; for other statuses, the status itself. */
  subjectOf(record: StatusRecord): StatusRecord
  filterResults(viewerId: string, record: StatusRecord): EntityJson<FilterResult[]>
  cardOf(record: StatusRecord, viewerId: string | null): EntityJson<PreviewCard> | null
  collectionsOf(record: StatusRecord): Collection[]
}

const NO_STATES = { states: new Map<string, ViewerState>(), filtersVersion: 0 }

/**
 * Prepares the rendering of statuses for one viewer. The caller has checked that the viewer may see them; the
 * visibility of quoted statuses is checked here.
 */
export async function openStatusRenderer(
  read: CachedRead,
  { ids, viewerId, known, withheld = false }: StatusesInput,
): Promise<{ renderer: StatusRenderer; context: RenderContext; records: Map<string, StatusRecord> }> {
  const records = await findStatusRecords(read, { ids })
  const [{ states, filtersVersion }, quoteStates] = await Promise.all([
    findStates(read, { statuses: originalsIn(records), viewerId, known }),
    findQuoteStates(read, { ids: quotingOf(records), viewerId }),
  ])
  const { now: at } = read.invalidations
  const viewers = viewerId && filtersVersion > 0 ? { at, versions: { [viewerId]: filtersVersion } } : null
  const renderer = await prepareStatuses(read, { records, viewers })
  const context: RenderContext = {
    fieldsOf(record) {
      const subject = renderer.subjectOf(record)
      return statusForViewer(read.config, {
        record,
        subject,
        viewing: {
          viewerId,
          state: states.get(subject.row.id),
          choices: states.get(record.row.id)?.choices ?? null,
          filtered: viewerId === null ? undefined : renderer.filterResults(viewerId, record),
          card: renderer.cardOf(record, viewerId),
          collections: renderer.collectionsOf(record),
        },
      })
    },
    quoteStateOf: (row) => quoteStates.get(row.id) ?? null,
    withheld: withheld ? await findWithheld(read, { records, viewerId }) : NONE,
  }
  return { renderer, context, records }
}

async function findStates(
  read: CachedRead,
  { statuses, viewerId, known }: { statuses: readonly OriginalStatus[] } & Pick<StatusesInput, 'viewerId' | 'known'>,
): ReturnType<typeof findViewerStates> {
  if (viewerId === null) return NO_STATES
  const [first] = known?.values() ?? []
  if (!known || !first || !statuses.every(({ id }) => known.has(id)))
    return findViewerStates(read, { statuses, viewerId })
  return { states: known, filtersVersion: first.filters_version }
}

const NONE: ReadonlySet<string> = new Set()

/** Returns the statuses that are no reblogs. Nobody interacts with a reblog itself. */
function originalsIn(records: ReadonlyMap<string, StatusRecord>): OriginalStatus[] {
  const statuses: OriginalStatus[] = []
  for (const { row } of records.values()) {
    if (row.reblog_of_id !== null) continue
    const { id, account_id: author, conversation_id: conversation, poll } = row
    statuses.push({ id, author, conversation, poll: poll?.id ?? null })
  }
  return statuses
}

/** Returns the ids of the statuses that have a quote. */
export function quotingOf(records: ReadonlyMap<string, StatusRecord>): string[] {
  const ids: string[] = []
  for (const { row } of records.values()) if (row.quotes) ids.push(row.id)
  return ids
}

/** Returns the quoted statuses that the viewer may see, whether or not their authors accepted the quotes. */
async function findWithheld(
  read: CachedRead,
  { records, viewerId }: { records: ReadonlyMap<string, StatusRecord>; viewerId: string | null },
): Promise<Set<string>> {
  const ids = [...records.values()].flatMap(({ row }) => row.quoted_id ?? [])
  return new Set(await filterVisibleStatuses(read, { ids, viewerId }))
}

/** Loads the authors, cards, linked collections and filters for these records. `viewers`: the viewers with filters; null for none. */
export async function prepareStatuses(
  read: CachedRead,
  { records, viewers }: { records: ReadonlyMap<string, StatusRecord>; viewers: FilteringViewers | null },
): Promise<StatusRenderer> {
  const authors = new Set<string>()
  const cards: CardRecord[] = []
  for (const { row, card } of records.values()) {
    authors.add(row.account_id)
    if (card !== null) cards.push(card)
  }
  const filtered = viewers === null ? [] : [...records.values()].map(filteredStatusOf)
  const collectionUrls = new Set([...records.values()].flatMap((record) => record.collectionUrls))
  const [accounts, filterResults, cardAccounts, collections] = await Promise.all([
    findAccountRecords(read, { ids: authors }),
    prepareFilterMatcher(read, { viewers, statuses: filtered }),
    findCardAccounts(read, { cards }),
    findLinkedCollections(read, { urls: collectionUrls }),
  ])

  const nestedIn = (record: StatusRecord, context: RenderContext, isQuoted: boolean) => {
    const account = accounts.get(record.row.account_id)
    const { reblog_of_id: reblogOfId, quotes } = record.row
    const reblog = reblogOfId === null ? null : render(reblogOfId, context, false)
    if (account === undefined || (reblogOfId !== null && reblog === null)) return null
    const quote = quotes ? quoteOf(record.row, context, isQuoted) : null
    return { account: account.json, reblog, quote }
  }
  const render = (id: string, context: RenderContext, isQuoted: boolean): EntityJson<Status> | null => {
    const record = records.get(id)
    const nested = record && nestedIn(record, context, isQuoted)
    if (!nested) return null
    return joinFragmentWith<Status, StatusShared, OwnFields>(record.shared, context.fieldsOf(record), nested)
  }
  const quoteOf = (row: RecordedRow, context: RenderContext, isQuoted: boolean) => {
    const state = context.quoteStateOf(row)
    if (isQuoted) return renderShallowQuote(state, row.quoted_id)
    const quoted = (id: string) => render(id, context, true)
    return renderQuote({ state, quotedId: row.quoted_id, quoted, withheld: context.withheld })
  }
  const subjectOf = (record: StatusRecord): StatusRecord => {
    const { reblog_of_id: reblogOfId } = record.row
    return reblogOfId === null ? record : (records.get(reblogOfId) ?? record)
  }
  return {
    render: (id, context) => render(id, context, false),
    fieldsForViewer(id, context) {
      const record = records.get(id)
      const nested = record && nestedIn(record, context, false)
      return nested ? { ...nested, ...context.fieldsOf(record) } : null
    },
    subjectOf,
    filterResults: (viewerId, record) => filterResults(viewerId, filteredStatusOf(subjectOf(record))),
    cardOf: ({ card }, viewerId) => card && renderCard(card, { cardAccounts, viewerId }),
    collectionsOf: (record) => record.collectionUrls.flatMap((url) => collections.get(url) ?? []),
  }
}

const filteredStatusOf = ({ row: { id, version, account_id: accountId } }: StatusRecord) => ({ id, version, accountId })

/** Returns statuses by their ids; unknown ids have no entry. */
export async function renderStatusMap(
  read: CachedRead,
  input: StatusesInput,
): Promise<Map<string, EntityJson<Status>>> {
  const statuses = new Map<string, EntityJson<Status>>()
  if (input.ids.length === 0) return statuses
  const { renderer, context } = await openStatusRenderer(read, input)
  for (const id of input.ids) {
    const status = statuses.has(id) ? null : renderer.render(id, context)
    if (status !== null) statuses.set(id, status)
  }
  return statuses
}

/** Returns statuses in the order of the ids; unknown ids are omitted. */
export async function renderStatuses(read: CachedRead, input: StatusesInput): Promise<EntityJson<Status>[]> {
  if (input.ids.length === 0) return []
  const { renderer, context } = await openStatusRenderer(read, input)
  return input.ids.map((id) => renderer.render(id, context)).filter((status) => status !== null)
}

/** Returns the same as the body of a response. */
export async function renderStatusPage(read: CachedRead, input: StatusesInput): Promise<EntityJson<Status[]>> {
  return listJson(await renderStatuses(read, input))
}

/** Returns one status. @throws NotFoundError */
export async function renderStatus(
  read: CachedRead,
  { id, ...input }: Omit<StatusesInput, 'ids'> & { id: string },
): Promise<EntityJson<Status>> {
  const [status] = await renderStatuses(read, { ids: [id], ...input })
  if (status === undefined) throw new NotFoundError()
  return status
}
