import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Ctx } from '../../domain/context.ts'
import { TooManyRequests } from '../../lib/errors.ts'
import { createMemoryRateLimiter } from '../../platform/rate-limit.ts'
import type { Allowance, RateLimiter, Throttle } from '../../platform/rate-limit.ts'
import type { Access } from './terms.ts'
import { THROTTLES } from './throttles.ts'
import type { RateKey } from './throttles.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The throttle with the least left, which the answer's headers tell of. */
    allowance: Allowance | null
  }
}

const limiters = new WeakMap<object, RateLimiter>()

function limiterOf(ctx: Ctx): RateLimiter {
  let limiter = limiters.get(ctx.config)
  if (!limiter) limiters.set(ctx.config, (limiter = createMemoryRateLimiter()))
  return limiter
}

/** Counts a request against the throttles of the API and those of its row. @throws TooManyRequests */
export async function countRequest(
  ctx: Ctx,
  { request, reply, access }: { request: FastifyRequest; reply: FastifyReply; access: Access },
): Promise<void> {
  for (const { throttle, by } of [...generalThrottles(request, access), ...access.throttles]) {
    await countAgainst(ctx, { request, reply, throttle, key: `${by}:${keyOf(request, by)}` })
  }
}

/** Counts one use of one throttle under a key of its own, such as an e-mail address. @throws TooManyRequests */
export async function countAgainst(
  ctx: Ctx,
  { request, reply, throttle, key }: { request: FastifyRequest; reply: FastifyReply; throttle: Throttle; key: string },
): Promise<void> {
  const allowance = await limiterOf(ctx).take(throttle, key, ctx.now())
  showAllowance(request, reply, allowance)
  if (allowance.remaining < 0) {
    const seconds = Math.ceil((allowance.resetsAt.getTime() - ctx.now().getTime()) / 1000)
    reply.header('retry-after', String(Math.max(1, seconds)))
    throw new TooManyRequests()
  }
}

/**
 * Counts a deed (a post, a follow) while it is done, and takes the count back if it fails.
 * @throws TooManyRequests before the deed when nothing is left
 */
export async function countDeed<T>(
  ctx: Ctx,
  {
    request,
    reply,
    throttle,
    accountId,
  }: { request: FastifyRequest; reply: FastifyReply; throttle: Throttle; accountId: string },
  deed: () => Promise<T>,
): Promise<T> {
  const key = `account:${accountId}`
  await countAgainst(ctx, { request, reply, throttle, key })
  try {
    return await deed()
  } catch (err) {
    await limiterOf(ctx).giveBack(throttle, key, ctx.now())
    throw err
  }
}

function showAllowance(request: FastifyRequest, reply: FastifyReply, allowance: Allowance): void {
  if (request.allowance && request.allowance.remaining < allowance.remaining) return
  request.allowance = allowance
  reply.header('x-ratelimit-limit', String(allowance.throttle.limit))
  reply.header('x-ratelimit-remaining', String(Math.max(0, allowance.remaining)))
  reply.header('x-ratelimit-reset', allowance.resetsAt.toISOString().replace('Z', '000Z'))
}

function generalThrottles(request: FastifyRequest, access: Access): { throttle: Throttle; by: RateKey }[] {
  if (!request.url.startsWith('/api/') || access.cache === 'file') return []
  const person = request.viewer !== null
  const list: { throttle: Throttle; by: RateKey }[] = person
    ? [
        { throttle: THROTTLES.apiAccount, by: 'account' },
        { throttle: THROTTLES.apiToken, by: 'token' },
      ]
    : [{ throttle: THROTTLES.apiAnonymous, by: 'ip' }]
  const query = request.query as Record<string, unknown>
  if (['page', 'min_id', 'max_id', 'since_id'].some((name) => name in query)) {
    list.push({ throttle: THROTTLES.paging, by: person ? 'account' : 'ip' })
  }
  return list
}

function keyOf(request: FastifyRequest, by: RateKey): string {
  if (by === 'account' && request.viewer) return request.viewer.accountId
  if (by === 'token' && request.bearer) return request.bearer.tokenId
  return networkOf(request.ip)
}

/** An IPv6 customer holds a whole /64, so that is who is counted. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
