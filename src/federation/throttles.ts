import type { Ctx } from '../domain/context.ts'
import { TooManyRequests, Unavailable } from '../lib/errors.ts'
import { networkOf } from '../lib/network.ts'
import { LimiterAway } from '../platform/rate-limit.ts'
import type { Allowance, Throttle } from '../platform/rate-limit.ts'
import { hostOf } from './wire/read.ts'

const MINUTES = 60

/**
 * Fetches of a public key that did not lead to the key of the request's signature. Per network of the client, and, for
 * clients that use many networks, per host of the key. The second limit is ten times the first, so that a single client
 * cannot keep this server from meeting the actors of a host.
 */
const FAILED_KEYS = {
  perNetwork: { name: 'failed-keys', limit: 100, windowSeconds: 5 * MINUTES },
  perHost: { name: 'failed-keys-of-host', limit: 1_000, windowSeconds: 5 * MINUTES },
} as const satisfies Record<string, Throttle>

/**
 * Deliveries without a valid signature, per network. Beyond it the inbox reads no body from that network unless a stored
 * key made the signature. An honest network stays far below: only keys that were replaced or deleted meanwhile fail.
 */
export const FAILED_DELIVERIES: Throttle = { name: 'failed-deliveries', limit: 1_000, windowSeconds: 5 * MINUTES }

/** Activities that nothing here asked for, per host of their actor: see `inbox/find-concern.ts`. */
export const UNSOLICITED: Throttle = { name: 'unsolicited-activities', limit: 300, windowSeconds: 5 * MINUTES }

/** One thing that is counted, and under which key. */
export interface ThrottleUse {
  throttle: Throttle
  key: string
}

/** What a request from `ip` is counted against that makes this server fetch a key, or the key's owner, from `uri`. */
export function keyFetchUses({ uri, ip }: { uri: string; ip: string }): ThrottleUse[] {
  return [
    { throttle: FAILED_KEYS.perNetwork, key: networkOf(ip) },
    { throttle: FAILED_KEYS.perHost, key: hostOf(uri) ?? '' },
  ]
}

/** 429: a throttle is used up. */
export class Throttled extends TooManyRequests {
  /** Until the throttle's window ends: the value of `Retry-After`. */
  readonly retryAfterSeconds: number

  constructor({ resetsAt }: Allowance, { now }: { now: Date }) {
    super()
    this.retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000))
  }
}

/** Counts one use of each. @throws Throttled · Unavailable while it cannot be counted */
export async function countUses(ctx: Ctx, uses: readonly ThrottleUse[]): Promise<void> {
  const now = ctx.now()
  for (const { throttle, key } of uses) {
    const allowance = await ctx.limiter.take(throttle, key, now).catch(answerUnavailable)
    if (allowance.remaining < 0) throw new Throttled(allowance, { now })
  }
}

/** Takes counted uses back. Where the counters cannot be reached, they stay counted until the window ends. */
export async function giveBackUses(ctx: Ctx, uses: readonly ThrottleUse[]): Promise<void> {
  for (const { throttle, key } of uses) {
    await ctx.limiter.giveBack(throttle, key, ctx.now()).catch((err: unknown) => {
      if (!(err instanceof LimiterAway)) throw err
    })
  }
}

/** Throws if a throttle is used up, without counting. @throws Throttled · Unavailable as `countUses` */
export async function refuseIfUsedUp(ctx: Ctx, { throttle, key }: ThrottleUse): Promise<void> {
  const now = ctx.now()
  const allowance = await ctx.limiter.peek(throttle, key, now).catch(answerUnavailable)
  if (allowance.remaining <= 0) throw new Throttled(allowance, { now })
}

function answerUnavailable(err: unknown): never {
  throw err instanceof LimiterAway ? new Unavailable() : err
}
