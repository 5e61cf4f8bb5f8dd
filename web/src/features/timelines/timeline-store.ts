import type { Status } from '../../lib/api/entities.ts'

/** A row of a timeline. A gap stands for the statuses between `id` and `until` that are not loaded. */
export type TimelineEntry = { type: 'status'; id: string } | { type: 'gap'; id: string; until: string }

/** Returns a key that is unique within a timeline. */
export function rowKeyOf({ type, id }: TimelineEntry): string {
  return `${type}-${id}`
}

/** Where a timeline gets its statuses from, the newest first. */
export interface TimelineSource {
  fetchPage(page: { maxId?: string; sinceId?: string; minId?: string; limit: number }): Promise<Status[]>
  /** Saves statuses and returns their ids. */
  save(statuses: readonly Status[]): string[]
  /** Whether the order is not that of the ids, as in a list of bookmarks; then nothing can be requested since an id. */
  isUnordered?: boolean
}

export interface TimelineState {
  /** The newest first. */
  entries: readonly TimelineEntry[]
  /** New statuses that wait until the user asks for them, the newest first. */
  pending: readonly TimelineEntry[]
  /** `first`: the first page is loading. */
  loading: 'first' | 'older' | null
  /** Whether the last request failed, so that the user can retry it. */
  failed: boolean
  /** Whether the oldest status is loaded. */
  complete: boolean
}

const PAGE_SIZE = 20
/** The most that the API returns at once. */
const MAX_PAGE_SIZE = 40

/** Pages of the server may be shorter than requested, because it removes hidden statuses; only an empty one is the last. */
const isLast = (statuses: readonly Status[]) => statuses.length === 0

/**
 * The entries of one timeline. New statuses wait in `pending`, so that nothing moves while the user reads; ranges that
 * were never loaded are gaps.
 */
export class TimelineStore {
  readonly #source: TimelineSource
  readonly #listeners = new Set<() => void>()
  /** The newest status up to which requests, not the stream, have loaded all. */
  #loadedUpTo: string | null = null
  /** The requests for newer statuses that are running. */
  #newest: Promise<void> | null = null
  #isNewestOutdated = false
  #state: TimelineState = { entries: [], pending: [], loading: null, failed: false, complete: false }

  constructor(source: TimelineSource, entries: readonly TimelineEntry[] = []) {
    this.#source = source
    this.#state = { ...this.#state, entries }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getState = (): TimelineState => this.#state

  /**
   * Loads the first page, or, if there are entries already, the statuses since the last call. Calls at the same time, as
   * when a device wakes up, send one request after the other: two pages since the same status would leave two gaps.
   */
  async loadNewest(): Promise<void> {
    this.#isNewestOutdated = true
    this.#newest ??= this.#loadUntilCurrent().finally(() => (this.#newest = null))
    return this.#newest
  }

  async #loadUntilCurrent(): Promise<void> {
    while (this.#isNewestOutdated) {
      this.#isNewestOutdated = false
      await this.#loadNewer()
    }
  }

