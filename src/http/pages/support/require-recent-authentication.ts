import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecentlyAuthenticated } from '../../../domain/auth/two-factor/recent-authentication.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { confirmIdentityPath } from '../paths.ts'

/**
 * Returns the session (the secret of its cookie) if the user has proved their identity in it recently, as dangerous
 * changes require; they check it again in their transaction. Otherwise returns null and redirects to the page on which
 * the user proves it, which leads back to `next`. By default, that is the path of the request: the path of most
 * forms is also that of their page.
 */
export async function requireRecentAuthentication(
  ctx: Ctx,
  {
    request,
    reply,
    next = request.method === 'GET' ? request.url : request.routeOptions.url!,
  }: { request: FastifyRequest; reply: FastifyReply; next?: string },
): Promise<string | null> {
  if (await hasRecentAuthentication(ctx, request)) return sessionSecretOf(ctx, request)
  void reply.redirect(confirmIdentityPath(next), 303)
  return null
}

/** Returns whether the user has proved their identity recently, for pages on which only a part requires it. */
export async function hasRecentAuthentication(ctx: Ctx, request: FastifyRequest): Promise<boolean> {
  const sessionId = sessionSecretOf(ctx, request)
  return sessionId !== null && isRecentlyAuthenticated(ctx, { sessionId, now: ctx.now() })
}
