import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { emailProblem } from '../../../domain/accounts/registration/check-credentials.ts'
import {
  requestPasswordReset,
  verifyPasswordResetToken,
  InvalidPasswordResetError,
  resetPassword,
} from '../../../domain/auth/password-reset.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { message } from '../../../lib/messages/message.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { localeOf, sendPage } from '../../support/response/send-page.ts'
import { countUse, emailKey } from '../../support/rate-limits/rate-limits.ts'
import { clearSession } from '../../support/auth/session.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { forgottenPage, resetMailSentPage, newPasswordPage } from './template.ts'
import { paths } from '../paths.ts'
import { signInPage } from '../sign-in/template.ts'
import { Field, formOf } from '../support/form-body.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Resetting a forgotten password. No response reveals whether an e-mail address has an account. */
export async function passwordReset(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.addHook('preHandler', async () => {
    if (ctx.config.singleSignOn.only) throw new NotFoundError()
  })

  api.get(paths.forgottenPassword, { schema: { hide: true } }, async (request, reply) =>
    sendPage(ctx, { request, reply, page: (frame) => forgottenPage(frame, {}) }),
  )

  api.post(
    paths.requestPasswordReset,
    { schema: { hide: true, body: formOf({ email: Field }) } },
    async (request, reply) => {
      const email = request.body.email?.trim() ?? ''
      const problem = emailProblem(email)
      if (problem) {
        const input = { value: email, errors: [problem] }
        return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => forgottenPage(frame, input) })
      }
      await countUse(ctx, {
        request,
        reply,
        throttle: THROTTLES.passwordMail,
        key: emailKey(email),
      })
      await ctx.write((tx) => requestPasswordReset(tx, { email }))
      return sendPage(ctx, { request, reply, page: resetMailSentPage })
    },
  )

  api.get(
    paths.newPassword,
    { schema: { hide: true, querystring: Type.Object({ reset_password_token: Field }) } },
    async (request, reply) => {
      const token = request.query.reset_password_token ?? ''
      return withTokenErrors({ request, reply }, async () => {
        await verifyPasswordResetToken(ctx, { token })
        return sendPage(ctx, { request, reply, page: (frame) => newPasswordPage(frame, { token }) })
      })
    },
  )

  api.post(
    paths.newPassword,
    { schema: { hide: true, body: formOf({ reset_password_token: Field, password: Field }) } },
    async (request, reply) => {
      const { reset_password_token: token = '', password = '' } = request.body
      return withTokenErrors({ request, reply }, async () => {
        try {
          await resetPassword(ctx, { token, password })
        } catch (err) {
          if (!(err instanceof ValidationError)) throw err
          const input = { token, errors: err.fields }
          return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => newPasswordPage(frame, input) })
        }
        clearSession(ctx, reply)
        request.viewer = null
        return sendSignInPage({ request, reply, kind: 'good', outcome: 'saved' })
      })
    },
  )

  /** Runs a handler that uses a token. An invalid token shows an error on the log-in page. */
  async function withTokenErrors(exchange: Exchange, handle: () => Promise<FastifyReply>): Promise<FastifyReply> {
    try {
      return await handle()
    } catch (err) {
      if (!(err instanceof InvalidPasswordResetError)) throw err
      return sendSignInPage({ ...exchange, reply: exchange.reply.code(422), kind: 'alert', outcome: 'refused' })
    }
  }

  /** Sends the log-in page with a message about the outcome. */
  async function sendSignInPage({
    request,
    reply,
    kind,
    outcome,
  }: Exchange & { kind: 'good' | 'alert'; outcome: 'saved' | 'refused' }): Promise<FastifyReply> {
    const text = message(localeOf(ctx, request), `password-reset.${outcome}`)
    const resetUrl = paths.forgottenPassword
    return sendPage(ctx, { request, reply, flash: { kind, text }, page: (frame) => signInPage(frame, { resetUrl }) })
  }
}
