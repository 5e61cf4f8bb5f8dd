import { LRUCache } from 'lru-cache'
import { PostponedError } from '../jobs/postponed-error.ts'
import { FetchFailedError } from './fetch-errors.ts'

/** A request without a complete response after this time counts as slow. */
const SLOW_MS = 1_000

/** The share of all slots that the requests of one sender may use. */
const SENDER_SHARE = 1 / 4

/** The share of all slots that slow requests may use: all of them together, and those of one sender. */
const SLOW_SHARE = 1 / 4
const SLOW_SENDER_SHARE = 1 / 8

/** Maximum of concurrent requests to a host that was slow the last time or that has had no request yet. */
const MAX_REQUESTS_TO_UNPROVEN_HOST = 4

/** How long a host that did not respond receives no further background requests. */
const UNRESPONSIVE_MS = 30_000

/** How long a request is expected to use a slot. Postponed jobs retry at this rate instead of all together. */
const EXPECTED_REQUEST_MS = 1_000
const EXPECTED_SLOW_REQUEST_MS = 2_000
const MAX_DELAY_MS = 600_000

/** Maximum of tracked hosts and of tracked senders. */
const MAX_TRACKED = 10_000

/** Marks a request of a job, for which no user waits. */
export interface BackgroundRequest {
  /** The remote server or the kind of work that caused the request. Each sender may use only a share of the slots. */
  readonly sender: string
  /**
   * The receiver must not get the request twice, so it is not aborted when it becomes slow. Requests to a host that has
   * not responded yet then need a slot for slow requests from the beginning.
   */
  readonly isSentOnce?: boolean
}

/** A number of slots. Each request uses one until it ends. */
interface ConcurrencyLimit {
  max: number
  slotMs: number
  used: number
  /** When the next postponed job may retry, by `performance.now()`. */
  nextRetryAt: number
}

interface HostState {
  speed: 'unknown' | 'fast' | 'slow'
  /** By `performance.now()`. */
  unresponsiveUntil: number
  unprovenLimit: ConcurrencyLimit
}

interface SenderLimits {
  all: ConcurrencyLimit
  slow: ConcurrencyLimit
}

/** An admitted request. */
export interface RequestSlot {
  /** Ends the request with a response (null) or an error. Undefined does not change the state of the host. */
  end(failure?: unknown): void
}

/**
 * Limits how many requests of jobs wait for hosts that do not respond, in total and for each sender, so that other jobs
 * always have free slots. `maxConcurrent`: how many jobs may wait for other servers at the same time.
 */
export class FetchLimiter {
  readonly #hosts = new LRUCache<string, HostState>({ max: MAX_TRACKED })
  readonly #senders = new LRUCache<string, SenderLimits>({ max: MAX_TRACKED })
  readonly #slow: ConcurrencyLimit
  readonly #maxConcurrent: number

  constructor({ maxConcurrent }: { maxConcurrent: number }) {
    this.#maxConcurrent = maxConcurrent
    this.#slow = createLimit(maxConcurrent * SLOW_SHARE, EXPECTED_SLOW_REQUEST_MS)
  }

