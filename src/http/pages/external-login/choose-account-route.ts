import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { reportTakenEmail } from '../../../domain/accounts/email/report-taken-email.ts'
import { emailProblem, isTakenEmail } from '../../../domain/accounts/registration/check-credentials.ts'
import {
  checkExternalSignUp,
  signUpExternally,
  suggestUsername,
  verifiedEmailOf,
} from '../../../domain/accounts/registration/sign-up-externally.ts'
import { IdentityTakenError, linkIdentity } from '../../../domain/auth/external/identities.ts'
import { endAttempt, findVerifiedAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { VerifiedAttempt } from '../../../domain/auth/external/login-attempts.ts'
import { findLogin } from '../../../domain/auth/find-login.ts'
import { completeLogin, logIn } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readSettings } from '../../../domain/instance/instance-settings.ts'
import { applyMappedRole } from '../../../domain/moderation/accounts/apply-mapped-role.ts'
import { ConflictError, TooManyRequestsError, ValidationError } from '../../../lib/errors.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { setSession, setSignUpEmail, sessionSecretOf } from '../../support/auth/session.ts'
import { plainAddressOf } from '../../support/request/plain-address-of.ts'
import { languageOf, sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { countSignIn } from '../sign-in/count-sign-in.ts'
import { finishLogin } from '../sign-in/finish-login.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { loadDocuments } from '../sign-up/load-documents.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'
import { browserSecretOf } from './browser-secret.ts'
import { chooseAccountPage } from './choose-account-template.ts'
import type { ChooseAccountInput } from './choose-account-template.ts'

const MAX_LOGIN_CHARACTERS = 320

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The first log-in with a provider: the user creates an account, or links one by its password. */
export async function chooseAccount(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.chooseAccount,
    { schema: { hide: true, querystring: Type.Object({ state: Field }) } },
    async (request, reply) =>
      withAttempt(ctx, { request, reply, state: request.query.state }, async (attempt) => {
        const values = await suggestValues(ctx, attempt)
        return sendForm(ctx, { request, reply, attempt, values })
      }),
  )

  const SignUpForm = formOf({
    state: Field,
    username: Field,
    email: Field,
    date_of_birth: Field,
    agreement: Type.Optional(Type.Boolean()),
  })
  api.post(paths.chooseAccount, { schema: { hide: true, body: SignUpForm } }, async (request, reply) =>
    withAttempt(ctx, { request, reply, state: request.body.state }, async (attempt) => {
      const { username = '', email = '', date_of_birth: dateOfBirth = '', agreement = false } = request.body
      const values = { username, email, dateOfBirth, agreement }
      try {
        return await createAccount(ctx, { request, reply, attempt, values })
      } catch (err) {
        if (err instanceof IdentityTakenError) {
          return sendForm(ctx, { request, reply: reply.code(422), attempt, values, problem: 'taken' })
        }
        if (!(err instanceof ValidationError)) throw err
        const isVerified = verifiedEmailOf(attempt.identity) !== null
        if (err.fields.every(isTakenEmail) && !isVerified) {
          return respondAsIfCreated(ctx, { request, reply, email: email.trim() })
        }
        const errors = err.fields.filter((one) => !isTakenEmail(one))
        // The user owns the address, so the page may show that it is taken.
        const isTaken = isVerified && errors.length < err.fields.length
        const problem = isTaken ? 'email-taken' : undefined
        return sendForm(ctx, { request, reply: reply.code(422), attempt, values, errors, problem })
      }
    }),
  )

  const LinkForm = formOf({ state: Field, login: Field, password: Field })
  api.post(paths.linkAccount, { schema: { hide: true, body: LinkForm } }, async (request, reply) =>
    withAttempt(ctx, { request, reply, state: request.body.state }, async (attempt) => {
      const login = (request.body.login ?? '').slice(0, MAX_LOGIN_CHARACTERS)
      const sendProblem = async (problem: ChooseAccountInput['problem'], status: number) => {
        const values = await suggestValues(ctx, attempt)
        return sendForm(ctx, { request, reply: reply.code(status), attempt, values, login, problem })
      }
      try {
        const { identifier, user } = await findLogin(ctx, { login })
        await countSignIn(ctx, { request, reply, userId: user?.userId ?? null, identifier })
        const result = await logIn(ctx, {
          user,
          password: request.body.password ?? '',
          browser: browserOf(request),
          previousSessionId: sessionSecretOf(ctx, request),
          async alsoDo(tx, { userId }) {
            if (!(await endAttempt(tx, attempt))) throw new ConflictError()
            await linkIdentity(tx, { userId, provider: attempt.provider, uid: attempt.identity.uid })
            await applyMappedRole(tx, { userId, roles: attempt.identity.roles })
          },
        })
        if (result === 'failed') return await sendProblem('failed', 422)
        // A user with a second factor adds the provider in the settings, after proving it.
        const isPending = typeof result === 'object' && 'pendingId' in result
        const next = isPending ? paths.externalLogins : attempt.next
        return await finishLogin(ctx, { request, reply, result, next })
      } catch (err) {
        if (err instanceof IdentityTakenError) return sendProblem('taken', 422)
        if (err instanceof TooManyRequestsError) return sendProblem('throttled', 429)
        throw err
      }
    }),
  )
}

