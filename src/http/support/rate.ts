import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { TooManyRequests, Unavailable } from '../../lib/errors.ts'
import { networkOf } from '../../lib/network.ts'
import { LimiterAway } from '../../platform/rate-limit.ts'
import type { Allowance, Throttle } from '../../platform/rate-limit.ts'
import type { Access } from './terms.ts'
import { THROTTLES } from './throttles.ts'
import type { RateKey } from './throttles.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What was counted for this request. The answer's headers tell of the one that has least left. */
    allowances: Map<string, Allowance> | null
  }
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

/**
 * Counts a request against the throttle of pages when its body named the page: `countRequest` runs before the body is
 * read. `before`: the query as it was then. @throws TooManyRequests
 */
export async function countPaging(
  ctx: Ctx,
  { request, reply, before }: { request: FastifyRequest; reply: FastifyReply; before: unknown },
): Promise<void> {
  const access = request.routeOptions.config.access
  if (!access || !isCounted(request, access) || isPaged(before) || !isPaged(request.query)) return
  const { throttle, by } = pagingThrottle(request)
  await countAgainst(ctx, { request, reply, throttle, key: `${by}:${keyOf(request, by)}` })
}

/**
 * Counts one use of one throttle under a key of its own, such as an e-mail address.
 * @throws TooManyRequests · Unavailable where a throttle that guards can not be counted
 */
export async function countAgainst(
  ctx: Ctx,
  { request, reply, throttle, key }: { request: FastifyRequest; reply: FastifyReply; throttle: Throttle; key: string },
): Promise<void> {
  const allowance = await unlessAway(ctx.limiter.take(throttle, key, ctx.now()))
  if (!allowance && throttle.guards) throw new Unavailable()
  if (!allowance) return
  showAllowance({ request, reply, key, allowance })
  if (allowance.remaining < 0) {
    const seconds = Math.ceil((allowance.resetsAt.getTime() - ctx.now().getTime()) / 1000)
    reply.header('retry-after', String(Math.max(1, seconds)))
    throw new TooManyRequests()
  }
}

/** A body up to so many bytes is cheap to read and to refuse. */
const MAX_CHEAP_BODY_BYTES = 65_536

/**
 * Counts a deed (a post, a follow) while it is done. When it fails, the count is given back, unless refusing it has
 * cost much: its body was large, or the deed has called `spend` before it asked other servers or decoded files.
 * @throws TooManyRequests before the deed when nothing is left
 */
export async function countDeed<T>(
  ctx: Ctx,
  { request, reply, throttle, accountId }: Deed,
  deed: (spend: () => void) => Promise<T>,
): Promise<T> {
  const key = `account:${accountId}`
  await countAgainst(ctx, { request, reply, throttle, key })
  // A body in chunks does not say how long it is.
  const bodyBytes = request.headers['transfer-encoding'] ? Infinity : Number(request.headers['content-length'] ?? 0)
  let isSpent = bodyBytes > MAX_CHEAP_BODY_BYTES
  try {
    return await deed(() => (isSpent = true))
  } catch (err) {
    if (isSpent) throw err
    const allowance = await unlessAway(ctx.limiter.giveBack(throttle, key, ctx.now()))
    if (allowance) showAllowance({ request, reply, key, allowance })
    throw err
  }
}

/** Tells in the headers what is left of such deeds, without counting one. */
export async function showDeeds(ctx: Ctx, { request, reply, throttle, accountId }: Deed): Promise<void> {
  const key = `account:${accountId}`
  const allowance = await unlessAway(ctx.limiter.peek(throttle, key, ctx.now()))
  if (allowance) showAllowance({ request, reply, key, allowance })
}

/** Whoever reads and writes may go on while nothing can be counted. */
async function unlessAway(counting: Promise<Allowance>): Promise<Allowance | null> {
  try {
    return await counting
  } catch (err) {
    if (err instanceof LimiterAway) return null
    throw err
  }
}

interface Deed {
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
  const all = (request.allowances ??= new Map<string, Allowance>())
  all.set(`${allowance.throttle.name} ${key}`, allowance)
  let least = allowance
  for (const other of all.values()) if (other.remaining <= least.remaining) least = other
  reply.header('x-ratelimit-limit', String(least.throttle.limit))
  reply.header('x-ratelimit-remaining', String(Math.max(0, least.remaining)))
  reply.header('x-ratelimit-reset', resetText(least.resetsAt.getTime()))
}

let lastReset = { at: Number.NaN, text: '' }

/** Windows are few and long, so the same end of one is told again and again. */
function resetText(at: number): string {
  if (lastReset.at !== at) lastReset = { at, text: new Date(at).toISOString().replace('Z', '000Z') }
  return lastReset.text
}

function generalThrottles(request: FastifyRequest, access: Access): { throttle: Throttle; by: RateKey }[] {
  if (!isCounted(request, access)) return []
  const person = request.viewer !== null
  const list: { throttle: Throttle; by: RateKey }[] = person
    ? [
        { throttle: THROTTLES.apiAccount, by: 'account' },
        { throttle: THROTTLES.apiToken, by: 'token' },
      ]
    : [{ throttle: THROTTLES.apiAnonymous, by: 'ip' }]
  if (isPaged(request.query)) list.push(pagingThrottle(request))
  return list
}

/** Whether the throttles of the whole API count a request. */
function isCounted(request: FastifyRequest, access: Access): boolean {
  // The route's own path: `/%61pi/…` leads to the same route as `/api/…`.
  return request.routeOptions.url?.startsWith('/api/') === true && access.cache !== 'file' && !access.unlimited
}

function isPaged(query: unknown): boolean {
  return ['page', 'min_id', 'max_id', 'since_id'].some((name) => name in (query as object))
}

function pagingThrottle(request: FastifyRequest): { throttle: Throttle; by: RateKey } {
  return { throttle: THROTTLES.paging, by: request.viewer === null ? 'ip' : 'account' }
}

function keyOf(request: FastifyRequest, by: RateKey): string {
  if (by === 'account' && request.viewer) return request.viewer.accountId
  if (by === 'token' && request.bearer) return request.bearer.tokenId
  return networkOf(request.ip)
}
