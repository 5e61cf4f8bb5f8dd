import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findApp } from '../../../domain/auth/apps.ts'
import { findLogin } from '../../../domain/auth/find-login.ts'
import { logIn, logOut } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { TooManyRequests } from '../../../lib/errors.ts'
import { ownPath } from '../../../lib/own-path.ts'
import type { Api } from '../../api.ts'
import { sendPage } from '../../support/page.ts'
import { countAgainst } from '../../support/rate.ts'
import { clearSession, sessionIdOf, setSession } from '../../support/session.ts'
import { THROTTLES } from '../../support/throttles.ts'
import { paths, signInPath } from '../paths.ts'
import { signInPage } from './template.ts'
import type { SignInInput } from './template.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

/** Longer than any login: what is longer is not printed again. */
const MAX_LOGIN_CHARACTERS = 320

/** Logging in and out. */
export async function signIn(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    paths.signIn,
    { schema: { hide: true, querystring: Type.Object({ next: Field, force: Type.Optional(Type.Boolean()) }) } },
    async (request, reply) => {
      const next = ownPath(request.query.next)
      if (request.viewer && !request.query.force) return reply.redirect(next ?? paths.account, 303)
      return ask(ctx, { request, reply, next })
    },
  )

  api.post(
    paths.signIn,
    { schema: { hide: true, body: formOf({ login: Field, password: Field, next: Field }) } },
    async (request, reply) => {
      const { password = '' } = request.body
      const login = (request.body.login ?? '').slice(0, MAX_LOGIN_CHARACTERS)
      const next = ownPath(request.body.next)
      const again = (problem: SignInInput['problem'], status: number) =>
        ask(ctx, { request, reply: reply.code(status), next, login, problem })
      try {
        const { identifier, user } = await findLogin(ctx, { login })
        // Whoever guesses a user's password gets no more attempts by spelling the name in another way.
        const key = user ? `user:${user.userId}` : `login:${identifier}`
        await countAgainst(ctx, { request, reply, throttle: THROTTLES.signInAccount, key })
        const previousSessionId = sessionIdOf(ctx, request)
        const session = await logIn(ctx, { user, password, browser: browserOf(request), previousSessionId })
        if (session === 'failed') return await again('failed', 422)
        if (session === 'disabled') return await again('disabled', 403)
        setSession(ctx, reply, { id: session.sessionId })
        return await reply.redirect(next ?? paths.account, 303)
      } catch (err) {
        if (err instanceof TooManyRequests) return again('throttled', 429)
        throw err
      }
    },
  )

  api.post(paths.signOut, { schema: { hide: true, body: formOf({ next: Field }) } }, async (request, reply) => {
    const sessionId = sessionIdOf(ctx, request)
    if (sessionId !== null) await ctx.write((tx) => logOut(tx, { sessionId }))
    clearSession(ctx, reply)
    const next = ownPath(request.body.next)
    return reply.redirect(next === null ? paths.landing : signInPath(next), 303)
  })
}

async function ask(
  ctx: Ctx,
  { request, reply, ...input }: { request: FastifyRequest; reply: FastifyReply } & SignInInput,
): Promise<FastifyReply> {
  const appName = await appOf(ctx, input.next ?? null)
  return sendPage(ctx, {
    request,
    reply,
    page: (frame) => signInPage(frame, { ...input, appName, resetUrl: paths.forgotten }),
  })
}

/** The application that a person is on the way to. */
async function appOf(ctx: Ctx, next: string | null): Promise<string | null> {
  if (!next?.startsWith(`${paths.authorize}?`)) return null
  const clientId = new URL(next, ctx.config.origin).searchParams.get('client_id')
  const app = clientId ? await findApp(ctx, { clientId }) : null
  return app?.name ?? null
}
