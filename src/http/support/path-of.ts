import type { FastifyRequest } from 'fastify'
import type { Read } from '../../domain/context.ts'

/**
 * Returns the path of a request for links to other pages of the same list: without its query and without a trailing
 * slash, which routes ignore. A request line may name a host, too; that host is dropped.
 */
export function pathOf({ config }: Pick<Read, 'config'>, request: FastifyRequest): string {
  const { pathname } = new URL(request.url, config.origin)
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}
