import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { SignUpLimitError } from '../../../domain/accounts/registration/count-sign-up.ts'
import { isTakenEmail } from '../../../domain/accounts/registration/check-credentials.ts'
import { reportTakenEmail } from '../../../domain/accounts/email/report-taken-email.ts'
import { checkSignUp, signUp as createAccount } from '../../../domain/accounts/registration/sign-up.ts'
import { readRegistrationsModeFor } from '../../../domain/accounts/registration/read-registrations-mode.ts'
import { findInvite } from '../../../domain/invites/find-invite.ts'
import { readSettings } from '../../../domain/instance/instance-settings.ts'
import { openSession } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import type { InviteCode } from '../../../entities/accounts/invite.ts'
import { ForbiddenError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { plainAddressOf } from '../../support/request/plain-address-of.ts'
import { checkInvite } from '../../api/v1/invites/invites.ts'
import { findPageAccount, languageOf, sendPage } from '../../support/response/send-page.ts'
import { setSignUpEmail, setSession } from '../../support/auth/session.ts'
import { paths } from '../paths.ts'
import { findProgramProblem, formTimeOf, signFormTime } from './detect-programs.ts'
import { loadDocuments } from './load-documents.ts'
import { invalidInvitePage, signUpPage } from './template.ts'
import type { SignUpInput } from './template.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

const SignUpForm = formOf({
  username: Field,
  email: Field,
  password: Field,
  reason: Field,
  invite_code: Field,
  date_of_birth: Field,
  shown_at: Field,
  website: Field,
  confirm_password: Field,
  agreement: Type.Optional(Type.Boolean()),
})

const CodeParams = Type.Object({ code: Type.String() })

/** The sign-up form, also for invited users. */
export async function signUp(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.signUp, { schema: { hide: true } }, async (request, reply) => {
    if (request.viewer) return reply.redirect(paths.account, 303)
    if (ctx.config.singleSignOn.only) return redirectToProvider(ctx, reply)
    return sendForm(ctx, { request, reply, input: {} })
  })

  const invitePath = `${paths.invite}:code`
  api.get(
    invitePath,
    { constraints: { answers: 'page' }, schema: { hide: true, params: CodeParams } },
    async (request, reply) => {
      if (request.viewer) return reply.redirect(paths.account, 303)
      if (ctx.config.singleSignOn.only) return redirectToProvider(ctx, reply)
      return sendForm(ctx, { request, reply, input: {}, inviteCode: request.params.code })
    },
  )
  // Mastodon: GET /invite/:code with `Accept: application/json`
  api.get(
    invitePath,
    { constraints: { answers: 'document' }, schema: { hide: true, params: CodeParams } },
    async (request): Promise<InviteCode> => checkInvite(ctx, { code: request.params.code, ip: request.clientIp }),
  )

  for (const path of [paths.register, paths.signUp]) {
    api.post(path, { schema: { hide: true, body: SignUpForm } }, async (request, reply) => {
      const { username = '', email = '', password = '', reason, agreement = false } = request.body
      const { date_of_birth: dateOfBirth, shown_at: shownAt = '' } = request.body
      const inviteCode = request.body.invite_code || undefined
      const program = findProgramProblem(ctx, request.body)
      const result = await signUpOrPretend(ctx, {
        request,
        program,
        signUp: {
          username,
          email,
          password,
          reason,
          dateOfBirth,
          inviteCode,
          agreement,
          locale: languageOf(ctx, request),
          applicationId: null,
          ip: plainAddressOf(request),
        },
      }).catch((err: unknown) => {
        // A refusal of an invited user shows the form again, which says that registrations are closed or the invite is
        // not valid any more.
        if (err instanceof ForbiddenError && inviteCode !== undefined) return new ValidationError([])
        if (err instanceof ValidationError) return err
        if (err instanceof SignUpLimitError)
          return new ValidationError([{ attribute: 'form', code: 'ERR_SIGN_UP_LIMIT', text: err.message }])
        throw err
      })
      if (typeof result === 'string') {
        setSession(ctx, reply, { id: result })
        setSignUpEmail(ctx, reply, { email: email.trim() })
        return reply.redirect(CHECK_MAIL_PATH, 303)
      }
      const values = { username, email, reason: reason ?? '', date_of_birth: dateOfBirth ?? '', agreement }
      const errors = result.fields.filter((problem) => !isTakenEmail(problem))
      return sendForm(ctx, { request, reply: reply.code(422), input: { values, errors }, inviteCode, shownAt })
    })
  }
}

/** Where users log in with external providers only, new users do so, too: their first log-in creates the account. */
function redirectToProvider(ctx: Ctx, reply: FastifyReply): FastifyReply {
  return reply.redirect(ctx.config.singleSignOn.signUpUrl ?? paths.signIn, 303)
}

/** The page that shows to which address the confirmation mail was sent, and can send it again. */
export const CHECK_MAIL_PATH = '/auth/setup'

/**
 * Creates the account and returns the id of a new session. If the only error is that another user has the e-mail
 * address, returns a random id that is no session, so that the form does not reveal which addresses have an account;
 * the user who has the address gets a mail. `program`: a sign that a program sent the form.
 * @throws ValidationError for all other errors; ForbiddenError, SignUpLimitError as `checkSignUp`
 */
async function signUpOrPretend(
  ctx: Ctx,
  {
    request,
    program,
    signUp,
  }: { request: FastifyRequest; program: FieldError | null; signUp: Parameters<typeof checkSignUp>[1] },
): Promise<string> {
  if (program) throw new ValidationError([program])
  try {
    const checked = await checkSignUp(ctx, signUp)
    return await ctx.write(async (tx) => {
      const { userId } = await createAccount(tx, checked)
      return openSession(tx, { userId, browser: browserOf(request) })
    })
  } catch (err) {
    if (!(err instanceof ValidationError) || !err.fields.every(isTakenEmail)) throw err
    await ctx.write((tx) => reportTakenEmail(tx, { email: signUp.email }))
    return generateSecret()
  }
}

async function sendForm(
  ctx: Ctx,
  {
    request,
    reply,
    input,
    inviteCode,
    shownAt = '',
  }: {
    request: FastifyRequest
    reply: FastifyReply
    input: Pick<SignUpInput, 'values' | 'errors'>
    inviteCode?: string | undefined
    /** The signed time of the form that was sent. */
    shownAt?: string
  },
): Promise<FastifyReply> {
  const invite = inviteCode === undefined ? null : await findInvite(ctx, { code: inviteCode, now: ctx.now() })
  if (invite === 'unknown' || invite === 'invalid')
    return sendPage(ctx, { request, reply: reply.code(invite === 'unknown' ? 404 : 410), page: invalidInvitePage })
  const mode = await readRegistrationsModeFor(ctx, { ip: request.clientIp, invite })
  const shownInvite: SignUpInput['invite'] =
    invite && mode !== 'none'
      ? {
          code: invite.code,
          by: await findPageAccount(ctx, { accountId: invite.inviterAccountId }),
          needsApproval: mode === 'approved',
        }
      : null
  const [documents, settings] = await Promise.all([loadDocuments(ctx, { request }), readSettings(ctx)])
  const form = {
    ...documents,
    reasonRequired: settings['require-invite-text'] && invite === null,
    minimumAge: settings['min-age'] || null,
    shownAt: formTimeOf(ctx, { shownAt }) === null ? signFormTime(ctx, { now: ctx.now() }) : shownAt,
  }
  return sendPage(ctx, {
    request,
    reply,
    page: (frame) => signUpPage(frame, { ...input, ...form, invite: shownInvite }),
  })
}
