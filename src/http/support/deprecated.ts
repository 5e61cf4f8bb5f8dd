import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import type { Api } from '../api.ts'

/** When the API of collections under its present name came out. */
const COLLECTIONS_NAMED = '2026-06-01'

/** A part of the schema of a route that clients should leave. `date`: since when something better is there, in UTC. */
export function deprecatedSince(date: string): { deprecated: true; 'x-deprecated-since': string } {
  return { deprecated: true, 'x-deprecated-since': date }
}

/** Every answer of such a route says so (RFC 9745). */
export function tellDeprecated(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { 'x-deprecated-since': date } = (request.routeOptions.schema ?? {}) as { 'x-deprecated-since'?: string }
    if (date !== undefined) reply.header('deprecation', `@${Date.parse(date) / 1000}`)
    done()
  })
}

type File = (api: Api, ctx: Ctx) => Promise<void>

/** The same routes under a name that they once had. */
export function deprecated(file: File): File {
  return async (api, ctx) => {
    api.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, ...deprecatedSince(COLLECTIONS_NAMED) }
    })
    await file(api, ctx)
  }
}