  async #loadNewer(): Promise<void> {
    // Not the newest entry: the stream may have missed statuses that are older than it.
    const sinceId = this.#loadedUpTo ?? this.#state.entries[0]?.id
    if (sinceId === undefined) return this.#loadFirstPage()
    if (this.#source.isUnordered) return this.#reloadFirst()
    const statuses = await this.#source.fetchPage({ sinceId, limit: PAGE_SIZE }).catch(() => null)
    if (statuses === null || isLast(statuses)) return
    const ids = this.#source.save(statuses)
    this.#loadedUpTo = ids[0]!
    const { entries, pending } = this.#state
    const missing = this.#withoutKnown(ids).map(toEntry)
    const newestShown = entries.find(({ type }) => type === 'status')?.id
    const waits = ({ id }: TimelineEntry) => newestShown === undefined || isNewer(id, newestShown)
    const merged = [...missing, ...gapBelow(statuses, sinceId)]
    this.#set({
      pending: merge(pending, merged.filter(waits)),
      entries: merge(
        entries,
        merged.filter((entry) => !waits(entry)),
      ),
    })
  }

  /** Loads what is new, changed or deleted after a time without the stream. */
  async catchUp(): Promise<void> {
    await this.loadNewest()
    await this.refresh()
  }

  /** Shows stored entries, unless there are others already. Returns whether it did. */
  restore(entries: readonly TimelineEntry[]): boolean {
    if (this.#state.entries.length > 0 || this.#state.loading !== null) return false
    this.#set({ entries })
    return true
  }

  /** Updates the newest entries, and removes those that the server does not have any more. */
  async refresh(): Promise<void> {
    const { entries: shown } = this.#state
    const newest = shown[0]
    if (!newest || this.#source.isUnordered) return
    const maxId = String(BigInt(newest.id) + 1n)
    const statuses = await this.#source
      .fetchPage({ maxId, limit: Math.min(shown.length, MAX_PAGE_SIZE) })
      .catch(() => null)
    if (statuses === null) return
    const present = new Set(this.#source.save(statuses))
    const oldest = statuses.at(-1)?.id
    const newestRequested = this.#loadedUpTo ?? newest.id
    // The feed may not contain a newer one yet, which the user has just posted.
    const isGone = ({ type, id }: TimelineEntry) =>
      type === 'status' &&
      !present.has(id) &&
      !isNewer(id, newestRequested) &&
      !isNewer(id, newest.id) &&
      (oldest === undefined || isNewer(id, oldest))
    const { entries } = this.#state
    if (entries.some(isGone)) this.#set({ entries: entries.filter((entry) => !isGone(entry)) })
  }

  async loadOlder(): Promise<void> {
    const { loading, complete, entries } = this.#state
    const oldest = entries.at(-1)
    if (loading || complete || !oldest) return
    this.#set({ loading: 'older', failed: false })
    try {
      const statuses = await this.#source.fetchPage({ maxId: oldest.id, limit: PAGE_SIZE })
      const ids = this.#withoutKnown(this.#source.save(statuses))
      this.#set({
        entries: [...this.#state.entries, ...ids.map(toEntry)],
        complete: isLast(statuses),
        loading: null,
      })
    } catch {
      this.#set({ loading: null, failed: true })
    }
  }

  /** Loads the statuses directly below the one that a gap follows. The gap stays, further down, if there are more. */
  async fillGap(id: string): Promise<void> {
    const gap = this.#state.entries.find((entry) => entry.type === 'gap' && entry.id === id)
    if (gap?.type !== 'gap') return
    const statuses = await this.#source.fetchPage({ maxId: id, sinceId: gap.until, limit: PAGE_SIZE })
    const added = this.#withoutKnown(this.#source.save(statuses)).map(toEntry)
    const rest = gapBelow(statuses, gap.until)
    this.#set({
      entries: merge(
        this.#state.entries.filter((entry) => entry !== gap),
        [...added, ...rest],
      ),
    })
  }

  /** Adds a new status of the stream to those that wait. An empty timeline, in which nothing can move, shows it at once. */
  receive(status: Status): void {
    const ids = this.#withoutKnown(this.#source.save([status]))
    if (ids.length === 0) return
    this.#set({ pending: [...ids.map(toEntry), ...this.#state.pending] })
    if (this.#state.complete && this.#state.entries.length === 0) this.showPending()
  }

  /** Adds a status that the user has just posted, at once. */
  prepend(status: Status): void {
    const ids = this.#withoutKnown(this.#source.save([status]))
    this.#set({ entries: [...ids.map(toEntry), ...this.#state.pending, ...this.#state.entries], pending: [] })
  }

  remove(id: string): void {
    const isOther = (entry: TimelineEntry) => entry.type === 'gap' || entry.id !== id
    const { entries, pending } = this.#state
    if (entries.every(isOther) && pending.every(isOther)) return
    this.#set({ entries: entries.filter(isOther), pending: pending.filter(isOther) })
  }

  /** Moves the statuses that wait to the top. */
  showPending(): void {
    this.#set({ entries: [...this.#state.pending, ...this.#state.entries], pending: [] })
  }

  async #loadFirstPage(): Promise<void> {
    this.#set({ loading: 'first', failed: false })
    try {
      const statuses = await this.#source.fetchPage({ limit: PAGE_SIZE })
      const ids = this.#source.save(statuses)
      this.#loadedUpTo = ids[0] ?? null
      // The stream may have brought some of them meanwhile.
      const pending = this.#state.pending.filter(({ id }) => !ids.includes(id))
      this.#set({ entries: ids.map(toEntry), pending, complete: isLast(statuses), loading: null })
      if (ids.length === 0) this.showPending()
    } catch {
      this.#set({ loading: null, failed: true })
    }
  }

  /** Puts what is new on the first page above the rest, or replaces all if the page does not reach what is loaded. */
  async #reloadFirst(): Promise<void> {
    const statuses = await this.#source.fetchPage({ limit: PAGE_SIZE }).catch(() => null)
    if (statuses === null) return
    const ids = this.#source.save(statuses)
    const added = this.#withoutKnown(ids)
    if (added.length === 0 && ids.length > 0) return
    const isConnected = added.length < ids.length
    const entries = added.map(toEntry)
    this.#set(isConnected ? { entries: [...entries, ...this.#state.entries] } : { entries, complete: isLast(statuses) })
  }

  #withoutKnown(ids: readonly string[]): string[] {
    const known = new Set([...this.#state.entries, ...this.#state.pending].map(({ id }) => id))
    return ids.filter((id) => !known.has(id))
  }

  #set(change: Partial<TimelineState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the gap between a page and the status since which it was requested; none if the page reaches that status. */
function gapBelow(statuses: readonly Status[], until: string): TimelineEntry[] {
  return statuses.length < PAGE_SIZE ? [] : [{ type: 'gap', id: statuses.at(-1)!.id, until }]
}

/** Ids grow with time. */
export const isNewer = (a: string, b: string) => (a.length === b.length ? a > b : a.length > b.length)

/** Returns both lists as one, the newest first; a gap follows its status. */
function merge(known: readonly TimelineEntry[], added: readonly TimelineEntry[]): readonly TimelineEntry[] {
  if (added.length === 0) return known
  return [...known, ...added].toSorted((a, b) => {
    if (a.id === b.id) return a.type === b.type ? 0 : a.type === 'gap' ? 1 : -1
    return isNewer(a.id, b.id) ? -1 : 1
  })
}

const toEntry = (id: string): TimelineEntry => ({ type: 'status', id })
