import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedRead } from '../../domain/context.ts'
import type { Thread } from '../../domain/statuses/read/find-context.ts'
import type { Context, Status } from '../../entities/statuses/status.ts'
import { streamEntity } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderStatuses } from './render-statuses.ts'

/** How many statuses are rendered before other requests continue: some milliseconds of work without a cache. */
const BATCH = 60

/**
 * Yields the JSON of a Context in parts, so that a thread of thousands of statuses neither delays other requests nor is
 * completely in memory. The caller has checked that the viewer may see the statuses.
 */
export function renderThread(
  read: CachedRead,
  { thread, viewerId }: { thread: Thread; viewerId: string | null },
): AsyncGenerator<string, void, undefined> {
  return streamEntity<Context>({
    ancestors: renderBatches(read, { ids: thread.ancestorIds, viewerId }),
    descendants: renderBatches(read, { ids: thread.descendantIds, viewerId }),
  })
}

async function* renderBatches(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): AsyncGenerator<EntityJson<Status>[], void, undefined> {
  for (let from = 0; from < ids.length; from += BATCH) {
    if (from > 0) await nextTurn()
    yield await renderStatuses(read, { ids: ids.slice(from, from + BATCH), viewerId })
  }
}
