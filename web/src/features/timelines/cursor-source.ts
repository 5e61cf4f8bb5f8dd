import { toPage } from '../../lib/api/pages.ts'
import type { Status } from '../../lib/api/entities.ts'
import { saveStatuses } from '../statuses/status-store.ts'
import type { TimelineSource } from './timeline-store.ts'

/**
 * Returns a source whose pages begin at cursors that are no ids of statuses: bookmarks are ordered by the time of the
 * bookmark. The server names the cursor of the next page in the `Link` header.
 */
export function createCursorSource(
  fetchRaw: (page: { maxId?: string; limit: number }) => PromiseLike<{ headers: Headers; data: unknown }>,
): TimelineSource {
  /** The cursor of the page below a status; null below the last one. */
  const cursors = new Map<string, string | null>()
  /** The cursor below all that was loaded, for when the last status has been removed since. */
  let deepest: string | null | undefined
  return {
    isUnordered: true,
    save: saveStatuses,
    async fetchPage({ maxId, limit }) {
      const cursor = maxId === undefined ? undefined : cursors.has(maxId) ? cursors.get(maxId) : deepest
      if (cursor === null) return []
      const { items, maxId: next } = toPage<Status>(await fetchRaw({ limit, ...(cursor ? { maxId: cursor } : {}) }))
      const last = items.at(-1)
      if (last) cursors.set(last.id, next)
      if (maxId !== undefined || deepest === undefined) deepest = next
      return [...items]
    },
  }
}
