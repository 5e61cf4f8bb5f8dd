import { LRUCache } from 'lru-cache'
import { Postponed } from '../jobs/postponed.ts'
import { FetchFailed } from './refusals.ts'

/** A request that is not answered completely after this time counts as slow. */
const SLOW_MS = 1_000

/** Part of all places that the requests of one sender may hold. */
const SENDER_SHARE = 1 / 4

/** Part of all places that slow requests may hold together, and those of one sender. */
const SLOW_SHARE = 1 / 4
const SLOW_SENDER_SHARE = 1 / 8

/** Requests at once to a host that was slow the last time, or never asked. */
const UNPROVEN_PER_HOST = 4

/** A host that gave no answer gets no other request in the background for this time. */
const SILENT_MS = 30_000

/** For how long a place is expected to be taken: postponed jobs come back at this pace instead of all at once. */
const TURN_MS = 1_000
const SLOW_TURN_MS = 2_000
const MAX_DELAY_MS = 600_000

/** Hosts and senders that are remembered at once. */
const MAX_REMEMBERED = 10_000

/** Says that a request is made by a job, for which no user waits. */
export interface Background {
  /** Whose activity, or which kind of work, made the request necessary: one of them gets a part of the places only. */
  readonly sender: string
}

/** Places of which each request holds one until it ends. */
interface Limit {
  places: number
  turnMs: number
  taken: number
  /** When the next postponed job may come back, by `performance.now()`. */
  nextTurn: number
}

interface Host {
  speed: 'unknown' | 'prompt' | 'slow'
  /** By `performance.now()`. */
  silentUntil: number
  unproven: Limit
}

interface Sender {
  all: Limit
  slow: Limit
}

/** What a request to a host is allowed to do. */
export interface Place {
  /** Ends the request: it was answered (null), or it failed with an error. Without either nothing is learnt about the host. */
  leave(failure?: unknown): void
}

/**
 * Limits how many requests of jobs wait for hosts that do not answer, over all and for each sender, so that the other
 * jobs always have places left. `places`: how many jobs may wait for other servers at once.
 */
export class FetchShares {
  readonly #hosts = new LRUCache<string, Host>({ max: MAX_REMEMBERED })
  readonly #senders = new LRUCache<string, Sender>({ max: MAX_REMEMBERED })
  readonly #slow: Limit
  readonly #places: number

  constructor({ places }: { places: number }) {
    this.#places = places
    this.#slow = limitOf(places * SLOW_SHARE, SLOW_TURN_MS)
  }

  /**
   * Begins a request, and calls `abort` if it becomes slow while all places for slow ones are taken. Requests that are
   * not in the background are not limited; they only show how the host does.
   * @throws Postponed if there is no place now · FetchFailed if the host gave no answer a moment ago
   */
  enter({
    url,
    background,
    abort,
  }: {
    url: string
    background: Background | undefined
    abort: (reason: Postponed) => void
  }): Place {
    const name = URL.parse(url)?.host ?? ''
    const host = findOrCreate(this.#hosts, name, newHost)
    const begun = performance.now()
    const held = background ? this.#admit(name, { host, background }) : []
    const slowLimits = background ? [this.#slow, this.#senderOf(background).slow, host.unproven] : []
    const check = () => {
      const missing = slowLimits.filter((limit) => !held.includes(limit))
      const full = missing.filter(isFull)
      host.speed = 'slow'
      if (full.length > 0) return abort(postpone(`${name} is slow`, full))
      held.push(...take(missing))
    }
    // An answer that came while the process was busy is read before the check.
    const timer = background && setTimeout(() => setImmediate(() => isOpen && check()), SLOW_MS)
    let isOpen = true
    return {
      leave: (failure) => {
        if (!isOpen) return
        isOpen = false
        clearTimeout(timer)
        for (const limit of held) limit.taken -= 1
        const isAnswered = failure === null
        if (isAnswered || failure instanceof FetchFailed) learn(host, { isAnswered, ms: performance.now() - begun })
      },
    }
  }

  #admit(name: string, { host, background }: { host: Host; background: Background }): Limit[] {
    if (host.silentUntil > performance.now()) {
      throw new FetchFailed('timeout', `${name} gave no answer a moment ago`)
    }
    const sender = this.#senderOf(background)
    const needed = [sender.all]
    if (host.speed !== 'prompt') needed.push(host.unproven)
    if (host.speed === 'slow') needed.push(this.#slow, sender.slow)
    const full = needed.filter(isFull)
    if (full.length > 0) throw postpone(`no place for a request to ${name}`, full)
    return take(needed)
  }

  #senderOf({ sender }: Background): Sender {
    const create = () => ({
      all: limitOf(this.#places * SENDER_SHARE, TURN_MS),
      slow: limitOf(this.#places * SLOW_SENDER_SHARE, SLOW_TURN_MS),
    })
    return findOrCreate(this.#senders, sender, create)
  }
}

function learn(host: Host, { isAnswered, ms }: { isAnswered: boolean; ms: number }): void {
  // A host that refuses at once keeps no place from others.
  host.speed = ms < SLOW_MS ? 'prompt' : 'slow'
  host.silentUntil = !isAnswered && ms >= SLOW_MS ? performance.now() + SILENT_MS : 0
}

function newHost(): Host {
  return { speed: 'unknown', silentUntil: 0, unproven: limitOf(UNPROVEN_PER_HOST, TURN_MS) }
}

function limitOf(places: number, turnMs: number): Limit {
  return { places: Math.max(1, Math.ceil(places)), turnMs, taken: 0, nextTurn: 0 }
}

function isFull({ taken, places }: Limit): boolean {
  return taken >= places
}

function take(limits: Limit[]): Limit[] {
  for (const limit of limits) limit.taken += 1
  return limits
}

function postpone(reason: string, full: readonly Limit[]): Postponed {
  const now = performance.now()
  for (const limit of full) {
    limit.nextTurn = Math.min(Math.max(limit.nextTurn, now) + limit.turnMs / limit.places, now + MAX_DELAY_MS)
  }
  const delayMs = Math.max(...full.map(({ nextTurn }) => nextTurn)) - now
  return new Postponed(reason, { delayMs: delayMs * (0.8 + 0.2 * Math.random()) })
}

/** Returns the value of a name, which is created for a name that is not there. */
function findOrCreate<T extends object>(all: LRUCache<string, T>, name: string, create: () => T): T {
  const known = all.get(name)
  if (known) return known
  const created = create()
  all.set(name, created)
  return created
}
