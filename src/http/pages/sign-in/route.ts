import { Type } from 'typebox'
import { findLogin } from '../../../domain/auth/find-login.ts'
import { logIn, logOut } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { RETRY_AFTER_SECONDS, TooManyRequestsError } from '../../../lib/errors.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { clearSession, sessionSecretOf } from '../../support/auth/session.ts'
import { paths, signInPath } from '../paths.ts'
import { countSignIn } from './count-sign-in.ts'
import type { SignInInput } from './template.ts'
import { finishLogin } from './finish-login.ts'
import { sendSignInPage } from './send-sign-in-page.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

/** No e-mail address and no username is longer. Cuts the input, which the page shows again after an error. */
const MAX_LOGIN_CHARACTERS = 320

/** Logging in with a password, and logging out. */
export async function signIn(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.signIn,
    { schema: { hide: true, querystring: Type.Object({ next: Field, force: Type.Optional(Type.Boolean()) }) } },
    async (request, reply) => {
      const next = safeReturnPath(request.query.next)
      if (request.viewer && !request.query.force) return reply.redirect(next ?? paths.account, 303)
      return sendSignInPage(ctx, { request, reply, next })
    },
  )

  api.post(
    paths.signIn,
    { schema: { hide: true, body: formOf({ login: Field, password: Field, next: Field }) } },
    async (request, reply) => {
      const { password = '' } = request.body
      const login = (request.body.login ?? '').slice(0, MAX_LOGIN_CHARACTERS)
      const next = safeReturnPath(request.body.next)
      const sendProblem = (problem: SignInInput['problem'], status: number) =>
        sendSignInPage(ctx, { request, reply: reply.code(status), next, login, problem })
      try {
        const { identifier, user } = await findLogin(ctx, { login })
        await countSignIn(ctx, { request, reply, userId: user?.userId ?? null, identifier })
        const previousSessionId = sessionSecretOf(ctx, request)
        const result = await logIn(ctx, { user, password, browser: browserOf(request), previousSessionId })
        if (result === 'failed') return await sendProblem('failed', 422)
        return await finishLogin(ctx, { request, reply, result, next })
      } catch (err) {
        if (!(err instanceof TooManyRequestsError)) throw err
        if (!reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS)
        return sendProblem('throttled', 429)
      }
    },
  )

  api.post(paths.signOut, { schema: { hide: true, body: formOf({ next: Field }) } }, async (request, reply) => {
    const sessionId = sessionSecretOf(ctx, request)
    if (sessionId !== null) await ctx.write((tx) => logOut(tx, { sessionId }))
    clearSession(ctx, reply)
    const next = safeReturnPath(request.body.next)
    return reply.redirect(next === null ? paths.landing : signInPath(next), 303)
  })
}
