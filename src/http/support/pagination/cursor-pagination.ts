import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Read } from '../../../domain/context.ts'
import { toCursor } from '../../../lib/ids.ts'
import type { Page, PageSize } from '../../../lib/page.ts'
import { requestPathOf } from './request-path.ts'

/** The query parameters of lists that are paged by cursors. */
export const CURSOR_PAGINATION_PARAMS = {
  limit: Type.Optional(Type.Integer()),
  max_id: Type.Optional(Type.String()),
  since_id: Type.Optional(Type.String()),
  min_id: Type.Optional(Type.String()),
}

export interface CursorQuery {
  limit?: number
  max_id?: string
  since_id?: string
  min_id?: string
}

/** The query parameters of ranked lists, which are paged by offsets. */
export const OFFSET_PARAMS = {
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer({ description: 'How many to skip at the top of the list.' })),
}

/** The largest offset in ranked lists. */
const MAX_OFFSET = 10_000

export function readOffset(offset: number | undefined): number {
  return Math.min(Math.abs(offset ?? 0), MAX_OFFSET)
}

/**
 * Returns the requested page. Ignores cursors that are not numbers, and `since_id` beside `min_id`, as Mastodon does. A
 * cursor need not be the id of a row: clients read a list from its end with `min_id=0`.
 */
export function readPage(query: CursorQuery, size: PageSize): Page {
  const [maxId, sinceId, minId] = [query.max_id, query.since_id, query.min_id].map(toCursor)
  return {
    limit: readLimit(query.limit, size),
    ...(maxId === undefined ? {} : { maxId }),
    ...(sinceId === undefined || minId !== undefined ? {} : { sinceId }),
    ...(minId === undefined ? {} : { minId }),
  }
}

export function readLimit(limit: number | undefined, size: PageSize): number {
  return limit === undefined ? size.default : Math.min(Math.abs(limit), size.max)
}

/**
 * Sets the Link header of a page (RFC 8288). `cursors` has one cursor for each row of the page, newest first: the id of
 * the row itself, or of the relationship (a block, a favourite) that put it into the list.
 */
export function setLinkHeader(
  { config }: Pick<Read, 'config'>,
  {
    request,
    reply,
    cursors,
    page,
    carriedParams = [],
    style,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    cursors: readonly string[]
    page: Page
    /** Query parameters that the links repeat, in addition to `limit`. */
    carriedParams?: readonly string[]
    /**
     * `timeline`: both links if there are rows, prev by min_id · `posts`: next only after a full page, prev by min_id ·
     * `list`: next only after a full page, prev by since_id.
     */
    style: 'timeline' | 'posts' | 'list'
  },
): void {
  const oldest = cursors.at(-1)
  const newest = cursors[0]
  if (oldest === undefined || newest === undefined) return
  const url = config.origin + requestPathOf({ config }, request)
  const carriedPairs = carriedPairsOf(request, ['limit', ...carriedParams])
  const link = (rel: string, name: string, cursor: string) => {
    const query = new URLSearchParams(carriedPairs)
    query.set(name, cursor)
    return `<${url}?${query.toString()}>; rel="${rel}"`
  }
  const links: string[] = []
  if (style === 'timeline' || cursors.length >= page.limit) links.push(link('next', 'max_id', oldest))
  links.push(link('prev', style === 'list' ? 'since_id' : 'min_id', newest))
  reply.header('link', links.join(', '))
}

function carriedPairsOf(request: FastifyRequest, names: readonly string[]): [string, string][] {
  const query = request.query as Record<string, unknown>
  const pairs: [string, string][] = []
  for (const name of names) {
    for (const value of [query[name]].flat()) {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
      pairs.push([Array.isArray(query[name]) ? `${name}[]` : name, String(value)])
    }
  }
  return pairs
}
