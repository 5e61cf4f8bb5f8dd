import type { FastifyReply, FastifyRequest } from 'fastify'
import { logInExternally } from '../../../domain/auth/external/log-in-externally.ts'
import { recordVerifiedAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { applyMappedRole } from '../../../domain/moderation/accounts/apply-mapped-role.ts'
import { ExternalLoginError } from '../../../platform/single-sign-on/external-provider.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { ensureBrowserSecret } from '../external-login/browser-secret.ts'
import { chooseAccountPath } from '../external-login/continue-login.ts'
import { browserOf } from '../support/browser-of.ts'
import { countSignIn } from './count-sign-in.ts'
import { finishLogin } from './finish-login.ts'

/**
 * Tries the password of the log-in form at the directory (LDAP), before local passwords. Returns null if there is no
 * directory or it does not accept the password, and `unreachable` if it does not respond. A user of the directory without
 * an account here creates one, or proves that an account is theirs: an equal username proves nothing.
 * @throws TooManyRequestsError; ServiceUnavailableError if the rate limiter is unavailable
 */
export async function logInByDirectory(
  ctx: Ctx,
  {
    request,
    reply,
    login,
    password,
    next,
  }: { request: FastifyRequest; reply: FastifyReply; login: string; password: string; next: string | null },
): Promise<FastifyReply | 'unreachable' | null> {
  const identity = await ctx.externalLogins.directory
    ?.authenticate({
      login: login.trim(),
      password,
      // Directories find a user by many spellings of the login, which must not give more attempts.
      beforeCheck: ({ uid }) => countSignIn(ctx, { request, reply, userId: null, identifier: `directory:${uid}` }),
    })
    .catch((err: unknown) => {
      if (!(err instanceof ExternalLoginError)) throw err
      ctx.log.warn({ provider: 'ldap', reason: err.message }, 'The directory could not check a password')
      return err.kind === 'unreachable' ? err.kind : null
    })
  if (!identity || identity === 'unreachable') return identity ?? null
  const provider = 'ldap'
  const log = { browser: browserOf(request), previousSessionId: sessionSecretOf(ctx, request) }
  const result = await ctx.write((tx) =>
    logInExternally(tx, {
      provider,
      identity,
      ...log,
      alsoDo: async (_, { userId }) => applyMappedRole(tx, { userId, roles: identity.roles }),
    }),
  )
  if (result !== 'unknown') return finishLogin(ctx, { request, reply, result, next })
  const browserSecret = ensureBrowserSecret(ctx, { request, reply })
  const state = await recordVerifiedAttempt(ctx, { provider, browserSecret, identity, next })
  return reply.redirect(chooseAccountPath(state), 303)
}
