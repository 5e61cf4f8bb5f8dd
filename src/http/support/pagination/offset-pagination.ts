import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import type { PageSize } from '../../../lib/page.ts'
import { readLimit, readOffset } from './cursor-pagination.ts'
import { requestPathOf } from './request-path.ts'

/** The query parameters of lists that are paged by offsets. */
export const OFFSET_LIST_PARAMS = {
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer({ description: 'How many to skip at the beginning of the list.' })),
}

interface OffsetPage {
  limit: number
  offset: number
}

/** Returns the requested page. The sizes of the first page and of the later ones may differ. */
export function readOffsetPage(
  query: { limit?: number; offset?: number },
  { first, later }: { first: PageSize; later: PageSize },
): OffsetPage {
  const offset = readOffset(query.offset)
  return { offset, limit: readLimit(query.limit, offset === 0 ? first : later) }
}

/**
 * Sets the Link header (RFC 8288): next after a full page, prev on all pages but the first. `count`: the number of rows
 * on the page. `alwaysLinkPrevious`: prev on the first page, too, so that there is always a header.
 */
export function setOffsetLinkHeader(
  ctx: Pick<Ctx, 'config'>,
  {
    request,
    reply,
    count,
    page,
    alwaysLinkPrevious = false,
    filters = {},
  }: {
    request: FastifyRequest
    reply: FastifyReply
    count: number
    page: OffsetPage
    alwaysLinkPrevious?: boolean
    /** Further query parameters, which the links repeat. */
    filters?: Readonly<Record<string, string>>
  },
): void {
  const { limit, offset } = page
  const links: string[] = []
  const next = offset + limit
  if (limit > 0 && count >= limit && readOffset(next) === next)
    links.push(pageLink(ctx, request, { limit, offset: next, filters }, 'next'))
  if (offset > 0 || alwaysLinkPrevious)
    links.push(pageLink(ctx, request, { limit, offset: Math.max(0, offset - limit), filters }, 'prev'))
  if (links.length > 0) reply.header('link', links.join(', '))
}

function pageLink(
  ctx: Pick<Ctx, 'config'>,
  request: FastifyRequest,
  { limit, offset, filters }: OffsetPage & { filters: Readonly<Record<string, string>> },
  rel: string,
): string {
  const url = new URL(ctx.config.origin)
  url.pathname = requestPathOf(ctx, request)
  for (const [name, value] of Object.entries(filters)) url.searchParams.set(name, value)
  url.searchParams.set('limit', String(limit))
  url.searchParams.set('offset', String(offset))
  return `<${url.href}>; rel="${rel}"`
}
