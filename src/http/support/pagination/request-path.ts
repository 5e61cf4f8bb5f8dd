import type { FastifyRequest } from 'fastify'
import type { Read } from '../../../domain/context.ts'

/**
 * Returns the path of a request for links to other pages of the same list: without its query, and without a trailing
 * slash, which routes ignore. If the request line has an absolute URL, its host is dropped.
 */
export function requestPathOf({ config }: Pick<Read, 'config'>, request: FastifyRequest): string {
  const { pathname } = new URL(request.url, config.origin)
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}
