import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { UnauthorizedError } from '../../lib/errors.ts'
import { findSigner } from '../keys/find-signer.ts'
import type { RequestSigner } from '../keys/find-signer.ts'
import { prefersPage, setCacheControl, VARY_HEADER } from './send-document.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signer of a request for an ActivityPub document. */
    signer: RequestSigner
  }
  interface FastifyContextConfig {
    /** The route redirects browsers to a web page, which has a route policy of its own. */
    redirectsToPage?: boolean
  }
}

/**
 * Identifies the signers of requests for the documents of a scope, before the handler looks up the document. With
 * authorized fetch, only requests with a valid signature are served, and caches store no response.
 */
export function authorizeDocuments(scope: FastifyInstance, ctx: Ctx): void {
  const { authorizedFetch, disallowUnauthenticatedAccess } = ctx.config.access
  scope.decorateRequest('signer')
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', VARY_HEADER)
    request.signer = await findSigner(ctx, request)
    if (!authorizedFetch || request.signer.actorUri !== null) return
    // A redirect reveals the name of the author, so where pages are for users only, it needs a signature, too.
    if (redirectsToPage(request) && !disallowUnauthenticatedAccess) return
    throw new UnauthorizedError(request.signer.isSigned ? 'The signature could not be verified' : 'Request not signed')
  })
  if (!authorizedFetch) return
  scope.addHook('onSend', (_request, reply, _payload, done) => {
    setCacheControl(reply, { seconds: 0 })
    done()
  })
}

function redirectsToPage(request: FastifyRequest): boolean {
  return request.routeOptions.config.redirectsToPage === true && prefersPage(request)
}
