import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import type { PageSize } from '../../lib/page.ts'
import { readLimit, readOffset } from './paginate.ts'
import { pathOf } from './path-of.ts'

/** The parameters of lists that are paged by counting. */
export const OFFSETS = {
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer({ description: 'How many to leave out at the beginning.' })),
}

interface Part {
  limit: number
  offset: number
}

/** The part of a list that a query asks for. `first`: how large the first page may be; `others`: the next ones. */
export function readPart(
  query: { limit?: number; offset?: number },
  { first, others }: { first: PageSize; others: PageSize },
): Part {
  const offset = readOffset(query.offset)
  return { offset, limit: readLimit(query.limit, offset === 0 ? first : others) }
}

/**
 * Sends the Link header: next after a full page, prev on every page but the first. `count`: of the page's rows.
 * `always`: prev on the first, too, so that there is a header whatever is found.
 */
export function linkOffsets(
  ctx: Ctx,
  {
    request,
    reply,
    count,
    part,
    always = false,
  }: { request: FastifyRequest; reply: FastifyReply; count: number; part: Part; always?: boolean },
): void {
  const { limit, offset } = part
  const links: string[] = []
  const next = offset + limit
  if (limit > 0 && count >= limit && readOffset(next) === next)
    links.push(linkTo(ctx, request, { limit, offset: next }, 'next'))
  if (offset > 0 || always) links.push(linkTo(ctx, request, { limit, offset: Math.max(0, offset - limit) }, 'prev'))
  if (links.length > 0) reply.header('link', links.join(', '))
}

function linkTo(ctx: Ctx, request: FastifyRequest, { limit, offset }: Part, rel: string): string {
  const url = new URL(ctx.config.origin)
  url.pathname = pathOf(ctx, request)
  url.searchParams.set('limit', String(limit))
  url.searchParams.set('offset', String(offset))
  return `<${url.href}>; rel="${rel}"`
}
