import { createHash } from 'node:crypto'
import type { Allowance, RateLimiter, Throttle } from '../rate-limit.ts'
import { LimiterAway } from '../rate-limit.ts'
import type { Valkey } from './connect.ts'

/** One step, so that of many at once none is lost. Gives the count after it. KEYS: counter; ARGV: change, milliseconds. */
const COUNT = `
local count = math.max(0, tonumber(redis.call('get', KEYS[1]) or '0') + tonumber(ARGV[1]))
if ARGV[1] ~= '0' then redis.call('set', KEYS[1], count, 'PX', ARGV[2]) end
return count`

/** Counters that all processes share. Each is forgotten a window after its last use. */
export function createValkeyRateLimiter({ client, prefix }: Valkey): RateLimiter {
  const add = async (
    throttle: Throttle,
    { key, now, uses }: { key: string; now: Date; uses: number },
  ): Promise<Allowance> => {
    const { name, limit, windowSeconds } = throttle
    const windowMs = windowSeconds * 1000
    const window = Math.floor(now.getTime() / windowMs)
    // Keys are addresses of mail and of machines.
    const digest = createHash('sha256').update(key).digest('base64url')
    const counter = `${prefix}rate:${name}:${window}:${digest}`
    const count = await client.eval(COUNT, 1, counter, uses, windowMs).catch((err: unknown) => {
      throw new LimiterAway({ cause: err })
    })
    return {
      throttle,
      remaining: Math.max(limit - Number(count), -1),
      resetsAt: new Date((window + 1) * windowMs),
    }
  }
  return {
    take: async (throttle, key, now) => add(throttle, { key, now, uses: 1 }),
    peek: async (throttle, key, now) => add(throttle, { key, now, uses: 0 }),
    giveBack: async (throttle, key, now) => add(throttle, { key, now, uses: -1 }),
  }
}
