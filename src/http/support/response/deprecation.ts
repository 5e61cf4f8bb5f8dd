import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import type { TypedFastify } from '../../typed-fastify.ts'

/** The date on which the collections API was released under its current name (UTC). */
const COLLECTIONS_RENAMED_AT = '2026-06-01'

/** Returns the part of a schema that marks a route as deprecated. `date`: of its replacement, in UTC. */
export function deprecatedSince(date: string): { deprecated: true; 'x-deprecated-since': string } {
  return { deprecated: true, 'x-deprecated-since': date }
}

/** Sets the header `Deprecation` (RFC 9745) on responses of deprecated routes. */
export function setDeprecationHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { 'x-deprecated-since': date } = (request.routeOptions.schema ?? {}) as { 'x-deprecated-since'?: string }
    if (date !== undefined) reply.header('deprecation', `@${Date.parse(date) / 1000}`)
    done()
  })
}

type RouteFile = (api: TypedFastify, ctx: Ctx) => Promise<void>

/** Returns the same routes, marked as deprecated, to be registered under their former path. */
export function deprecatedRoutes(file: RouteFile): RouteFile {
  return async (api, ctx) => {
    api.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, ...deprecatedSince(COLLECTIONS_RENAMED_AT) }
    })
    await file(api, ctx)
  }
}
