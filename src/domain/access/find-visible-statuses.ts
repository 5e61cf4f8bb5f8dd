import { shareEqual } from '../../lib/memory/share-equal.ts'
import { createBatch } from '../../platform/create-batch.ts'
import type { Db } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Epoch, Invalidations } from '../../platform/db/invalidations.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead } from '../context.ts'
import { cacheViewerStates, viewerStateColumns } from './viewer-states.ts'
import type { ViewerStateRow } from './viewer-states.ts'
import { visibleTo } from './visibility.ts'

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

/** How many statuses are shared by the entries of different viewers. */
const MAX_SHARED = 20_000

const share = shareEqual<VisibleStatus>({ max: MAX_SHARED, keyOf: (status) => Object.values(status).join(' ') })

function isInvalidated(
  invalidations: Invalidations,
  { value: status, since }: { value: VisibleStatus; since: Epoch },
): boolean {
  const { id, author, original, original_author: originalAuthor } = status
  return (
    invalidations.isInvalidated('status', id, since) ||
    invalidations.isInvalidated('account', author, since) ||
    (original !== null && invalidations.isInvalidated('status', original, since)) ||
    (originalAuthor !== null && invalidations.isInvalidated('account', originalAuthor, since))
  )
}

/** The statuses that one request asks for. */
interface Question {
  viewerId: string | null
  ids: readonly string[]
}

interface AnswerRow extends Omit<VisibleStatus, 'id'>, ViewerStateRow {
  /** The position of the question. */
  place: number
  status_id: string
}

/** How many questions share a statement at most. */
const MAX_QUESTIONS = 16

/**
 * Returns a function that filters ids of statuses by visibility to a viewer and by `condition`, which returns SQL over
 * the alias `s` of `statuses` for a viewer. The condition may depend on the status, on the one that it reblogs, on
 * their authors, on the follows, mutes and blocks of the viewer, and on blocks of the viewer by others. Only visible
 * statuses are cached, because a mute may expire at any time. Concurrent requests share a statement, and it also reads
 * the viewer states, because most callers render the statuses.
 */
export function createVisibilityFilter(
  condition: (viewer: string) => string = () => 'true',
): (read: CachedRead, input: VisibilityInput) => Promise<string[]> {
  const select = statement<{
    params: { places: readonly number[]; viewerIds: readonly (string | null)[]; statusIds: readonly string[] }
    row: AnswerRow
  }>(
    `select asked.place, s.id as status_id, s.account_id as author,
       case when s.reblog_of_id is not null then shown.id end as original,
       case when s.reblog_of_id is not null then shown.account_id end as original_author,
       shown.id, ${viewerStateColumns('asked.viewer')}
     from unnest($places::integer[], $viewerIds::bigint[], $statusIds::bigint[]) asked (place, viewer, status_id)
       join statuses s on s.id = asked.status_id join statuses shown on shown.id = coalesce(s.reblog_of_id, s.id)
     where ${visibleTo('asked.viewer')} and ${condition('asked.viewer')}`,
  )
  const answer = createBatch<Db, Question, AnswerRow[]>(
    async (db, questions) => {
      const asked = questions.flatMap(({ viewerId, ids }, place) => ids.map((id) => ({ place, viewerId, id })))
      const rows = await select(db, {
        places: asked.map(({ place }) => place),
        viewerIds: asked.map(({ viewerId }) => viewerId),
        statusIds: asked.map(({ id }) => id),
      })
      const answers: AnswerRow[][] = questions.map(() => [])
      for (const row of rows) answers[row.place]!.push(row)
      return answers
    },
    { maxItems: MAX_QUESTIONS },
  )
  const cache = new ViewerCache<VisibleStatus>({
    valueBytes: 0,
    isInvalidated,
  })
  return async ({ db, invalidations }, { ids, viewerId }) => {
    if (ids.length === 0) return []
    const load = async (missingIds: string[]) => {
      const since = invalidations.epoch
      const rows = await answer(db, { viewerId, ids: missingIds })
      if (viewerId !== null) cacheViewerStates({ invalidations }, { viewerId, rows, since })
      return rows.map(({ status_id: id, author, original, original_author }) => {
        const status = share({ id, author, original, original_author })
        return [status.id, status] as const
      })
    }
    const visible = await cache.find(invalidations, { viewerId, keys: ids, load })
    return visible.flatMap((status) => status?.id ?? [])
  }
}

/** Returns the statuses that the viewer may see, in the given order. */
export const filterVisibleStatuses = createVisibilityFilter()
