import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'

/** A user who may change their second factors, and the session in which they do it. */
export type TwoFactorUser = Viewer & { readonly sessionId: string }

/**
 * Returns the user who is logged in, if they may change their second factors and have proved their identity recently.
 * Otherwise returns null and redirects. Users who need a second factor first may set one up.
 */
export async function requireTwoFactorUser(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<TwoFactorUser | null> {
  const user = requireUser(request, { reply, page: paths.twoFactor })
  const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
  return user && sessionId !== null ? { ...user, sessionId } : null
}
