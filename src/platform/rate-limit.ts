/** A throttle: so many in a window. Windows are fixed and aligned to 1970, as Mastodon's are. */
export interface Throttle {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** What is left of a throttle after a request was counted. `remaining` is −1 when the request was one too many. */
export interface Allowance {
  readonly throttle: Throttle
  readonly remaining: number
  readonly resetsAt: Date
}

export interface RateLimiter {
  /** Counts one use. */
  take(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Reads without counting. */
  peek(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Takes a use back: what was counted did not happen. */
  giveBack(throttle: Throttle, key: string, now: Date): Promise<void>
}

/** Above this many counters, those of past windows are swept out. */
const SWEEP_AT = 50_000

/** Counters in this process's memory: right for one node. */
export function createMemoryRateLimiter(): RateLimiter {
  const counters = new Map<string, { used: number; endsAt: number }>()

  const find = (throttle: Throttle, key: string, now: Date) => {
    const windowMs = throttle.windowSeconds * 1000
    const endsAt = (Math.floor(now.getTime() / windowMs) + 1) * windowMs
    const id = `${throttle.name}:${key}`
    const known = counters.get(id)
    if (known && known.endsAt === endsAt) return known
    if (counters.size >= SWEEP_AT) sweep(counters, now)
    const fresh = { used: 0, endsAt }
    counters.set(id, fresh)
    return fresh
  }
  const tell = (throttle: Throttle, counter: { used: number; endsAt: number }): Allowance => ({
    throttle,
    remaining: Math.max(throttle.limit - counter.used, -1),
    resetsAt: new Date(counter.endsAt),
  })

  return {
    async take(throttle, key, now) {
      const counter = find(throttle, key, now)
      counter.used += 1
      return tell(throttle, counter)
    },
    async peek(throttle, key, now) {
      return tell(throttle, find(throttle, key, now))
    },
    async giveBack(throttle, key, now) {
      const counter = find(throttle, key, now)
      counter.used = Math.max(0, counter.used - 1)
    },
  }
}

function sweep(counters: Map<string, { endsAt: number }>, now: Date): void {
  for (const [id, { endsAt }] of counters) if (endsAt <= now.getTime()) counters.delete(id)
}
