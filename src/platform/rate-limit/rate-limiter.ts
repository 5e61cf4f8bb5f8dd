/** A limit of uses per window. Windows are fixed and aligned to 1970, like Mastodon's. */
export interface Throttle {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
  /** Whether requests are refused if the counter is unavailable. For throttles against guessing and flooding. */
  readonly failsClosed?: boolean
}

/** The state of a throttle after a request. `remaining` is −1 if the request exceeds the limit. */
export interface Allowance {
  readonly throttle: Throttle
  readonly remaining: number
  readonly resetsAt: Date
}

export interface RateLimiter {
  /** Counts one use. @throws RateLimiterUnavailableError, like the other methods */
  take(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Reads without counting. */
  peek(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Undoes one use. */
  refund(throttle: Throttle, key: string, now: Date): Promise<Allowance>
}

/** Thrown if the counters are unreachable. */
export class RateLimiterUnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('the request counters are unreachable', options)
  }
}

/** Maximum of keys per throttle. The least recently used ones are evicted. */
const MAX_KEYS = 100_000

/** The uses in the current window of one throttle by key, the least recently used first. */
interface ThrottleWindow {
  readonly endsAt: number
  readonly used: Map<string, number>
}

/**
 * Counts in the memory of this process, which is correct for a single process. All keys of a throttle share a window,
 * so the counters of a past window are deleted together. The limit of keys applies per throttle, so that a flood of
 * keys does not evict counters of other throttles.
 */
export function createMemoryRateLimiter({ maxKeys = MAX_KEYS }: { maxKeys?: number } = {}): RateLimiter {
  const windows = new Map<string, ThrottleWindow>()

  const windowOf = ({ name, windowSeconds }: Throttle, now: Date): ThrottleWindow => {
    const windowMs = windowSeconds * 1000
    const endsAt = (Math.floor(now.getTime() / windowMs) + 1) * windowMs
    const current = windows.get(name)
    if (current?.endsAt === endsAt) return current
    const fresh = { endsAt, used: new Map<string, number>() }
    windows.set(name, fresh)
    return fresh
  }
  const add = (throttle: Throttle, { key, now, uses }: { key: string; now: Date; uses: number }): Allowance => {
    const { used, endsAt } = windowOf(throttle, now)
    const before = used.get(key) ?? 0
    const count = Math.max(0, before + uses)
    if (uses !== 0) {
      used.delete(key)
      if (used.size >= maxKeys) evictOldest(used, Math.ceil(maxKeys / 100))
      if (count > 0) used.set(key, count)
    }
    return { throttle, remaining: Math.max(throttle.limit - count, -1), resetsAt: new Date(endsAt) }
  }

  return {
    take: async (throttle, key, now) => add(throttle, { key, now, uses: 1 }),
    peek: async (throttle, key, now) => add(throttle, { key, now, uses: 0 }),
    refund: async (throttle, key, now) => add(throttle, { key, now, uses: -1 }),
  }
}

/** Evicts several keys together, because finding the first key of a Map is slower the more were deleted before it. */
function evictOldest(used: Map<string, number>, count: number): void {
  let left = count
  for (const key of used.keys()) {
    if ((left -= 1) < 0) return
    used.delete(key)
  }
}
