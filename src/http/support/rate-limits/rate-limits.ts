import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { TooManyRequestsError, ServiceUnavailableError } from '../../../lib/errors.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import { RateLimiterUnavailableError } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Allowance, Throttle } from '../../../platform/rate-limit/rate-limiter.ts'
import type { RoutePolicy } from '../auth/route-policy.ts'
import { THROTTLES } from './throttles.ts'
import type { ThrottleKey } from './throttles.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The allowances after counting this request. The response headers show the one with the fewest remaining requests.
     */
    allowances: Map<string, Allowance> | null
  }
}

/** Counts a request against the throttles of the API and those of its route policy. @throws TooManyRequestsError */
export async function countRequest(
  ctx: Ctx,
  { request, reply, access }: { request: FastifyRequest; reply: FastifyReply; access: RoutePolicy },
): Promise<void> {
  for (const { throttle, by } of [...generalThrottles(request, access), ...access.throttles]) {
    await countUse(ctx, { request, reply, throttle, key: `${by}:${keyOf(request, by)}` })
  }
}

/**
 * Counts a request against the paging throttle if its cursor was in the body, since `countRequest` runs before the body
 * is parsed. `before`: the query before the body was merged into it. @throws TooManyRequestsError
 */
export async function countPaging(
  ctx: Ctx,
  { request, reply, before }: { request: FastifyRequest; reply: FastifyReply; before: unknown },
): Promise<void> {
  const access = request.routeOptions.config.access
  if (!access || !isThrottled(access) || hasCursor(before) || !hasCursor(request.query)) return
  const { throttle, by } = pagingThrottle(request)
  await countUse(ctx, { request, reply, throttle, key: `${by}:${keyOf(request, by)}` })
}

/**
 * Counts one use of a throttle under the given key, such as an e-mail address.
 * @throws TooManyRequestsError; ServiceUnavailableError if the rate limiter is unavailable and the throttle fails
 * closed
 */
export async function countUse(
  ctx: Ctx,
  { request, reply, throttle, key }: { request: FastifyRequest; reply: FastifyReply; throttle: Throttle; key: string },
): Promise<void> {
  const allowance = await nullIfLimiterUnavailable(ctx.rateLimiter.take(throttle, key, ctx.now()))
  if (!allowance && throttle.failsClosed) throw new ServiceUnavailableError()
  if (!allowance) return
  showAllowance({ request, reply, key, allowance })
  if (allowance.remaining < 0) {
    const seconds = Math.ceil((allowance.resetsAt.getTime() - ctx.now().getTime()) / 1000)
    reply.header('retry-after', String(Math.max(1, seconds)))
    throw new TooManyRequestsError()
  }
}

/** Returns the key of an e-mail address, for `countUse`. */
export function emailKey(email: string): string {
  return `email:${email.trim().toLowerCase()}`
}

/** Up to this size, reading and refusing a body costs little. */
const MAX_REFUNDABLE_BODY_BYTES = 65_536

/**
 * Counts an action (a post, a follow) and performs it. If the action fails, the count is refunded, unless failing was
 * expensive: the body was large, or the action called `markFinal` before it requested other servers or decoded files.
 * @throws TooManyRequestsError before the action if the limit is reached
 */
export async function countAction<T>(
  ctx: Ctx,
  { request, reply, throttle, accountId }: ActionCount,
  action: (markFinal: () => void) => Promise<T>,
): Promise<T> {
  const key = `account:${accountId}`
  await countUse(ctx, { request, reply, throttle, key })
  // A chunked body has no `Content-Length`.
  const bodyBytes = request.headers['transfer-encoding'] ? Infinity : Number(request.headers['content-length'] ?? 0)
  let isFinal = bodyBytes > MAX_REFUNDABLE_BODY_BYTES
  try {
    return await action(() => (isFinal = true))
  } catch (err) {
    if (isFinal) throw err
    const allowance = await nullIfLimiterUnavailable(ctx.rateLimiter.refund(throttle, key, ctx.now()))
    if (allowance) showAllowance({ request, reply, key, allowance })
    throw err
  }
}

/** Sets the rate limit headers for an action, without counting one. */
export async function showActionAllowance(
  ctx: Ctx,
  { request, reply, throttle, accountId }: ActionCount,
): Promise<void> {
  const key = `account:${accountId}`
  const allowance = await nullIfLimiterUnavailable(ctx.rateLimiter.peek(throttle, key, ctx.now()))
  if (allowance) showAllowance({ request, reply, key, allowance })
}

/** Returns null while the rate limiter is unavailable, so that requests are served without being counted. */
async function nullIfLimiterUnavailable(allowance: Promise<Allowance>): Promise<Allowance | null> {
  try {
    return await allowance
  } catch (err) {
    if (err instanceof RateLimiterUnavailableError) return null
    throw err
  }
}

interface ActionCount {
  request: FastifyRequest
  reply: FastifyReply
  throttle: Throttle
  accountId: string
}

function showAllowance({
  request,
  reply,
  key,
  allowance,
}: {
  request: FastifyRequest
  reply: FastifyReply
  key: string
  allowance: Allowance
}): void {
  const allowances = (request.allowances ??= new Map<string, Allowance>())
  allowances.set(`${allowance.throttle.name} ${key}`, allowance)
  let lowest = allowance
  for (const other of allowances.values()) if (other.remaining <= lowest.remaining) lowest = other
  reply.header('x-ratelimit-limit', String(lowest.throttle.limit))
  reply.header('x-ratelimit-remaining', String(Math.max(0, lowest.remaining)))
  reply.header('x-ratelimit-reset', formatReset(lowest.resetsAt.getTime()))
}

let lastReset = { at: Number.NaN, text: '' }

/** Formats the end of a window. Caches the last result, since windows are long and most requests share one. */
function formatReset(at: number): string {
  if (lastReset.at !== at) lastReset = { at, text: new Date(at).toISOString().replace('Z', '000Z') }
  return lastReset.text
}

function generalThrottles(request: FastifyRequest, access: RoutePolicy): { throttle: Throttle; by: ThrottleKey }[] {
  if (!isThrottled(access)) return []
  const list: { throttle: Throttle; by: ThrottleKey }[] = []
  if (isInApi(request)) {
    if (request.viewer === null) list.push({ throttle: THROTTLES.apiAnonymous, by: 'ip' })
    else list.push({ throttle: THROTTLES.apiAccount, by: 'account' })
    // A session has no token.
    if (request.viewer !== null && request.bearer !== null) list.push({ throttle: THROTTLES.apiToken, by: 'token' })
  }
  if (hasCursor(request.query)) list.push(pagingThrottle(request))
  return list
}

/** Whether the general throttles count a request: not for files and streams. */
function isThrottled(access: RoutePolicy): boolean {
  return access.cache !== 'file' && !access.unlimited
}

/** Whether a request is for the API, by the registered path: `/%61pi/…` leads to the same route as `/api/…`. */
function isInApi(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/api/') === true
}

function hasCursor(query: unknown): boolean {
  return ['page', 'min_id', 'max_id', 'since_id'].some((name) => name in (query as object))
}

function pagingThrottle(request: FastifyRequest): { throttle: Throttle; by: ThrottleKey } {
  return { throttle: THROTTLES.paging, by: request.viewer === null ? 'ip' : 'account' }
}

function keyOf(request: FastifyRequest, by: ThrottleKey): string {
  if (by === 'account' && request.viewer) return request.viewer.accountId
  if (by === 'token' && request.bearer) return request.bearer.tokenId
  return networkPrefixOf(request.clientIp)
}
