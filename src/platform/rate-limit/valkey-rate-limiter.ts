import { createHash } from 'node:crypto'
import type { Allowance, RateLimiter, Throttle } from './rate-limiter.ts'
import { RateLimiterUnavailableError } from './rate-limiter.ts'
import type { Valkey } from '../connect-valkey.ts'
import type { Log } from '../log/log.ts'
import { reportFirstFailure } from '../log/report-first-failure.ts'

/** Changes a counter atomically and returns the new value. KEYS: counter; ARGV: change, milliseconds. */
const COUNT_SCRIPT = `
local count = math.max(0, tonumber(redis.call('get', KEYS[1]) or '0') + tonumber(ARGV[1]))
if ARGV[1] ~= '0' then redis.call('set', KEYS[1], count, 'PX', ARGV[2]) end
return count`

/** Counts in Valkey, which all processes share. A counter expires one window after its last use. */
export function createValkeyRateLimiter({ client, keyPrefix }: Valkey, { log }: { log: Log }): RateLimiter {
  // Without memory or disk, or as a replica, Valkey responds but accepts no writes. Lost connections are logged already.
  const refusals = reportFirstFailure(log, 'Valkey counts no requests, so users can neither log in nor sign up', {
    recovery: 'Valkey counts requests again',
  })
  const add = async (
    throttle: Throttle,
    { key, now, uses }: { key: string; now: Date; uses: number },
  ): Promise<Allowance> => {
    const { name, limit, windowSeconds } = throttle
    const windowMs = windowSeconds * 1000
    const window = Math.floor(now.getTime() / windowMs)
    // Hashed, because keys contain e-mail addresses and IP addresses.
    const digest = createHash('sha256').update(key).digest('base64url')
    const counter = `${keyPrefix}rate:${name}:${window}:${digest}`
    const count = await client.eval(COUNT_SCRIPT, 1, counter, uses, windowMs).catch((err: unknown) => {
      if (err instanceof Error && err.name === 'ReplyError') refusals.failed(err)
      throw new RateLimiterUnavailableError({ cause: err })
    })
    // A use of 0 writes nothing.
    if (uses !== 0) refusals.succeeded()
    return {
      throttle,
      remaining: Math.max(limit - Number(count), -1),
      resetsAt: new Date((window + 1) * windowMs),
    }
  }
  return {
    take: async (throttle, key, now) => add(throttle, { key, now, uses: 1 }),
    peek: async (throttle, key, now) => add(throttle, { key, now, uses: 0 }),
    refund: async (throttle, key, now) => add(throttle, { key, now, uses: -1 }),
  }
}
