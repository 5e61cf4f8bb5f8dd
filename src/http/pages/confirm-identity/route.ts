import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  confirmWithCode,
  confirmWithPasskey,
  confirmWithPassword,
  findConfirmationMethods,
} from '../../../domain/auth/two-factor/confirm-identity.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { TooManyRequestsError } from '../../../lib/errors.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { countUse } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { confirmIdentityPath, paths, signInPath } from '../paths.ts'
import { problemsOf } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { requestOptionsFor } from '../support/passkey-options.ts'
import { hasRecentAuthentication } from '../support/require-recent-authentication.ts'
import { confirmIdentityPage } from './template.ts'
import type { ConfirmIdentityInput } from './template.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply; viewer: Viewer; next: string }

/** The page on which users prove their identity again, before a dangerous change. */
export async function confirmIdentity(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.confirmIdentity,
    { schema: { hide: true, querystring: Type.Object({ next: Field }) } },
    async (request, reply) => {
      const next = safeReturnPath(request.query.next) ?? paths.settings
      const { viewer } = request
      if (!viewer) return reply.redirect(signInPath(next), 303)
      if (await hasRecentAuthentication(ctx, request)) return reply.redirect(next, 303)
      return showPage(ctx, { request, reply, viewer, next })
    },
  )

  api.post(
    paths.confirmIdentity,
    {
      schema: { hide: true, body: formOf({ current_password: Field, code: Field, credential: Field, next: Field }) },
    },
    async (request, reply) => {
      const next = safeReturnPath(request.body.next) ?? paths.settings
      const { viewer } = request
      const sessionId = sessionSecretOf(ctx, request)
      if (!viewer || sessionId === null) return reply.redirect(signInPath(confirmIdentityPath(next)), 303)
      const { current_password: password = '', code, credential, csrf = '' } = request.body
      const session = { userId: viewer.userId, sessionId }
      try {
        if (code !== undefined && !credential) {
          const key = `user:${viewer.userId}`
          await countUse(ctx, { request, reply, throttle: THROTTLES.secondFactor, key })
        }
        const errors = await problemsOf(
          credential
            ? confirmWithPasskey(ctx, { ...session, credential, csrf })
            : code === undefined
              ? confirmWithPassword(ctx, { ...session, password })
              : confirmWithCode(ctx, { ...session, code }),
        )
        if (errors.length === 0) return await reply.redirect(next, 303)
        return await showPage(ctx, { request, reply: reply.code(422), viewer, next, errors })
      } catch (err) {
        if (!(err instanceof TooManyRequestsError)) throw err
        return showPage(ctx, { request, reply: reply.code(429), viewer, next, throttled: true })
      }
    },
  )
}

async function showPage(
  ctx: Ctx,
  { request, reply, viewer, next, ...input }: Exchange & Pick<ConfirmIdentityInput, 'errors' | 'throttled'>,
): Promise<FastifyReply> {
  const { userId } = viewer
  const [methods, passkeyOptions] = await Promise.all([
    findConfirmationMethods(ctx, { userId }),
    requestOptionsFor(ctx, { userId, purpose: 'confirm' }),
  ])
  return sendPage(ctx, {
    request,
    reply,
    withPasskeys: passkeyOptions !== null,
    page: (frame) => confirmIdentityPage(frame, { methods, passkeyOptions, next, ...input }),
  })
}
