import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { paths, signInPath } from '../paths.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'

/** A user who may change their second factors, and the session in which they do it. */
export type TwoFactorUser = Viewer & { readonly sessionId: string }

const STATES: ReadonlySet<string> = new Set(['usable', 'moved', 'without_second_factor'])

/**
 * Returns the user who is logged in, if they may change their second factors and have proved their identity recently.
 * Otherwise returns null and redirects. Users who need a second factor first may set one up.
 */
export async function requireTwoFactorUser(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<TwoFactorUser | null> {
  const { viewer } = request
  if (viewer && STATES.has(viewer.accountState)) {
    const sessionId = await requireRecentAuthentication(ctx, { request, reply })
    return sessionId === null ? null : { ...viewer, sessionId }
  }
  void reply.redirect(viewer ? paths.account : signInPath(paths.twoFactor), 303)
  return null
}
