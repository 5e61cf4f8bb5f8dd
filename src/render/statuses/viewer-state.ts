import type { CachedRead, Read } from '../../domain/context.ts'
import type { Epoch } from '../../platform/db/invalidations.ts'
import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import { choicesOf } from '../polls/render-polls.ts'
import { AUTHOR_RELATIONS, QUOTE_COLUMNS, quoteStateFor } from './quotes.ts'
import type { QuoteState } from './quotes.ts'

/** The interactions of a viewer with the status `shown`: SQL for the rows that record each, with `d.account_id`. */
const INTERACTIONS = {
  favourited: 'favourites d where d.status_id = shown.id',
  reblogged: 'statuses d where d.reblog_of_id = shown.id and d.deleted_at is null',
  bookmarked: 'bookmarks d where d.status_id = shown.id',
  muted: 'conversation_mutes d where d.conversation_id = shown.conversation_id',
} as const

/** All conditions on a viewer: interactions with a status, and relations to its author. */
export const VIEWER_CONDITIONS = { ...INTERACTIONS, ...AUTHOR_RELATIONS } as const

/** The viewer state of a status. */
export interface ViewerState extends Record<keyof typeof VIEWER_CONDITIONS, boolean> {
  /** Zero-based indexes of the options that the viewer chose in the poll of the status; null for none. */
  choices: number[] | null
}

export interface ViewerStateRow extends ViewerState {
  id: string
  /** The version of the viewer's filters; 0 without filters. */
  filters_version: number
}

/** Returns the columns of a `ViewerStateRow` without the id. `viewer`: SQL for the account id of the viewer. */
export function viewerStateColumns(viewer: string): string {
  const conditions = Object.entries(VIEWER_CONDITIONS).map(
    ([name, rows]) => `exists (select from ${rows} and d.account_id = ${viewer} offset 0) as ${name}`,
  )
  return `${conditions.join(', ')}, ${choicesOf('shown.id', viewer)} as choices,
     coalesce((select u.filters_version from users u where u.account_id = ${viewer}), 0) as filters_version`
}

const select = statement<{ params: { missingIds: readonly string[]; viewerId: string }; row: ViewerStateRow }>(
  `select shown.id, ${viewerStateColumns('$viewerId')} from statuses shown where shown.id = any($missingIds::bigint[])`,
)

const cache = new ViewerCache<ViewerStateRow>({
  valueBytes: 280,
  keyOf: ({ id }) => id,
  isInvalidated: (invalidations, { id }, since) => invalidations.isInvalidated('status', id, since),
})

/** Returns the viewer state of each of these statuses, and the version of the viewer's filters, 0 for none. */
export async function findViewerStates(
  read: CachedRead,
  { ids, viewerId }: { ids: Iterable<string>; viewerId: string },
): Promise<{ states: Map<string, ViewerState>; filtersVersion: number }> {
  const load = async (missing: string[]) => select(read.db, { missingIds: missing, viewerId })
  const states = new Map<string, ViewerState>()
  let filtersVersion = 0
  for (const row of await cache.find(read.invalidations, { viewerId, keys: ids, load })) {
    if (row === undefined) continue
    states.set(row.id, row)
    filtersVersion = Math.max(filtersVersion, row.filters_version)
  }
  return { states, filtersVersion }
}

/** Caches the state of a viewer that was read with something else. `since`: the epoch before it was read. */
export function cacheViewerState(
  { invalidations }: CachedRead,
  { viewerId, row, since }: { viewerId: string; row: ViewerStateRow; since: Epoch },
): void {
  cache.set(invalidations, { viewerId, value: row, since })
}

/** Returns a query for a column of the statuses `$ids` that have a quote. */
export function selectQuoting(column: string): string {
  return `select shown.id, ${column} from (
    select s.id, ${QUOTE_COLUMNS} from statuses s join quotes quote on quote.status_id = s.id
    where s.id = any($ids::bigint[])) shown`
}

const selectQuoteStates = statement<{
  params: { ids: readonly string[]; viewerId: string | null }
  row: { id: string; state: QuoteState | null }
}>(selectQuoting(`${quoteStateFor('$viewerId')} as state`))

/**
 * Returns the state of the quote in each of these statuses that quotes another one, as a viewer sees it (`viewerId`
 * null: an anonymous viewer). The states depend on too many rows to be cached, so each request queries them.
 */
export async function findQuoteStates(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Map<string, QuoteState | null>> {
  if (ids.length === 0) return new Map()
  const rows = await selectQuoteStates(read.db, { ids, viewerId })
  return new Map(rows.map((row) => [row.id, row.state]))
}
