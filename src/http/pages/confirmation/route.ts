import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { emailProblem } from '../../../domain/accounts/check-person.ts'
import { ConfirmationRefused, confirmAddress } from '../../../domain/accounts/confirm.ts'
import { pendingEmail } from '../../../domain/accounts/pending-email.ts'
import { resendConfirmation } from '../../../domain/accounts/resend-confirmation.ts'
import { findAppById, OUT_OF_BAND } from '../../../domain/auth/apps.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFound, ValidationFailed } from '../../../lib/errors.ts'
import { message } from '../../../lib/messages/message.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Api } from '../../api.ts'
import { localeOf, sendPage } from '../../support/page.ts'
import { countAgainst } from '../../support/rate.ts'
import { forgetAddress, rememberAddress, rememberedAddress } from '../../support/session.ts'
import { THROTTLES } from '../../support/throttles.ts'
import { checkMailPage } from './check-mail-template.ts'
import type { CheckMailInput } from './check-mail-template.ts'
import { confirmedPage } from './confirmed-template.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { signInPage } from '../sign-in/template.ts'
import { Field, formOf } from '../support/form-body.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'

const findUser = statement<{
  params: { userId: string }
  row: {
    email: string
    unconfirmed_email: string | null
    email_change_requested_at: Date | null
    confirmation_sent_at: Date | null
  }
}>(`select email, unconfirmed_email, email_change_requested_at, confirmation_sent_at from users where id = $userId`)

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The way from a new account to a confirmed address. */
export async function confirmation(api: Api, ctx: Ctx): Promise<void> {
  api.get(CHECK_MAIL_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (request.viewer && request.viewer.standing !== 'unconfirmed') return reply.redirect(paths.account, 303)
    const email = await shownAddress(ctx, request)
    return email === null ? reply.redirect(paths.signIn, 303) : checkMail(ctx, { request, reply, email })
  })

  api.get(
    paths.confirmation,
    // A program that only looks whether a link is there must not use it up.
    { exposeHeadRoute: false, schema: { hide: true, querystring: Type.Object({ confirmation_token: Field }) } },
    async (request, reply) => {
      const token = request.query.confirmation_token
      if (!token) return reply.redirect(CHECK_MAIL_PATH, 303)
      try {
        const { approved, applicationId } = await confirmAddress(ctx, { token })
        forgetAddress(ctx, reply)
        const app = await wayBack(ctx, applicationId)
        return await sendPage(ctx, {
          request,
          reply,
          page: (frame) => confirmedPage(frame, { pending: !approved, app }),
        })
      } catch (err) {
        if (!(err instanceof ConfirmationRefused)) throw err
        return tellRefused(ctx, { request, reply })
      }
    },
  )

  api.post(paths.confirmation, { schema: { hide: true, body: formOf({ email: Field }) } }, async (request, reply) => {
    const shown = await shownAddress(ctx, request)
    if (shown === null) return reply.redirect(paths.signIn, 303)
    const newEmail = request.body.email?.trim() ?? ''
    const key = request.viewer ? `user:${request.viewer.userId}` : `email:${shown.toLowerCase()}`
    await countAgainst(ctx, { request, reply, throttle: THROTTLES.confirmationMail, key })
    try {
      await resend(ctx, { request, newEmail })
    } catch (err) {
      if (!(err instanceof ValidationFailed)) throw err
      return checkMail(ctx, { request, reply: reply.code(422), email: shown, newEmail, errors: err.fields })
    }
    if (newEmail !== '') rememberAddress(ctx, reply, { email: newEmail })
    return checkMail(ctx, { request, reply, email: newEmail || shown, resent: true })
  })
}

/**
 * Sends the mail again, or to another address. Without a session (a sign-up with somebody else's address) nothing
 * happens, and looks the same.
 */
async function resend(ctx: Ctx, { request, newEmail }: { request: FastifyRequest; newEmail: string }): Promise<void> {
  if (request.viewer) {
    const { userId } = request.viewer
    await ctx.write((tx) => resendConfirmation(tx, { userId, email: newEmail }))
    return
  }
  const problem = newEmail === '' ? null : emailProblem(newEmail)
  if (problem) throw new ValidationFailed([problem])
}

/** The address that the mail was sent to: the one entered last, else that of the user who is logged in. */
async function shownAddress(ctx: Ctx, request: FastifyRequest): Promise<string | null> {
  const remembered = rememberedAddress(ctx, request)
  if (remembered !== null || !request.viewer) return remembered
  const [user] = await findUser(ctx.db, { userId: request.viewer.userId })
  if (!user) throw new NotFound()
  return pendingEmail(user, { now: ctx.now() }) ?? user.email
}

async function checkMail(
  ctx: Ctx,
  { request, reply, flash, ...input }: Exchange & CheckMailInput & { flash?: Frame['flash'] },
): Promise<FastifyReply> {
  const changeable = !request.viewer || request.viewer.standing === 'unconfirmed'
  return sendPage(ctx, { request, reply, flash, page: (frame) => checkMailPage(frame, { ...input, changeable }) })
}

async function tellRefused(ctx: Ctx, { request, reply }: Exchange): Promise<FastifyReply> {
  reply.code(422)
  const flash = { kind: 'alert', text: message(localeOf(ctx, request), 'confirmed.refused') } as const
  const waits = !request.viewer || request.viewer.standing === 'unconfirmed'
  const email = waits ? await shownAddress(ctx, request) : null
  if (email !== null) return checkMail(ctx, { request, reply, flash, email })
  return sendPage(ctx, { request, reply, flash, page: (frame) => signInPage(frame, {}) })
}

/** The application that a person signed up with, if an address leads to it. */
async function wayBack(ctx: Ctx, applicationId: string | null): Promise<{ name: string; url: string } | null> {
  const app = applicationId === null ? null : await findAppById(ctx, { id: applicationId })
  const url = app?.redirectUris.find((address) => address !== OUT_OF_BAND)
  return app && url ? { name: app.name, url } : null
}
