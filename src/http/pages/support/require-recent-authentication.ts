import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecentlyAuthenticated } from '../../../domain/auth/two-factor/recent-authentication.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { confirmIdentityPath } from '../paths.ts'

/**
 * Returns whether the user has proved their identity recently, as dangerous changes require. Otherwise redirects to the
 * page on which they prove it, which leads back to the page: the path of a form is also the path of its page.
 */
export async function requireRecentAuthentication(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<boolean> {
  if (await hasRecentAuthentication(ctx, request)) return true
  void reply.redirect(confirmIdentityPath(request.method === 'GET' ? request.url : request.routeOptions.url!), 303)
  return false
}

/** Returns whether the user has proved their identity recently, for pages on which only a part requires it. */
export async function hasRecentAuthentication(ctx: Ctx, request: FastifyRequest): Promise<boolean> {
  const sessionId = sessionSecretOf(ctx, request)
  return sessionId !== null && isRecentlyAuthenticated(ctx, { sessionId, now: ctx.now() })
}
