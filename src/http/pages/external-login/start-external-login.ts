import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { ExternalLoginError } from '../../../platform/single-sign-on/external-provider.ts'
import type { ExternalProvider } from '../../../platform/single-sign-on/external-provider.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { ensureBrowserSecret } from './browser-secret.ts'

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
    return sendExternalProblem(ctx, { request, reply, provider, err, next })
  }
}

/** Shows on the log-in page that a log-in at a provider failed, and logs why. Rethrows other errors. */
export async function sendExternalProblem(
  ctx: Ctx,
  {
    request,
    reply,
    provider,
    err,
    next = null,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    provider: ExternalProvider
    err: unknown
    next?: string | null
  },
): Promise<FastifyReply> {
  if (!(err instanceof ExternalLoginError)) throw err
  ctx.log.warn({ provider: provider.name, reason: err.message }, 'An external log-in failed')
  const isUnreachable = err.kind === 'unreachable'
  return sendSignInPage(ctx, {
    request,
    reply: reply.code(isUnreachable ? 503 : 422),
    next,
    problem: isUnreachable ? 'external-unreachable' : 'external-refused',
  })
}
