import { shareEqual } from '../../lib/memory/share-equal.ts'
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
  /** The version of the viewer's filters; 0 without filters. */
  filters_version: number
}

export interface ViewerStateRow extends ViewerState {
  id: string
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

const cache = new ViewerCache<ViewerState>({
  valueBytes: 0,
  isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('status', key, since),
})

/** How many different states are shared. Most viewers have not interacted with most statuses. */
const MAX_SHARED = 10_000

const share = shareEqual<ViewerState>({ max: MAX_SHARED, keyOf: (state) => Object.values(state).join(' ') })

/** Returns the states with the ids of their statuses, for the cache. */
const keyedStates = (rows: readonly ViewerStateRow[]) =>
  rows.map((row) => {
    const { favourited, reblogged, bookmarked, muted, choices, filters_version } = row
    const { follows_author, followed_by_author, is_blocked } = row
    const interactions = { favourited, reblogged, bookmarked, muted, choices }
    return [
      row.id,
      share({ ...interactions, follows_author, followed_by_author, is_blocked, filters_version }),
    ] as const
  })

/** Returns the viewer state of each of these statuses, and the version of the viewer's filters, 0 for none. */
export async function findViewerStates(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): Promise<{ states: Map<string, ViewerState>; filtersVersion: number }> {
  const load = async (missingIds: string[]) => keyedStates(await select(read.db, { missingIds, viewerId }))
  const states = new Map<string, ViewerState>()
  let filtersVersion = 0
  const found = await cache.find(read.invalidations, { viewerId, keys: ids, load })
  for (const [n, id] of ids.entries()) {
    const state = found[n]
    if (state === undefined) continue
    states.set(id, state)
    filtersVersion = Math.max(filtersVersion, state.filters_version)
  }
  return { states, filtersVersion }
}

/** Caches states of a viewer that were read with something else. `since`: the epoch before they were read. */
export function cacheViewerStates(
  { invalidations }: Pick<CachedRead, 'invalidations'>,
  { viewerId, rows, since }: { viewerId: string; rows: readonly ViewerStateRow[]; since: Epoch },
): void {
  cache.set(invalidations, { viewerId, values: keyedStates(rows), since })
}
