import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { ExternalLoginError } from '../../../platform/single-sign-on/external-provider.ts'
import type { ExternalProvider } from '../../../platform/single-sign-on/external-provider.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { ensureBrowserSecret } from './browser-secret.ts'
import { sendExternalLoginsPage } from './send-external-logins-page.ts'

/**
 * Redirects the browser to a provider. `next`: the path to which the log-in leads. `linkingUserId`: the user who adds
 * the provider to their account.
 */
export async function startExternalLogin(
  ctx: Ctx,
  {
    request,
    reply,
    provider,
    next,
    linkingUserId = null,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    provider: ExternalProvider
    next: string | null
    linkingUserId?: string | null
  },
): Promise<FastifyReply> {
  const state = generateSecret()
  try {
    const { redirectTo, secrets } = await provider.start({ state })
    const browserSecret = ensureBrowserSecret(ctx, { request, reply })
    await beginAttempt(ctx, { state, browserSecret, secrets, provider: provider.name, next, linkingUserId })
    return await reply.redirect(redirectTo, 303)
  } catch (err) {
    return sendExternalProblem(ctx, { request, reply, provider, err, next, linkingUserId })
  }
}

/**
 * Shows that a log-in at a provider failed, and logs why: on the log-in page, which still leads to `next`, or in the
 * settings to a user who adds the provider. Rethrows other errors.
 */
export async function sendExternalProblem(
  ctx: Ctx,
  {
    request,
    reply,
    provider,
    err,
    next = null,
    linkingUserId = null,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    provider: ExternalProvider
    err: unknown
    next?: string | null
    linkingUserId?: string | null
  },
): Promise<FastifyReply> {
  if (!(err instanceof ExternalLoginError)) throw err
  ctx.log.warn({ provider: provider.name, reason: err.message }, 'An external log-in failed')
  reply.code(err.kind === 'unreachable' ? 503 : 422)
  const userId = request.viewer?.userId
  if (userId !== undefined && userId === linkingUserId)
    return sendExternalLoginsPage(ctx, { request, reply, userId, problem: err.kind })
  return sendSignInPage(ctx, { request, reply, next, problem: `external-${err.kind}` })
}