  /**
   * Begins a request. Calls `abort` if it becomes slow while all slots for slow requests are in use, unless it is sent
   * only once. Requests without `background` are not limited; they only update the state of the host.
   * @throws PostponedError if no slot is free
   * @throws FetchFailedError if the host did not respond recently
   */
  begin({
    url,
    background,
    abort,
  }: {
    url: string
    background: BackgroundRequest | undefined
    abort: (reason: PostponedError) => void
  }): RequestSlot {
    const name = URL.parse(url)?.host ?? ''
    const host = findOrCreate(this.#hosts, name, createHostState)
    const startedAt = performance.now()
    const acquired = background ? this.#admit(name, { host, background }) : []
    const slowLimits = background ? [this.#slow, this.#senderOf(background).slow, host.unprovenLimit] : []
    const check = () => {
      const missing = slowLimits.filter((limit) => !acquired.includes(limit))
      const full = missing.filter(isFull)
      host.speed = 'slow'
      if (full.length > 0 && !background?.isSentOnce) return abort(createPostponedError(`${name} is slow`, full))
      acquired.push(...acquire(missing))
    }
    // setImmediate: a response that arrived while the process was busy is read before the check.
    const timer = background && setTimeout(() => setImmediate(() => isOpen && check()), SLOW_MS)
    let isOpen = true
    return {
      end: (failure) => {
        if (!isOpen) return
        isOpen = false
        clearTimeout(timer)
        for (const limit of acquired) limit.used -= 1
        const isAnswered = failure === null
        if (isAnswered || failure instanceof FetchFailedError)
          recordOutcome(host, { isAnswered, ms: performance.now() - startedAt })
      },
    }
  }

  #admit(name: string, { host, background }: { host: HostState; background: BackgroundRequest }): ConcurrencyLimit[] {
    if (host.unresponsiveUntil > performance.now()) {
      throw new FetchFailedError('timeout', `${name} did not respond recently`)
    }
    const sender = this.#senderOf(background)
    const needed = [sender.all]
    if (host.speed !== 'fast') needed.push(host.unprovenLimit)
    if (host.speed === 'slow' || (host.speed === 'unknown' && background.isSentOnce)) {
      needed.push(this.#slow, sender.slow)
    }
    const full = needed.filter(isFull)
    if (full.length > 0) throw createPostponedError(`no free slot for a request to ${name}`, full)
    return acquire(needed)
  }

  #senderOf({ sender }: BackgroundRequest): SenderLimits {
    const create = () => ({
      all: createLimit(this.#maxConcurrent * SENDER_SHARE, EXPECTED_REQUEST_MS),
      slow: createLimit(this.#maxConcurrent * SLOW_SENDER_SHARE, EXPECTED_SLOW_REQUEST_MS),
    })
    return findOrCreate(this.#senders, sender, create)
  }
}

function recordOutcome(host: HostState, { isAnswered, ms }: { isAnswered: boolean; ms: number }): void {
  // A host that refuses immediately is fast, too: its requests do not occupy slots.
  host.speed = ms < SLOW_MS ? 'fast' : 'slow'
  host.unresponsiveUntil = !isAnswered && ms >= SLOW_MS ? performance.now() + UNRESPONSIVE_MS : 0
}

function createHostState(): HostState {
  return {
    speed: 'unknown',
    unresponsiveUntil: 0,
    unprovenLimit: createLimit(MAX_REQUESTS_TO_UNPROVEN_HOST, EXPECTED_REQUEST_MS),
  }
}

function createLimit(slots: number, slotMs: number): ConcurrencyLimit {
  return { max: Math.max(1, Math.ceil(slots)), slotMs, used: 0, nextRetryAt: 0 }
}

function isFull({ used, max }: ConcurrencyLimit): boolean {
  return used >= max
}

function acquire(limits: ConcurrencyLimit[]): ConcurrencyLimit[] {
  for (const limit of limits) limit.used += 1
  return limits
}

function createPostponedError(reason: string, full: readonly ConcurrencyLimit[]): PostponedError {
  const now = performance.now()
  for (const limit of full) {
    limit.nextRetryAt = Math.min(Math.max(limit.nextRetryAt, now) + limit.slotMs / limit.max, now + MAX_DELAY_MS)
  }
  const delayMs = Math.max(...full.map(({ nextRetryAt }) => nextRetryAt)) - now
  return new PostponedError(reason, { delayMs: delayMs * (0.8 + 0.2 * Math.random()) })
}

/** Returns the value of a name, and creates it if it does not exist. */
function findOrCreate<T extends object>(all: LRUCache<string, T>, name: string, create: () => T): T {
  const existing = all.get(name)
  if (existing) return existing
  const created = create()
  all.set(name, created)
  return created
}
