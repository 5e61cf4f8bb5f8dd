import { statement } from '../../platform/db/statement.ts'
import type { Epoch, Invalidations } from '../../platform/db/invalidations.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead } from '../context.ts'
import { cacheViewerStates, viewerStateColumns } from './viewer-states.ts'
import type { ViewerStateRow } from './viewer-states.ts'
import { visibleTo } from './visibility.ts'

const VALUE_BYTES = 240

/** A status that is visible to a viewer, with its author, and the status that it reblogs with its author. */
interface VisibleStatus {
  id: string
  author: string
  original: string | null
  original_author: string | null
}

interface VisibilityInput {
  ids: readonly string[]
  /** null for anonymous. */
  viewerId: string | null
}

function isInvalidated(invalidations: Invalidations, status: VisibleStatus, since: Epoch): boolean {
  const { id, author, original, original_author: originalAuthor } = status
  return (
    invalidations.isInvalidated('status', id, since) ||
    invalidations.isInvalidated('account', author, since) ||
    (original !== null && invalidations.isInvalidated('status', original, since)) ||
    (originalAuthor !== null && invalidations.isInvalidated('account', originalAuthor, since))
  )
}

/**
 * Returns a function that filters ids of statuses by visibility to a viewer and by `condition`, SQL over the alias `s`
 * of `statuses` with the viewer as `$viewerId`. The condition may depend on the status, on the one that it reblogs, on
 * their authors, on the follows, mutes and blocks of the viewer, and on blocks of the viewer by others. Only visible
 * statuses are cached, because a mute may expire at any time.
 */
export function createVisibilityFilter(
  condition = 'true',
): (read: CachedRead, input: VisibilityInput) => Promise<string[]> {
  const select = statement<{
    params: { viewerId: string | null; missingIds: readonly string[] }
    row: Omit<VisibleStatus, 'id'> & ViewerStateRow & { status_id: string }
  }>(
    `select s.id as status_id, s.account_id as author,
       case when s.reblog_of_id is not null then shown.id end as original,
       case when s.reblog_of_id is not null then shown.account_id end as original_author,
       shown.id, ${viewerStateColumns('$viewerId')}
     from statuses s join statuses shown on shown.id = coalesce(s.reblog_of_id, s.id)
     where s.id = any($missingIds::bigint[]) and ${visibleTo('$viewerId')} and ${condition}`,
  )
  const cache = new ViewerCache<VisibleStatus>({
    valueBytes: VALUE_BYTES,
    keyOf: ({ id }) => id,
    isInvalidated,
  })
  return async ({ db, invalidations }, { ids, viewerId }) => {
    if (ids.length === 0) return []
    const load = async (missingIds: string[]) => {
      const since = invalidations.epoch
      const rows = await select(db, { viewerId, missingIds })
      // Most callers render the statuses, which would take another statement.
      if (viewerId !== null) cacheViewerStates({ invalidations }, { viewerId, rows, since })
      return rows.map(({ status_id: id, author, original, original_author }) => ({
        id,
        author,
        original,
        original_author,
      }))
    }
    const visible = await cache.find(invalidations, { viewerId, keys: ids, load })
    return visible.flatMap((status) => status?.id ?? [])
  }
}

/** Returns the statuses that the viewer may see, in the given order. */
export const filterVisibleStatuses = createVisibilityFilter()
