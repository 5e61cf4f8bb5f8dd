import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Read } from '../../domain/context.ts'
import { isId } from '../../lib/ids.ts'
import type { Page, PageSize } from '../../lib/page.ts'
import { pathOf } from './path-of.ts'

/** The parameters of every paged list. */
export const PAGING = {
  limit: Type.Optional(Type.Integer()),
  max_id: Type.Optional(Type.String()),
  since_id: Type.Optional(Type.String()),
  min_id: Type.Optional(Type.String()),
}

interface PagingQuery {
  limit?: number
  max_id?: string
  since_id?: string
  min_id?: string
}

/** The parameters of lists that are ranked, in which pages are counted from the top. */
export const OFFSET_PAGING = {
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer({ description: 'So many are left out at the top.' })),
}

/** Nobody pages further than this through what is ranked. */
const MAX_OFFSET = 10_000

export function readOffset(offset: number | undefined): number {
  return Math.min(Math.abs(offset ?? 0), MAX_OFFSET)
}

/** Reads the page that a query asks for. A cursor that is no id is as if it had not been sent. */
export function readPage(query: PagingQuery, size: PageSize): Page {
  return {
    limit: readLimit(query.limit, size),
    ...(isId(query.max_id) ? { maxId: query.max_id } : {}),
    ...(isId(query.since_id) ? { sinceId: query.since_id } : {}),
    ...(isId(query.min_id) ? { minId: query.min_id } : {}),
  }
}

export function readLimit(limit: number | undefined, size: PageSize): number {
  return limit === undefined ? size.default : Math.min(Math.abs(limit), size.max)
}

/**
 * Sends the Link header of a page. `cursors` are those of the page's rows, newest first: the ids of the rows
 * themselves, or of the relation (a block, a favourite) that put them into the list.
 */
export function linkPages(
  { config }: Pick<Read, 'config'>,
  {
    request,
    reply,
    cursors,
    page,
    keep = [],
    style,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    cursors: readonly string[]
    page: Page
    /** Parameters, beside the limit, that the links carry on. */
    keep?: readonly string[]
    /**
     * `timeline`: both links whenever there are rows, prev by min_id · `posts`: next only from a full page ·
     * `list`: the same, and prev by since_id.
     */
    style: 'timeline' | 'posts' | 'list'
  },
): void {
  const oldest = cursors.at(-1)
  const newest = cursors[0]
  if (oldest === undefined || newest === undefined) return
  const address = config.origin + pathOf({ config }, request)
  const carried = carriedOn(request, ['limit', ...keep])
  const link = (rel: string, name: string, cursor: string) => {
    const query = new URLSearchParams(carried)
    query.set(name, cursor)
    return `<${address}?${query.toString()}>; rel="${rel}"`
  }
  const links: string[] = []
  if (style === 'timeline' || cursors.length >= page.limit) links.push(link('next', 'max_id', oldest))
  links.push(link('prev', style === 'list' ? 'since_id' : 'min_id', newest))
  reply.header('link', links.join(', '))
}

function carriedOn(request: FastifyRequest, names: readonly string[]): [string, string][] {
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
