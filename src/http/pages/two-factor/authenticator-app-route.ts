import type { FastifyReply, FastifyRequest } from 'fastify'
import { findEmail } from '../../../domain/accounts/email/change-email.ts'
import {
  beginTotpSetup,
  enableTotp,
  openTotpSetup,
  removeTotp,
} from '../../../domain/auth/two-factor/authenticator-app.ts'
import type { TotpSetup } from '../../../domain/auth/two-factor/authenticator-app.ts'
import { findSecondFactors } from '../../../domain/auth/two-factor/second-factors.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { TooManyRequestsError, ValidationError } from '../../../lib/errors.ts'
import { countUse } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { authenticatorAppPage } from './authenticator-app-template.ts'
import type { AuthenticatorAppInput } from './authenticator-app-template.ts'
import { showMethods, showRecoveryCodes } from './methods-route.ts'
import { requireTwoFactorUser } from './require-two-factor-user.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply; user: Viewer }

/** The set-up, the replacement and the removal of an authenticator app. */
export async function authenticatorApp(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.authenticatorApp, { schema: { hide: true } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    if (!user) return reply
    return showSetup(ctx, { request, reply, user, setup: beginTotpSetup(ctx, { userId: user.userId }) })
  })

  api.post(
    paths.confirmAuthenticatorApp,
    { schema: { hide: true, body: formOf({ setup: Field, code: Field }) } },
    async (request, reply) => {
      const user = await requireTwoFactorUser(ctx, { request, reply })
      if (!user) return reply
      const { userId, sessionId } = user
      const { setup: sealed = '', code = '' } = request.body
      const setup = openTotpSetup(ctx, { userId, sealed })
      if (!setup) return reply.redirect(paths.authenticatorApp, 303)
      try {
        await countUse(ctx, { request, reply, throttle: THROTTLES.secondFactor, key: `user:${userId}` })
        const codes = await enableTotp(ctx, { userId, sessionId, setup, code })
        if (codes) return await showRecoveryCodes(ctx, { request, reply, codes })
        return await showMethods(ctx, { request, reply, user, done: 'totp-enabled' })
      } catch (err) {
        const exchange = { request, user, setup }
        if (err instanceof ValidationError)
          return showSetup(ctx, { ...exchange, reply: reply.code(422), errors: err.fields })
        if (err instanceof TooManyRequestsError)
          return showSetup(ctx, { ...exchange, reply: reply.code(429), throttled: true })
        throw err
      }
    },
  )

  api.post(paths.removeAuthenticatorApp, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    if (!user) return reply
    const { userId, sessionId } = user
    await ctx.write(async (tx) => {
      if ((await findSecondFactors(tx, { userId })).totp) await removeTotp(tx, { userId, sessionId })
    })
    return showMethods(ctx, { request, reply, user, done: 'totp-removed' })
  })
}

async function showSetup(
  ctx: Ctx,
  {
    request,
    reply,
    user: { userId },
    ...input
  }: Exchange & { setup: TotpSetup } & Pick<AuthenticatorAppInput, 'errors' | 'throttled'>,
): Promise<FastifyReply> {
  const [email, { totp: enabled }] = await Promise.all([findEmail(ctx, { userId }), findSecondFactors(ctx, { userId })])
  return sendPage(ctx, { request, reply, page: (frame) => authenticatorAppPage(frame, { email, enabled, ...input }) })
}
