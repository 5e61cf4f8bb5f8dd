import type { Ctx } from '../domain/context.ts'
import { TooManyRequestsError, ServiceUnavailableError } from '../lib/errors.ts'
import { networkPrefixOf } from '../lib/http/network-prefix-of.ts'
import { RateLimiterUnavailableError } from '../platform/rate-limit/rate-limiter.ts'
import type { Allowance, Throttle } from '../platform/rate-limit/rate-limiter.ts'
import { hostOf } from './wire/read-values.ts'

const MINUTES = 60

/**
 * Fetches of a public key that did not yield the key that made the request's signature. They are counted per network of
 * the client and, for clients that use many networks, per host of the key. The second limit is ten times the first, so
 * that a single client cannot prevent this server from discovering the actors of a host.
 */
const FAILED_KEY_FETCHES = {
  perNetwork: { name: 'failed-keys', limit: 100, windowSeconds: 5 * MINUTES },
  perHost: { name: 'failed-keys-of-host', limit: 1_000, windowSeconds: 5 * MINUTES },
} as const satisfies Record<string, Throttle>

/**
 * Deliveries without a valid signature, per network. Beyond the limit, the inbox reads a body from that network only if
 * a stored key made the signature. An honest network stays far below: only keys that were replaced or deleted in the
 * meantime fail.
 */
export const FAILED_DELIVERIES: Throttle = { name: 'failed-deliveries', limit: 1_000, windowSeconds: 5 * MINUTES }

/** Activities that nothing on this server solicited, per host of their actor: see `inbox/receive/find-relevance.ts`. */
export const UNSOLICITED_ACTIVITIES: Throttle = {
  name: 'unsolicited-activities',
  limit: 300,
  windowSeconds: 5 * MINUTES,
}

/** One use of a throttle, and the key under which it is counted. */
export interface ThrottleUse {
  throttle: Throttle
  key: string
}

/** Returns the throttles for a request from `ip` that makes this server fetch a key, or the key's owner, from `uri`. */
export function keyFetchThrottles({ uri, ip }: { uri: string; ip: string }): ThrottleUse[] {
  return [
    { throttle: FAILED_KEY_FETCHES.perNetwork, key: networkPrefixOf(ip) },
    { throttle: FAILED_KEY_FETCHES.perHost, key: hostOf(uri) ?? '' },
  ]
}

/** 429: a throttle is used up. */
export class ThrottledError extends TooManyRequestsError {
  /** Seconds until the throttle's window ends: the value of `Retry-After`. */
  readonly retryAfterSeconds: number

  constructor({ resetsAt }: Allowance, { now }: { now: Date }) {
    super()
    this.retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000))
  }
}

/**
 * Counts one use of each throttle.
 * @throws ThrottledError · ServiceUnavailableError while the counters are unreachable
 */
export async function countUses(ctx: Ctx, uses: readonly ThrottleUse[]): Promise<void> {
  const now = ctx.now()
  for (const { throttle, key } of uses) {
    const allowance = await ctx.rateLimiter.take(throttle, key, now).catch(throwUnavailable)
    if (allowance.remaining < 0) throw new ThrottledError(allowance, { now })
  }
}

/** Refunds counted uses. If the counters are unreachable, the uses stay counted until the window ends. */
export async function refundUses(ctx: Ctx, uses: readonly ThrottleUse[]): Promise<void> {
  for (const { throttle, key } of uses) {
    await ctx.rateLimiter.refund(throttle, key, ctx.now()).catch((err: unknown) => {
      if (!(err instanceof RateLimiterUnavailableError)) throw err
    })
  }
}

/**
 * Checks a throttle without counting a use.
 * @throws ThrottledError if it is used up · ServiceUnavailableError as `countUses`
 */
export async function checkThrottle(ctx: Ctx, { throttle, key }: ThrottleUse): Promise<void> {
  const now = ctx.now()
  const allowance = await ctx.rateLimiter.peek(throttle, key, now).catch(throwUnavailable)
  if (allowance.remaining <= 0) throw new ThrottledError(allowance, { now })
}

function throwUnavailable(err: unknown): never {
  throw err instanceof RateLimiterUnavailableError ? new ServiceUnavailableError() : err
}
