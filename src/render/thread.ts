import { setImmediate as letOthers } from 'node:timers/promises'
import type { Read } from '../domain/context.ts'
import type { Thread } from '../domain/statuses/context.ts'
import { renderStatuses } from './statuses.ts'

/** So many statuses are written before everybody else has their turn: a few milliseconds' work when none is kept. */
const WRITTEN_AT_ONCE = 60

/**
 * The JSON text of a Context, in pieces, so that a thread of thousands neither holds up others nor lies in memory whole.
 * Whether the viewer may see the statuses has been decided before.
 */
export async function* renderThread(
  read: Read,
  { thread, viewerId }: { thread: Thread; viewerId: string | null },
): AsyncGenerator<string, void, undefined> {
  yield '{"ancestors":['
  yield* renderList(read, { ids: thread.ancestorIds, viewerId })
  yield '],"descendants":['
  yield* renderList(read, { ids: thread.descendantIds, viewerId })
  yield ']}'
}

async function* renderList(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): AsyncGenerator<string, void, undefined> {
  let comma = ''
  for (let from = 0; from < ids.length; from += WRITTEN_AT_ONCE) {
    if (from > 0) await letOthers()
    const statuses = await renderStatuses(read, { ids: ids.slice(from, from + WRITTEN_AT_ONCE), viewerId })
    if (statuses.length === 0) continue
    yield comma + statuses.join(',')
    comma = ','
  }
}
