/** A throttle: so many in a window. Windows are fixed and aligned to 1970, as Mastodon's are. */
export interface Throttle {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
  /** Against guessing and flooding: where it can not be counted, it is not done. */
  readonly guards?: boolean
}

/** What is left of a throttle after a request was counted. `remaining` is −1 when the request was one too many. */
export interface Allowance {
  readonly throttle: Throttle
  readonly remaining: number
  readonly resetsAt: Date
}

export interface RateLimiter {
  /** Counts one use. Each @throws LimiterAway */
  take(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Reads without counting. */
  peek(throttle: Throttle, key: string, now: Date): Promise<Allowance>
  /** Takes a use back: what was counted did not happen. */
  giveBack(throttle: Throttle, key: string, now: Date): Promise<Allowance>
}

/** What is counted lies where nobody answers at the moment. */
export class LimiterAway extends Error {
  constructor(options: ErrorOptions) {
    super('the counters of requests can not be reached', options)
  }
}

/** More keys of one throttle are not counted in one window: those that rested longest are forgotten. */
const MAX_KEYS = 100_000

/** What was used in the present window of one throttle, by key, those that rested longest first. */
interface Window {
  readonly endsAt: number
  readonly used: Map<string, number>
}

/**
 * Counters in this process's memory: right for one node. All keys of a throttle share their window, so the counters of
 * a past one go all at once. Each throttle has its own room: a flood of strange keys pushes out nothing of another's.
 */
export function createMemoryRateLimiter({ maxKeys = MAX_KEYS }: { maxKeys?: number } = {}): RateLimiter {
  const windows = new Map<string, Window>()

  const windowOf = ({ name, windowSeconds }: Throttle, now: Date): Window => {
    const windowMs = windowSeconds * 1000
    const endsAt = (Math.floor(now.getTime() / windowMs) + 1) * windowMs
    const known = windows.get(name)
    if (known?.endsAt === endsAt) return known
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
      if (used.size >= maxKeys) forgetResting(used, Math.ceil(maxKeys / 100))
      if (count > 0) used.set(key, count)
    }
    return { throttle, remaining: Math.max(throttle.limit - count, -1), resetsAt: new Date(endsAt) }
  }

  return {
    take: async (throttle, key, now) => add(throttle, { key, now, uses: 1 }),
    peek: async (throttle, key, now) => add(throttle, { key, now, uses: 0 }),
    giveBack: async (throttle, key, now) => add(throttle, { key, now, uses: -1 }),
  }
}

/** Many at once, since finding the first of a Map costs more the more was deleted before it. */
function forgetResting(used: Map<string, number>, many: number): void {
  let left = many
  for (const key of used.keys()) {
    if ((left -= 1) < 0) return
    used.delete(key)
  }
}