/** Runs a handler with the attempt of this browser; without one, shows the log-in page. */
async function withAttempt(
  ctx: Ctx,
  { request, reply, state = '' }: Exchange & { state: string | undefined },
  handle: (attempt: VerifiedAttempt) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const browserSecret = browserSecretOf(ctx, request)
  const attempt = browserSecret === null ? null : await findVerifiedAttempt(ctx, { state, browserSecret })
  if (attempt && attempt.linkingUserId === null) return handle(attempt)
  return sendSignInPage(ctx, { request, reply: reply.code(422), problem: 'external-expired' })
}

/** Returns what the form for a new account contains at first. */
async function suggestValues(ctx: Ctx, { identity }: VerifiedAttempt): Promise<ChooseAccountInput['values']> {
  const email = identity.email !== null && emailProblem(identity.email) === null ? identity.email : ''
  return { username: await suggestUsername(ctx, identity), email, dateOfBirth: '', agreement: false }
}

/** Creates the account and logs in. @throws ValidationError; ForbiddenError; IdentityTakenError */
async function createAccount(
  ctx: Ctx,
  {
    request,
    reply,
    attempt: { provider, identity, state, next },
    values,
  }: Exchange & { attempt: VerifiedAttempt; values: ChooseAccountInput['values'] },
): Promise<FastifyReply> {
  const signUp = { ...values, locale: languageOf(ctx, request), ip: plainAddressOf(request) }
  const account = await checkExternalSignUp(ctx, { identity, signUp })
  const login = { browser: browserOf(request), previousSessionId: sessionSecretOf(ctx, request) }
  const result = await ctx.write(async (tx) => {
    if (!(await endAttempt(tx, { state }))) throw new ConflictError()
    const { userId } = await signUpExternally(tx, { account, provider, identity })
    await applyMappedRole(tx, { userId, roles: identity.roles })
    return completeLogin(tx, { userId, by: { method: 'omniauth', provider }, ...login })
  })
  if (!account.confirmed) setSignUpEmail(ctx, reply, { email: account.email })
  return finishLogin(ctx, { request, reply, result, next: account.confirmed ? next : CHECK_MAIL_PATH })
}

/**
 * Responds as if an account was created, and notifies the user who has the address already. The provider has not verified
 * the address, so the form must not reveal which addresses have an account.
 */
async function respondAsIfCreated(
  ctx: Ctx,
  { request, reply, email }: Exchange & { email: string },
): Promise<FastifyReply> {
  await ctx.write((tx) => reportTakenEmail(tx, { email }))
  request.viewer = null
  setSession(ctx, reply, { id: generateSecret() })
  setSignUpEmail(ctx, reply, { email })
  return reply.redirect(CHECK_MAIL_PATH, 303)
}

async function sendForm(
  ctx: Ctx,
  {
    request,
    reply,
    attempt: { state, provider, identity },
    ...input
  }: Exchange & { attempt: VerifiedAttempt } & Pick<ChooseAccountInput, 'values'> &
    Partial<Pick<ChooseAccountInput, 'errors' | 'login'>> & { problem?: ChooseAccountInput['problem'] | undefined },
): Promise<FastifyReply> {
  const [documents, settings] = await Promise.all([loadDocuments(ctx, { request }), readSettings(ctx)])
  const providerName = ctx.externalLogins.providers.find(({ name }) => name === provider)?.displayName ?? 'LDAP'
  const verifiedEmail = verifiedEmailOf(identity)
  const canSignUp = !ctx.config.singleUserMode
  return sendPage(ctx, {
    request,
    reply,
    page: (frame) =>
      chooseAccountPage(frame, {
        ...documents,
        ...input,
        minimumAge: settings['min-age'] || null,
        state,
        providerName,
        verifiedEmail,
        canSignUp,
      }),
  })
}
