import { Type } from 'typebox'
import { resendConfirmation } from '../../../domain/accounts/resend-confirmation.ts'
import type { Ctx } from '../../../domain/context.ts'
import { valueJson } from '../../../lib/entity-json.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { sendJson } from '../../support/send.ts'

/** The confirmation of one's own address, for the application that one signed up with. */
export async function emails(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '/confirmations',
    {
      schema: {
        tags: ['emails'],
        summary: 'Send the confirmation link again',
        body: Type.Object({ email: Type.Optional(Type.String()) }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { userId } = viewerOf(request)
      const applicationId = request.bearer?.applicationId ?? null
      await ctx.write((tx) => resendConfirmation(tx, { userId, email: request.body.email, applicationId }))
      return {}
    },
  )

  api.get(
    '/check_confirmation',
    { schema: { tags: ['emails'], summary: 'Is my address confirmed?', response: { 200: Type.Boolean() } } },
    async (request, reply) => {
      const { standing } = viewerOf(request)
      return sendJson(reply, valueJson<boolean>(standing !== 'unconfirmed'))
    },
  )
}
