import { Type } from 'typebox'
import { logOut } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { clearSession, sessionSecretOf } from '../../support/auth/session.ts'
import { countUse } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import type { ExternalProvider } from '../../../platform/single-sign-on/external-provider.ts'
import { chooseAccount } from '../external-login/choose-account-route.ts'
import { externalLogins } from '../external-login/external-logins-route.ts'
import { externalLogin } from '../external-login/route.ts'
import { startExternalLogin } from '../external-login/start-external-login.ts'
import { paths, signInPath } from '../paths.ts'
import { logInByPassword } from './log-in-by-password.ts'
import { sendSignInPage } from './send-sign-in-page.ts'
import { Field, formOf } from '../support/form-body.ts'

/** Logging in with a password or an external provider, and logging out. */
export async function signIn(api: TypedFastify, ctx: Ctx): Promise<void> {
  await externalLogin(api, ctx)
  await chooseAccount(api, ctx)
  await externalLogins(api, ctx)

  api.get(
    paths.signIn,
    { schema: { hide: true, querystring: Type.Object({ next: Field, force: Type.Optional(Type.Boolean()) }) } },
    async (request, reply) => {
      const next = safeReturnPath(request.query.next)
      if (request.viewer && !request.query.force) return reply.redirect(next ?? paths.account, 303)
      // Programs that check links by HEAD requests do not log in.
      const provider = request.query.force || request.method === 'HEAD' ? null : onlyProvider(ctx)
      if (provider) {
        // Like the form that begins a log-in at a provider, which is a row.
        const key = `ip:${networkPrefixOf(request.clientIp)}`
        await countUse(ctx, { request, reply, throttle: THROTTLES.externalLogin, key })
        return startExternalLogin(ctx, { request, reply, provider, next })
      }
      return sendSignInPage(ctx, { request, reply, next })
    },
  )

  api.post(
    paths.signIn,
    { schema: { hide: true, body: formOf({ login: Field, password: Field, next: Field }) } },
    async (request, reply) => {
      const { login = '', password = '' } = request.body
      const next = safeReturnPath(request.body.next)
      return logInByPassword(ctx, { request, reply, login, password, next, refusal: 'failed' })
    },
  )

  api.post(paths.signOut, { schema: { hide: true, body: formOf({ next: Field }) } }, async (request, reply) => {
    const sessionId = sessionSecretOf(ctx, request)
    if (sessionId !== null) await ctx.write((tx) => logOut(tx, { sessionId }))
    clearSession(ctx, reply)
    if (ctx.config.singleSignOn.only && hasExternalSignOut(ctx)) return reply.redirect(EXTERNAL_SIGN_OUT, 303)
    const next = safeReturnPath(request.body.next)
    return reply.redirect(next === null ? paths.landing : signInPath(next), 303)
  })
}

/** Ends the session at the provider of OpenID Connect, too: otherwise the next log-in would need no password there. */
const EXTERNAL_SIGN_OUT = `${paths.externalLogin}openid_connect/logout`

/** Returns whether users log in with a provider that ends its own session. */
function hasExternalSignOut(ctx: Ctx): boolean {
  return ctx.externalLogins.providers.some(({ name }) => name === 'openid_connect')
}

/** Returns the provider to which links to the log-in page lead directly: users log in with this one only. */
function onlyProvider(ctx: Ctx): ExternalProvider | null {
  const { providers } = ctx.externalLogins
  return ctx.config.singleSignOn.only && providers.length === 1 ? providers[0]! : null
}
