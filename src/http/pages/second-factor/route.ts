import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  logInWithCode,
  logInWithPasskey,
  logInWithSecondPasskey,
} from '../../../domain/auth/two-factor/second-factor-log-in.ts'
import { findPendingLogin } from '../../../domain/auth/two-factor/pending-logins.ts'
import { findSecondFactors } from '../../../domain/auth/two-factor/second-factors.ts'
import type { Ctx } from '../../../domain/context.ts'
import { ForbiddenError, TooManyRequestsError } from '../../../lib/errors.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import { pendingLoginOf, sessionSecretOf } from '../../support/auth/session.ts'
import { countUse } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { finishLogin } from '../sign-in/finish-login.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'
import { requestOptionsFor } from '../support/passkey-options.ts'
import { secondFactorPage } from './template.ts'
import type { SecondFactorInput } from './template.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply; next: string | null }

/** The second factor of a log-in, and logging in by a passkey alone. */
export async function secondFactor(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.secondFactor,
    { schema: { hide: true, querystring: Type.Object({ next: Field }) } },
    async (request, reply) => sendSecondFactorPage(ctx, { request, reply, next: safeReturnPath(request.query.next) }),
  )

  api.post(
    paths.secondFactor,
    { schema: { hide: true, body: formOf({ code: Field, credential: Field, next: Field }) } },
    async (request, reply) => {
      const { code = '', credential = '', csrf = '' } = request.body
      const exchange = { request, reply, next: safeReturnPath(request.body.next) }
      const pendingId = pendingLoginOf(ctx, request)
      const pending = pendingId && (await findPendingLogin(ctx, { pendingId, now: ctx.now() }))
      if (!pending) return sendExpired(ctx, exchange)
      const attempt = { pendingId, browser: browserOf(request), previousSessionId: sessionSecretOf(ctx, request) }
      try {
        if (credential === '') {
          const key = `user:${pending.userId}`
          await countUse(ctx, { request, reply, throttle: THROTTLES.secondFactor, key })
        }
        const result =
          credential === ''
            ? await logInWithCode(ctx, { ...attempt, code })
            : await logInWithSecondPasskey(ctx, { ...attempt, credential, csrf })
        if (result === 'expired') return await sendExpired(ctx, exchange)
        if (result !== 'failed') return await finishLogin(ctx, { ...exchange, result })
        const error =
          credential === ''
            ? { attribute: 'code', code: 'ERR_WRONG_CODE', text: 'is wrong' }
            : { attribute: 'credential', code: 'ERR_UNVERIFIED_PASSKEY', text: 'could not be verified' }
        return await sendSecondFactorPage(ctx, { ...exchange, reply: reply.code(422), errors: [error] })
      } catch (err) {
        if (!(err instanceof TooManyRequestsError)) throw err
        return sendSecondFactorPage(ctx, { ...exchange, reply: reply.code(429), throttled: true })
      }
    },
  )

  api.post(
    paths.passkeySignIn,
    { schema: { hide: true, body: formOf({ credential: Field, next: Field }) } },
    async (request, reply) => {
      if (ctx.config.singleSignOn.only) throw new ForbiddenError()
      const { credential = '', csrf = '' } = request.body
      const next = safeReturnPath(request.body.next)
      const attempt = { browser: browserOf(request), previousSessionId: sessionSecretOf(ctx, request) }
      const result = await logInWithPasskey(ctx, { ...attempt, credential, csrf })
      if (result === 'failed' || result === 'expired')
        return sendSignInPage(ctx, { request, reply: reply.code(422), next, problem: 'passkey' })
      return finishLogin(ctx, { request, reply, next, result })
    },
  )
}

async function sendSecondFactorPage(
  ctx: Ctx,
  { request, reply, next, ...input }: Exchange & Pick<SecondFactorInput, 'errors' | 'throttled'>,
): Promise<FastifyReply> {
  const pendingId = pendingLoginOf(ctx, request)
  const pending = pendingId && (await findPendingLogin(ctx, { pendingId, now: ctx.now() }))
  if (!pending) return sendExpired(ctx, { request, reply, next })
  const { userId } = pending
  const [{ totp }, passkeyOptions] = await Promise.all([
    findSecondFactors(ctx, { userId }),
    requestOptionsFor(ctx, { userId, purpose: 'second factor' }),
  ])
  const facts = { totp, passkeyOptions, next }
  return sendPage(ctx, {
    request,
    reply,
    withPasskeys: passkeyOptions !== null,
    page: (frame) => secondFactorPage(frame, { ...facts, ...input }),
  })
}

/** The first factor must be proved again. */
async function sendExpired(ctx: Ctx, { request, reply, next }: Exchange): Promise<FastifyReply> {
  return sendSignInPage(ctx, { request, reply: reply.code(422), next, problem: 'expired' })
}
