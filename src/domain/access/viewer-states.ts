import type { Epoch } from '../../platform/db/invalidations.ts'
import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead } from '../context.ts'
import { quoterRelations } from './quoter-relations.ts'

/** The interactions of a viewer with the status `shown`: SQL for the rows that record each, with `d.account_id`. */
const INTERACTIONS = {
  favourited: 'favourites d where d.status_id = shown.id',
  reblogged: 'statuses d where d.reblog_of_id = shown.id and d.deleted_at is null',
  bookmarked: 'bookmarks d where d.status_id = shown.id',
  muted: 'conversation_mutes d where d.conversation_id = shown.conversation_id',
} as const

/** All conditions on a viewer: interactions with a status, and relations to its author. */
export const VIEWER_CONDITIONS = { ...INTERACTIONS, ...quoterRelations('shown') } as const

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

/** Returns an SQL expression with an account's choices in the poll of the status in `column` as JSON; null for none. */
export function choicesOf(column: string, account: string): string {
  return `(select jsonb_agg(v.choice order by v.choice) from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = ${column} and v.account_id = ${account}::bigint)`
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

/** Caches states of a viewer that were read with something else. `since`: the epoch before they were read. */
export function cacheViewerStates(
  { invalidations }: Pick<CachedRead, 'invalidations'>,
  { viewerId, rows, since }: { viewerId: string; rows: readonly ViewerStateRow[]; since: Epoch },
): void {
  // The cache stores the rows, so they must not contain other columns.
  const values = rows.map((row) => ({
    id: row.id,
    favourited: row.favourited,
    reblogged: row.reblogged,
    bookmarked: row.bookmarked,
    muted: row.muted,
    follows_author: row.follows_author,
    followed_by_author: row.followed_by_author,
    is_blocked: row.is_blocked,
    choices: row.choices,
    filters_version: row.filters_version,
  }))
  cache.set(invalidations, { viewerId, values, since })
}
