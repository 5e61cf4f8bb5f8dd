import { Type } from 'typebox'
import { resendConfirmation } from '../../../../domain/accounts/email/resend-confirmation.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { valueJson } from '../../../../lib/json/entity-json.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { sendJson } from '../../../support/response/send.ts'

/**
 * Mastodon: POST /api/v1/emails/confirmations, GET /api/v1/emails/check_confirmation. The confirmation of the user's
 * e-mail address, for the application through which the user signed up.
 */
export async function emails(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '/confirmations',
    {
      schema: {
        tags: ['emails'],
        summary: 'Resend the confirmation e-mail',
        body: Type.Object({ email: Type.Optional(Type.String()) }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { userId } = viewerOf(request)
      const applicationId = request.bearer?.applicationId ?? null
      await resendConfirmation(ctx, { userId, email: request.body.email, applicationId })
      return {}
    },
  )

  api.get(
    '/check_confirmation',
    {
      schema: {
        tags: ['emails'],
        summary: 'Check whether your e-mail address is confirmed',
        response: { 200: Type.Boolean() },
      },
    },
    async (request, reply) => {
      const { accountState } = viewerOf(request)
      return sendJson(reply, valueJson<boolean>(accountState !== 'unconfirmed'))
    },
  )
}
