import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { emailProblem } from '../../../domain/accounts/registration/check-credentials.ts'
import {
  CaptchaRequiredError,
  confirmEmail,
  InvalidConfirmationError,
  UsedConfirmationError,
} from '../../../domain/accounts/email/confirm-email.ts'
import { pendingEmail } from '../../../domain/accounts/email/pending-email.ts'
import { resendConfirmation } from '../../../domain/accounts/email/resend-confirmation.ts'
import { findApplicationById, OUT_OF_BAND } from '../../../domain/auth/applications.ts'
import { BLOCKED_EMAIL, isRefusedByLists } from '../../../domain/email-blocks/check-email-domain.ts'
import { findEmailRefusal } from '../../../domain/email-blocks/find-email-refusal.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { message } from '../../../lib/messages/message.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { cspSourceOf, percentEncodeNonAscii } from '../../support/response/redirect-uri.ts'
import { localeOf, sendPage } from '../../support/response/send-page.ts'
import { countUse, emailKey } from '../../support/rate-limits/rate-limits.ts'
import { clearSignUpEmail, sessionSecretOf, setSignUpEmail, signUpEmailOf } from '../../support/auth/session.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { captchaPage, HCAPTCHA_SOURCES } from './captcha-template.ts'
import { checkMailPage } from './check-mail-template.ts'
import type { CheckMailInput } from './check-mail-template.ts'
import { confirmedPage } from './confirmed-template.ts'
import type { Frame } from '../layout/layout.ts'
import { errorPage } from '../error/template.ts'
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

/** The parameters of a confirmation link. Links of sign-ups through an app redirect to it. */
const LINK_PARAMS = { confirmation_token: Field, redirect_to_app: Type.Optional(Type.Boolean()) }

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Confirming the e-mail address of a new account, and sending the confirmation mail again. */
export async function confirmation(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(CHECK_MAIL_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (request.viewer && request.viewer.accountState !== 'unconfirmed') return reply.redirect(paths.account, 303)
    const email = await displayedEmail(ctx, request)
    return email === null ? reply.redirect(paths.signIn, 303) : sendCheckMailPage(ctx, { request, reply, email })
  })

  api.get(
    paths.confirmation,
    // Programs that check links by HEAD requests must not use up the token.
    { exposeHeadRoute: false, schema: { hide: true, querystring: Type.Object(LINK_PARAMS) } },
    async (request, reply) => {
      const { confirmation_token: token, redirect_to_app: redirectsToApp = false } = request.query
      if (!token) return reply.redirect(CHECK_MAIL_PATH, 303)
      return confirm(ctx, { request, reply, token, redirectsToApp, captcha: null })
    },
  )

  api.post(
    paths.captcha,
    { schema: { hide: true, body: formOf({ ...LINK_PARAMS, 'h-captcha-response': Field }) } },
    async (request, reply) => {
      const { confirmation_token: token = '', redirect_to_app: redirectsToApp = false } = request.body
      const { 'h-captcha-response': captcha = '' } = request.body
      return confirm(ctx, { request, reply, token, redirectsToApp, captcha })
    },
  )

  api.post(paths.confirmation, { schema: { hide: true, body: formOf({ email: Field }) } }, async (request, reply) => {
    const displayed = await displayedEmail(ctx, request)
    if (displayed === null) return reply.redirect(paths.signIn, 303)
    const newEmail = request.body.email?.trim() ?? ''
    await countMail(ctx, { request, reply, displayed, newEmail })
    try {
      await resend(ctx, { request, newEmail })
    } catch (err) {
      if (!(err instanceof ValidationError)) throw err
      return sendCheckMailPage(ctx, {
        request,
        reply: reply.code(422),
        email: displayed,
        newEmail,
        errors: err.fields,
      })
    }
    if (newEmail !== '') setSignUpEmail(ctx, reply, { email: newEmail })
    return sendCheckMailPage(ctx, { request, reply, email: newEmail || displayed, resent: true })
  })
}

