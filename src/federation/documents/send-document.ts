import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredRepresentation } from '../../lib/http/preferred-representation.ts'
import type { Json } from '../../lib/json/json.ts'
import { ACTIVITY_CONTENT_TYPE } from '../wire/context.ts'

/** How long shared caches may store public documents. */
const PUBLIC_MAX_AGE_SECONDS = 180

/** Responses depend on whether a page or a document is requested, and on the signer. */
export const VARY_HEADER = 'Accept, Signature'

/** Sends a document. `shared`: shared caches may store it, since it is public and does not depend on the signer. */
export function sendDocument(
  reply: FastifyReply,
  { json, shared }: { json: Json<object>; shared: boolean },
): FastifyReply {
  setCacheControl(reply, { seconds: shared ? PUBLIC_MAX_AGE_SECONDS : 0 })
  return reply.header('vary', VARY_HEADER).type(ACTIVITY_CONTENT_TYPE).send(json)
}

/** Redirects to another representation or to the canonical URL. */
export function redirectTo(reply: FastifyReply, { to, shared }: { to: string; shared: boolean }): FastifyReply {
  setCacheControl(reply, { seconds: shared ? PUBLIC_MAX_AGE_SECONDS : 0 })
  return reply.header('vary', VARY_HEADER).redirect(to, 302)
}

/** Sets `Cache-Control`. `seconds`: 0 forbids all caches to store the response. */
export function setCacheControl(reply: FastifyReply, { seconds }: { seconds: number }): void {
  reply.header('cache-control', seconds === 0 ? 'private, no-store' : `public, max-age=${seconds}`)
}

/** Returns whether a request prefers a web page. A request that does not accept HTML gets the document. */
export function prefersPage(request: FastifyRequest): boolean {
  return preferredRepresentation(request.headers.accept) === 'page'
}

/** Returns a query parameter; null if it is absent or repeated. */
export function readQueryText(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : null
}
