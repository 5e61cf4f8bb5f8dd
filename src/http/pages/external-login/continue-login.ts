import type { FastifyReply, FastifyRequest } from 'fastify'
import { IdentityTakenError, linkIdentity } from '../../../domain/auth/external/identities.ts'
import { logInExternally } from '../../../domain/auth/external/log-in-externally.ts'
import { endAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { VerifiedAttempt } from '../../../domain/auth/external/login-attempts.ts'
import { checkRecentAuthentication } from '../../../domain/auth/two-factor/recent-authentication.ts'
import type { Ctx } from '../../../domain/context.ts'
import { applyMappedRole } from '../../../domain/moderation/accounts/apply-mapped-role.ts'
import { ConflictError } from '../../../lib/errors.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { finishLogin } from '../sign-in/finish-login.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { browserOf } from '../support/browser-of.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { sendExternalLoginsPage } from './send-external-logins-page.ts'

/**
 * Responds to a browser whose user a provider has identified: links the provider if the user asked for that, else logs
 * in, or leads to the choice of an account if no account has the identity.
 */
export async function continueLogin(
  ctx: Ctx,
  { request, reply, attempt }: { request: FastifyRequest; reply: FastifyReply; attempt: VerifiedAttempt },
): Promise<FastifyReply> {
  if (attempt.linkingUserId !== null) return link(ctx, { request, reply, attempt })
  const { provider, identity, state, next } = attempt
  const login = { browser: browserOf(request), previousSessionId: sessionSecretOf(ctx, request) }
  const result = await ctx.write(async (tx) => {
    const outcome = await logInExternally(tx, {
      provider,
      identity,
      ...login,
      alsoDo: async (_, { userId }) => applyMappedRole(tx, { userId, roles: identity.roles }),
    })
    // Of two concurrent requests, only one logs in.
    if (outcome !== 'unknown' && !(await endAttempt(tx, { state }))) throw new ConflictError()
    return outcome
  })
  if (result === 'unknown') return reply.redirect(chooseAccountPath(state), 303)
  return finishLogin(ctx, { request, reply, result, next })
}

/** Returns the path of the page on which a user without an account creates or links one. */
export function chooseAccountPath(state: string): string {
  return `${paths.chooseAccount}?${new URLSearchParams({ state }).toString()}`
}

/**
 * Adds the identity to the user who began the attempt, if the same user is still logged in in this browser, and has
 * proved their identity recently.
 */
async function link(
  ctx: Ctx,
  { request, reply, attempt }: { request: FastifyRequest; reply: FastifyReply; attempt: VerifiedAttempt },
): Promise<FastifyReply> {
  const { linkingUserId, provider, identity, state } = attempt
  const userId = request.viewer?.userId
  if (userId === undefined || userId !== linkingUserId) {
    return sendSignInPage(ctx, { request, reply: reply.code(422), problem: 'external-expired' })
  }
  if (!requireUser(request, { reply, page: paths.externalLogins })) return reply
  const sessionId = await requireRecentAuthentication(ctx, { request, reply, next: paths.externalLogins })
  if (sessionId === null) return reply
  try {
    await ctx.write(async (tx) => {
      await checkRecentAuthentication(tx, { userId, sessionId })
      if (!(await endAttempt(tx, { state }))) throw new ConflictError()
      await linkIdentity(tx, { userId, provider, uid: identity.uid })
    })
  } catch (err) {
    if (!(err instanceof IdentityTakenError)) throw err
    return sendExternalLoginsPage(ctx, { request, reply: reply.code(422), userId, problem: 'taken' })
  }
  return reply.redirect(paths.externalLogins, 303)
}