/** Confirms the address of a link, or shows the captcha that it requires. Redirects to the app if the link says so. */
async function confirm(
  ctx: Ctx,
  {
    request,
    reply,
    token,
    redirectsToApp,
    captcha,
  }: Exchange & { token: string; redirectsToApp: boolean; captcha: string | null },
): Promise<FastifyReply> {
  try {
    const { approved, applicationId } = await confirmEmail(ctx, { token, captcha })
    clearSignUpEmail(ctx, reply)
    const app = await findReturnTarget(ctx, applicationId)
    if (redirectsToApp && app) return await reply.redirect(percentEncodeNonAscii(app.url), 303)
    return await sendPage(ctx, { request, reply, page: (frame) => confirmedPage(frame, { pending: !approved, app }) })
  } catch (err) {
    if (err instanceof UsedConfirmationError) {
      const { approved, applicationId } = err.user
      clearSignUpEmail(ctx, reply)
      const app = await findReturnTarget(ctx, applicationId)
      const page = (frame: Frame) => confirmedPage(frame, { pending: !approved, app })
      return sendPage(ctx, { request, reply: reply.code(422), page })
    }
    if (err instanceof InvalidConfirmationError) return sendInvalidLinkPage(ctx, { request, reply })
    if (!(err instanceof CaptchaRequiredError)) throw err
    const { siteKey, problem, applicationId } = err
    if (problem !== null) reply.code(problem === 'wrong' ? 422 : 503)
    const input = { token, siteKey, problem, redirectsToApp }
    const app = redirectsToApp ? await findReturnTarget(ctx, applicationId) : null
    return sendPage(ctx, {
      request,
      reply,
      widget: HCAPTCHA_SOURCES,
      // Browsers apply the `form-action` of the page to the redirect to the app, too.
      ...(app && { formTarget: cspSourceOf(app.url) }),
      page: (frame) => captchaPage(frame, input),
    })
  }
}

/**
 * Counts a mail by the account that it is for, and a correction of the address also by the new address. After a sign-up
 * with an address that another user has, the cookie contains no session, but counts like the account of one, so that
 * the responses do not differ.
 */
async function countMail(
  ctx: Ctx,
  { request, reply, displayed, newEmail }: Exchange & { displayed: string; newEmail: string },
): Promise<void> {
  const sessionId = sessionSecretOf(ctx, request)
  const pretended = sessionId === null ? emailKey(displayed) : `session:${sessionId}`
  const key = request.viewer ? `account:${request.viewer.accountId}` : pretended
  const throttle = newEmail === '' ? THROTTLES.confirmationMail : THROTTLES.emailCorrection
  await countUse(ctx, { request, reply, throttle, key })
  if (newEmail !== '') await countUse(ctx, { request, reply, throttle, key: emailKey(newEmail) })
}

/**
 * Sends the mail again, or to another address. Without a session (after a sign-up with an address that another user
 * has), it only validates the address: no mail is sent, but the response looks the same.
 */
async function resend(ctx: Ctx, { request, newEmail }: { request: FastifyRequest; newEmail: string }): Promise<void> {
  if (request.viewer) {
    const { userId } = request.viewer
    await resendConfirmation(ctx, { userId, email: newEmail })
    return
  }
  if (newEmail === '') return
  const problem = emailProblem(newEmail)
  if (problem) throw new ValidationError([problem])
  const refusal =
    (await findEmailRefusal(ctx, { email: newEmail })) ??
    (isRefusedByLists(ctx, { email: newEmail }) ? BLOCKED_EMAIL : null)
  if (refusal) throw new ValidationError([refusal])
}

/** Returns the address to which the mail was sent: the one entered last, else that of the user who is logged in. */
async function displayedEmail(ctx: Ctx, request: FastifyRequest): Promise<string | null> {
  const remembered = signUpEmailOf(ctx, request)
  if (remembered !== null || !request.viewer) return remembered
  const [user] = await findUser(ctx.db, { userId: request.viewer.userId })
  if (!user) throw new NotFoundError()
  return pendingEmail(user, { now: ctx.now() }) ?? user.email
}

async function sendCheckMailPage(
  ctx: Ctx,
  { request, reply, flash, ...input }: Exchange & CheckMailInput & { flash?: Frame['flash'] },
): Promise<FastifyReply> {
  const changeable = !request.viewer || request.viewer.accountState === 'unconfirmed'
  return sendPage(ctx, { request, reply, flash, page: (frame) => checkMailPage(frame, { ...input, changeable }) })
}

async function sendInvalidLinkPage(ctx: Ctx, { request, reply }: Exchange): Promise<FastifyReply> {
  reply.code(422)
  const flash = { kind: 'alert', text: message(localeOf(ctx, request), 'confirmed.refused') } as const
  const isUnconfirmed = !request.viewer || request.viewer.accountState === 'unconfirmed'
  const email = isUnconfirmed ? await displayedEmail(ctx, request) : null
  if (email !== null) return sendCheckMailPage(ctx, { request, reply, flash, email })
  // Users who are logged in are not asked to log in.
  if (request.viewer)
    return sendPage(ctx, { request, reply, flash, page: (frame) => errorPage(frame, { status: 422, textOf: 400 }) })
  return sendPage(ctx, { request, reply, flash, page: (frame) => signInPage(frame, {}) })
}

/** Returns the application with which the user signed up; null if it has no redirect URI to return to. */
async function findReturnTarget(ctx: Ctx, applicationId: string | null): Promise<{ name: string; url: string } | null> {
  const app = applicationId === null ? null : await findApplicationById(ctx, { id: applicationId })
  const url = app?.redirectUris.find((address) => address !== OUT_OF_BAND)
  return app && url ? { name: app.name, url } : null
}
