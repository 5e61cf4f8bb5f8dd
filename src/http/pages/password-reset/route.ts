import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { emailProblem } from '../../../domain/accounts/check-person.ts'
import {
  askForPassword,
  checkPasswordToken,
  PasswordLinkRefused,
  resetPassword,
} from '../../../domain/auth/password-reset.ts'
import type { Ctx } from '../../../domain/context.ts'
import { ValidationFailed } from '../../../lib/errors.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Api } from '../../api.ts'
import { localeOf, sendPage } from '../../support/page.ts'
import { countAgainst } from '../../support/rate.ts'
import { clearSession } from '../../support/session.ts'
import { THROTTLES } from '../../support/throttles.ts'
import { forgottenPage, resetMailSentPage, newPasswordPage } from './template.ts'
import { paths } from '../paths.ts'
import { signInPage } from '../sign-in/template.ts'
import { Field, formOf } from '../support/form-body.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Resetting a forgotten password. No answer reveals whether an e-mail address has an account. */
export async function passwordReset(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.forgotten, { schema: { hide: true } }, async (request, reply) =>
    sendPage(ctx, { request, reply, page: (frame) => forgottenPage(frame, {}) }),
  )

  api.post(paths.askForPassword, { schema: { hide: true, body: formOf({ email: Field }) } }, async (request, reply) => {
    const email = request.body.email?.trim() ?? ''
    const problem = emailProblem(email)
    if (problem) {
      const input = { value: email, errors: [problem] }
      return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => forgottenPage(frame, input) })
    }
    await countAgainst(ctx, {
      request,
      reply,
      throttle: THROTTLES.passwordMail,
      key: `email:${email.toLowerCase()}`,
    })
    await ctx.write((tx) => askForPassword(tx, { email }))
    return sendPage(ctx, { request, reply, page: resetMailSentPage })
  })

  api.get(
    paths.newPassword,
    { schema: { hide: true, querystring: Type.Object({ reset_password_token: Field }) } },
    async (request, reply) => {
      const token = request.query.reset_password_token ?? ''
      return orRefuse({ request, reply }, async () => {
        await checkPasswordToken(ctx, { token })
        return sendPage(ctx, { request, reply, page: (frame) => newPasswordPage(frame, { token }) })
      })
    },
  )

  api.post(
    paths.newPassword,
    { schema: { hide: true, body: formOf({ reset_password_token: Field, password: Field }) } },
    async (request, reply) => {
      const { reset_password_token: token = '', password = '' } = request.body
      return orRefuse({ request, reply }, async () => {
        try {
          await resetPassword(ctx, { token, password })
        } catch (err) {
          if (!(err instanceof ValidationFailed)) throw err
          const input = { token, errors: err.fields }
          return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => newPasswordPage(frame, input) })
        }
        clearSession(ctx, reply)
        request.viewer = null
        return tell({ request, reply, kind: 'good', word: 'saved' })
      })
    },
  )

  async function orRefuse(exchange: Exchange, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof PasswordLinkRefused)) throw err
      return tell({ ...exchange, reply: exchange.reply.code(422), kind: 'alert', word: 'refused' })
    }
  }

  /** Says on the page to sign in how it ended. */
  async function tell({
    request,
    reply,
    kind,
    word,
  }: Exchange & { kind: 'good' | 'alert'; word: 'saved' | 'refused' }): Promise<FastifyReply> {
    const text = message(localeOf(ctx, request), `password-reset.${word}`)
    const resetUrl = paths.forgotten
    return sendPage(ctx, { request, reply, flash: { kind, text }, page: (frame) => signInPage(frame, { resetUrl }) })
  }
}
