import { restoreTimeline } from './saved-timelines.ts'
import { findOrCreateTimeline } from './timelines.ts'
import type { TimelineName } from './timeline-sources.ts'
import type { TimelineStore } from './timeline-store.ts'

const opening = new Map<TimelineStore, Promise<void>>()

/** Shows what is stored of a timeline, and loads what is new. Calls at the same time share their requests. */
export async function openTimeline(name: TimelineName): Promise<void> {
  const timeline = findOrCreateTimeline(name)
  let done = opening.get(timeline)
  if (!done) {
    done = open(name, timeline).finally(() => opening.delete(timeline))
    opening.set(timeline, done)
  }
  return done
}

async function open(name: TimelineName, timeline: TimelineStore): Promise<void> {
  const isRestored = await restoreTimeline(name, timeline)
  await timeline.loadNewest()
  if (isRestored) await timeline.refresh()
}

/** Resolves when the first posts are shown, as far as the page has any. What is not needed before waits for it. */
export async function waitForFirstPosts(): Promise<void> {
  await Promise.allSettled(opening.values())
  await new Promise((resolve) =>
    // Safari has no idle callbacks.
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 1_000 }) : setTimeout(resolve, 100),
  )
}
