import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isTakenEmail } from '../../../domain/accounts/check-person.ts'
import { noteTriedAddress } from '../../../domain/accounts/note-tried-address.ts'
import { checkSignUp, signUp as makeAccount } from '../../../domain/accounts/sign-up.ts'
import { openSession } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readRules } from '../../../domain/instance/rules.ts'
import { readSettings } from '../../../domain/instance/settings.ts'
import { listTerms } from '../../../domain/instance/terms.ts'
import { ValidationFailed } from '../../../lib/errors.ts'
import { makeSecret } from '../../../lib/secrets.ts'
import type { Api } from '../../api.ts'
import { languageOf, sendPage } from '../../support/page.ts'
import { rememberAddress, setSession } from '../../support/session.ts'
import { paths } from '../paths.ts'
import { signUpPage } from './template.ts'
import type { SignUpInput } from './template.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

const SignUpForm = formOf({
  username: Field,
  email: Field,
  password: Field,
  reason: Field,
  agreement: Type.Optional(Type.Boolean()),
})

/** The form for a new account. */
export async function signUp(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.signUp, { schema: { hide: true } }, async (request, reply) => {
    if (request.viewer) return reply.redirect(paths.account, 303)
    return ask(ctx, { request, reply, input: {} })
  })

  for (const path of [paths.register, paths.signUp]) {
    api.post(path, { schema: { hide: true, body: SignUpForm } }, async (request, reply) => {
      const { username = '', email = '', password = '', reason, agreement = false } = request.body
      const sessionId = await makeOrPretend(ctx, {
        request,
        signUp: { username, email, password, reason, agreement, locale: languageOf(ctx, request), applicationId: null },
      }).catch((err: unknown) => {
        if (err instanceof ValidationFailed) return err
        throw err
      })
      if (typeof sessionId === 'string') {
        setSession(ctx, reply, { id: sessionId })
        rememberAddress(ctx, reply, { email: email.trim() })
        return reply.redirect(CHECK_MAIL_PATH, 303)
      }
      const values = { username, email, reason: reason ?? '', agreement }
      const errors = sessionId.fields.filter((problem) => !isTakenEmail(problem))
      return ask(ctx, { request, reply: reply.code(422), input: { values, errors } })
    })
  }
}

/** The page that says where the confirmation mail was sent, and sends it again. */
export const CHECK_MAIL_PATH = '/auth/setup'

/**
 * Makes the account and opens its session. Where nothing is wrong but that the address has an owner, it answers in the
 * very same way, with a session that is none: who has an account here is nobody's business but their own, and the
 * owner gets a mail about it.
 * @throws ValidationFailed for everything else
 */
async function makeOrPretend(
  ctx: Ctx,
  { request, signUp }: { request: FastifyRequest; signUp: Parameters<typeof checkSignUp>[1] },
): Promise<string> {
  try {
    const checked = await checkSignUp(ctx, signUp)
    return await ctx.write(async (tx) => {
      const { userId } = await makeAccount(tx, checked)
      return openSession(tx, { userId, browser: browserOf(request) })
    })
  } catch (err) {
    if (!(err instanceof ValidationFailed) || !err.fields.every(isTakenEmail)) throw err
    await ctx.write((tx) => noteTriedAddress(tx, { email: signUp.email }))
    return makeSecret()
  }
}

async function ask(
  ctx: Ctx,
  {
    request,
    reply,
    input,
  }: { request: FastifyRequest; reply: FastifyReply; input: Pick<SignUpInput, 'values' | 'errors'> },
): Promise<FastifyReply> {
  const [rules, settings, terms] = await Promise.all([
    readRules(ctx),
    readSettings(ctx),
    listTerms(ctx, { now: ctx.now() }),
  ])
  const lang = languageOf(ctx, request).split('-')[0]!
  const agreedTo = {
    rules: rules.map(({ text, hint, translations }) => translations[lang] ?? { text, hint }),
    privacyUrl: settings['privacy-policy'] === '' ? null : paths.privacy,
    termsUrl: terms.some(({ effective }) => effective) ? paths.terms : null,
  }
  return sendPage(ctx, { request, reply, page: (frame) => signUpPage(frame, { ...input, ...agreedTo }) })
}
