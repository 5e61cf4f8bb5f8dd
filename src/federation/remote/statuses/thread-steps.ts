import type { WireObject, WireValue } from '../../wire/normalize.ts'
import { idOf, isOfType, isSameHost, listOf, objectOf } from '../../wire/read-values.ts'

/** Statuses that are read from one collection. */
const MAX_ITEMS = 500

/** The activities in which collections of threads contain their statuses, and how deep they are nested. */
const ACTIVITIES = new Set(['Add', 'Announce', 'Create', 'Update'])
const MAX_DEPTH = 3

/** A thread: the URI of its collection (FEP-7888), and of the status whose document names it. */
export interface ThreadReference {
  uri: string
  statusUri: string
}

/** What a collection lists: the replies to a status, by its URI, or a thread. */
type Listing = { repliesTo: string } | { thread: ThreadReference }

/** A status to be fetched. It must be what the collection lists; without one, it is the start of the refresh. */
export interface StatusStep {
  uri: string
  inReplyTo?: string
  thread?: ThreadReference
}

/** A page of a collection. `remaining`: how many more statuses may be read from it. */
export type PageStep = Listing & { uri: string; remaining: number }

/** A part of a thread to be fetched. Stored as JSON while the refresh runs. */
export type Step = StatusStep | PageStep

export function isPage(step: Step): step is PageStep {
  return 'remaining' in step
}

/**
 * Returns the pending and the new steps, without duplicates and with at most `maxStatuses` statuses. The replies to a
 * known status are only read if it was listed as a reply, so that such a step has precedence over one of the thread.
 */
export function mergeSteps(pending: readonly Step[], next: readonly Step[], maxStatuses: number): Step[] {
  const all = new Map<string, Step>()
  for (const step of [...pending, ...next]) {
    const other = all.get(step.uri)
    if (!other || 'thread' in other) all.set(step.uri, step)
  }
  let statuses = 0
  return [...all.values()].filter((step) => isPage(step) || (statuses += 1) <= maxStatuses)
}

/** Returns the steps for the replies that a status embeds, and for the first page of its replies collection. */
export function readReplySteps(status: WireObject, uri: string): Step[] {
  const source: PageStep = { uri, repliesTo: uri, remaining: MAX_ITEMS }
  const collection = objectOf(status['replies'])
  const isEmbedded = ['first', 'items', 'orderedItems'].some((name) => collection?.[name] !== undefined)
  return collection && isEmbedded ? readPageSteps(collection, source) : readNextPage(status['replies'], source)
}

/** Returns the step for the collection of a status's thread, which can be on any server; none if it names none. */
export function readThreadSteps(status: WireObject, statusUri: string): PageStep[] {
  const uri = idOf(status['context'])
  return uri === null ? [] : [{ uri, thread: { uri, statusUri }, remaining: MAX_ITEMS }]
}

/** Returns the steps for the items of a collection or page, and for its next page. */
export function readPageSteps(page: WireObject, step: PageStep): Step[] {
  const items = [...listOf(page['orderedItems']), ...listOf(page['items'])]
  const uris = items.map((item) => statusUriOf(item)).filter((uri) => uri !== null)
  const listed = 'thread' in step ? { thread: step.thread } : { inReplyTo: step.repliesTo }
  const steps = uris.slice(0, step.remaining).map((uri): StatusStep => ({ uri, ...listed }))
  // An empty page counts as one status, so that the sequence of pages ends.
  const rest = { ...step, remaining: step.remaining - Math.max(1, items.length) }
  const first = objectOf(page['first'])
  return [...steps, ...(first ? readPageSteps(first, rest) : readNextPage(page['first'] ?? page['next'], rest))]
}

function readNextPage(value: WireValue | undefined, step: PageStep): PageStep[] {
  const uri = idOf(value)
  return uri !== null && step.remaining > 0 && isSameHost(uri, step.uri) ? [{ ...step, uri }] : []
}

/** Returns the URI of a status, or of the one in an activity. */
function statusUriOf(item: WireValue): string | null {
  let inner = item
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const activity = objectOf(inner)
    if (!activity || !isOfType(activity, ACTIVITIES) || activity['object'] === undefined) break
    inner = activity['object']
  }
  return idOf(inner)
}
