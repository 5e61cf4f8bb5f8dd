import { deleteValue, readValue, writeValue } from '../../lib/database.ts'
import { accountKey } from '../../lib/offline-data.ts'
import { currentAccountId } from '../../lib/session.ts'
import { statusStore } from '../statuses/status-store.ts'
import type { StoredStatus } from '../statuses/status-store.ts'
import { timelineKey } from './timeline-sources.ts'
import type { TimelineName } from './timeline-sources.ts'
import type { TimelineEntry, TimelineStore } from './timeline-store.ts'

/** The start of a timeline as it is stored, with all statuses that its entries show. */
interface SavedTimeline {
  entries: readonly TimelineEntry[]
  statuses: readonly StoredStatus[]
}

const SAVED_TYPES: ReadonlySet<TimelineName['type']> = new Set(['home', 'public', 'local', 'remote', 'list', 'tag'])
/** More than the screens that most users read, so that a reload finds the place again. */
const MAX_ENTRIES = 300
const SAVE_DELAY_MS = 1_000
/** Users open many hashtags once. */
const MAX_TAGS = 10
const SAVED_TAGS = 'saved-tags'

/** Shows the stored start of a timeline that is empty. Returns whether there was one. */
export async function restoreTimeline(name: TimelineName, timeline: TimelineStore): Promise<boolean> {
  if (!SAVED_TYPES.has(name.type)) return false
  const saved = await readValue<SavedTimeline>('timelines', keyOf(name)).catch(() => undefined)
  if (!saved || saved.entries.length === 0) return false
  for (const status of saved.statuses) if (!statusStore.get(status.id)) statusStore.save(status)
  return timeline.restore(saved.entries)
}

/** Stores the start of a timeline some time after each change. Returns a function that ends it. */
export function saveTimelineOnChange(name: TimelineName, timeline: TimelineStore): () => void {
  if (!SAVED_TYPES.has(name.type)) return () => undefined
  let saved = timeline.getState().entries
  let timer: ReturnType<typeof setTimeout> | null = null
  const save = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const { entries } = timeline.getState()
    if (entries === saved || entries.length === 0) return
    saved = entries
    void write(name, toSaved(entries.slice(0, MAX_ENTRIES))).catch(() => undefined)
  }
  const unsubscribe = timeline.subscribe(() => (timer ??= setTimeout(save, SAVE_DELAY_MS)))
  document.addEventListener('visibilitychange', save)
  return () => {
    save()
    unsubscribe()
    document.removeEventListener('visibilitychange', save)
  }
}

async function write(name: TimelineName, timeline: SavedTimeline): Promise<void> {
  await writeValue('timelines', keyOf(name), timeline)
  if (name.type === 'tag') await limitTags(keyOf(name))
}

/** Records that the timeline of a hashtag was stored, and deletes the one that was stored the longest ago. */
async function limitTags(key: string): Promise<void> {
  const listKey = accountKey(currentAccountId(), SAVED_TAGS)
  const others = ((await readValue<string[]>('timelines', listKey)) ?? []).filter((other) => other !== key)
  await writeValue('timelines', listKey, [key, ...others].slice(0, MAX_TAGS))
  for (const outdated of others.slice(MAX_TAGS - 1)) await deleteValue('timelines', outdated)
}

function toSaved(entries: readonly TimelineEntry[]): SavedTimeline {
  const statuses = new Map<string, StoredStatus>()
  const collect = (id: string | null | undefined): void => {
    const status = id ? statusStore.get(id) : undefined
    if (!status || statuses.has(status.id)) return
    statuses.set(status.id, status)
    collect(status.reblogId)
    collect(status.quote?.quotedStatusId)
  }
  for (const { type, id } of entries) if (type === 'status') collect(id)
  return { entries, statuses: [...statuses.values()] }
}

const keyOf = (name: TimelineName) => accountKey(currentAccountId(), timelineKey(name))
