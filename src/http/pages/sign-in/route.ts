import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findApplication } from '../../../domain/auth/applications.ts'
import { findLogin } from '../../../domain/auth/find-login.ts'
import { logIn, logOut } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { RETRY_AFTER_SECONDS, TooManyRequestsError } from '../../../lib/errors.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { clearSession, sessionSecretOf, setSession } from '../../support/auth/session.ts'
import { paths, signInPath } from '../paths.ts'
import { countSignIn } from './count-sign-in.ts'
import { signInPage } from './template.ts'
import type { SignInInput } from './template.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

/** No e-mail address and no username is longer. Cuts the input, which the page shows again after an error. */
const MAX_LOGIN_CHARACTERS = 320

/** Logging in and out. */
export async function signIn(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.signIn,
    { schema: { hide: true, querystring: Type.Object({ next: Field, force: Type.Optional(Type.Boolean()) }) } },
    async (request, reply) => {
      const next = safeReturnPath(request.query.next)
      if (request.viewer && !request.query.force) return reply.redirect(next ?? paths.account, 303)
      return sendForm(ctx, { request, reply, next })
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
        sendForm(ctx, { request, reply: reply.code(status), next, login, problem })
      try {
        const { identifier, user } = await findLogin(ctx, { login })
        await countSignIn(ctx, { request, reply, userId: user?.userId ?? null, identifier })
        const previousSessionId = sessionSecretOf(ctx, request)
        const session = await logIn(ctx, { user, password, browser: browserOf(request), previousSessionId })
        if (session === 'failed') return await sendProblem('failed', 422)
        if (session === 'disabled') return await sendProblem('disabled', 403)
        setSession(ctx, reply, { id: session.sessionId })
        return await reply.redirect(next ?? paths.account, 303)
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

async function sendForm(
  ctx: Ctx,
  { request, reply, ...input }: { request: FastifyRequest; reply: FastifyReply } & SignInInput,
): Promise<FastifyReply> {
  const appName = await findAppName(ctx, input.next ?? null)
  return sendPage(ctx, {
    request,
    reply,
    page: (frame) => signInPage(frame, { ...input, appName, resetUrl: paths.forgottenPassword }),
  })
}

/** Returns the name of the application that the user will authorise after the log-in; null if there is none. */
async function findAppName(ctx: Ctx, next: string | null): Promise<string | null> {
  if (!next?.startsWith(`${paths.authorize}?`)) return null
  const clientId = new URL(next, ctx.config.origin).searchParams.get('client_id')
  const app = clientId ? await findApplication(ctx, { clientId }) : null
  return app?.name ?? null
}
