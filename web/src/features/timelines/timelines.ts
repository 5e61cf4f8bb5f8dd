import { listenTo, onStreamOpen } from '../../lib/stream-events.ts'
import type { Account, Status } from '../../lib/api/entities.ts'
import { saveStatus, statusStore } from '../statuses/status-store.ts'
import { TimelineStore } from './timeline-store.ts'
import { sourceOf, streamOf, timelineKey } from './timeline-sources.ts'
import type { TimelineName } from './timeline-sources.ts'

/** The timelines of this window. They outlive their pages, so that a page that is opened again is where it was. */
const timelines = new Map<string, TimelineStore>()

/** Returns the timeline, which starts empty. */
export function findOrCreateTimeline(name: TimelineName): TimelineStore {
  const key = timelineKey(name)
  let timeline = timelines.get(key)
  if (!timeline) timelines.set(key, (timeline = new TimelineStore(sourceOf(name))))
  return timeline
}

/** Keeps a timeline up to date from its stream. Returns a function that ends it. */
export function connectTimeline(name: TimelineName): () => void {
  const timeline = findOrCreateTimeline(name)
  const stream = streamOf(name)
  if (!stream) return () => undefined
  const stopCatchingUp = onStreamOpen(() => void timeline.catchUp())
  const stopListening = listenTo(stream, ({ event, payload }) => {
    if (event === 'update') timeline.receive(payload as unknown as Status)
    else if (event === 'status.update') saveStatus(payload as unknown as Status)
    else if (event === 'delete') removeStatus(payload)
    else if (event === 'filters_changed') void timeline.refresh()
  })
  return () => {
    stopCatchingUp()
    stopListening()
  }
}

/** Removes a deleted status from all timelines. */
export function removeStatus(id: string): void {
  for (const timeline of timelines.values()) timeline.remove(id)
  statusStore.delete(id)
}

/** Removes the statuses of accounts that the user does not want to see any more, and boosts of them, from all timelines. */
export function removeStatusesOf(isHidden: (account: Account) => boolean): void {
  for (const timeline of timelines.values()) {
    const { entries, pending } = timeline.getState()
    for (const { id } of [...entries, ...pending]) {
      const status = statusStore.get(id)
      const inner = status?.reblogId ? statusStore.get(status.reblogId) : undefined
      if ((status && isHidden(status.account)) || (inner && isHidden(inner.account))) timeline.remove(id)
    }
  }
}

/** Shows a status that the user has just posted at the top of the home timeline. */
export function showOwnStatus(status: Status): void {
  timelines.get(timelineKey({ type: 'home' }))?.prepend(status)
}

/** Updates the newest statuses of all timelines, because the user's filters have changed what they show. */
export function refreshTimelines(): void {
  for (const timeline of timelines.values()) void timeline.refresh()
}

/** Discards a timeline whose content has changed as a whole, so that it loads from the start. */
export function resetTimeline(name: TimelineName): void {
  timelines.delete(timelineKey(name))
}
