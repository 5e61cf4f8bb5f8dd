import { Type } from 'typebox'
import { updateProfile } from '../../../../domain/accounts/profile/update-profile.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { CredentialAccount } from '../../../../entities/accounts/account.ts'
import { QuotePolicy } from '../../../../entities/statuses/approval.ts'
import { ValidationError } from '../../../../entities/schema/error.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { BODY_TYPES_WITH_FILES } from '../../../support/uploads/uploaded-file.ts'
import { PROFILE_PARAMS, readProfileParams } from '../../../support/request/profile-params.ts'
import { sendJson } from '../../../support/response/send.ts'

const UpdateCredentialsBody = Type.Object({
  ...PROFILE_PARAMS,
  source: Type.Optional(
    Type.Object(
      {
        privacy: Type.Optional(oneOf(['public', 'unlisted', 'private'])),
        sensitive: Type.Optional(Type.Boolean()),
        language: Type.Optional(Type.String({ description: 'ISO 639. Empty: the language of the interface.' })),
        quote_policy: Type.Optional(QuotePolicy),
      },
      { description: 'Defaults for new posts.' },
    ),
  ),
})

/** Mastodon: PATCH /api/v1/accounts/update_credentials */
export async function updateCredentials(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.patch(
    '/update_credentials',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Update your profile',
        consumes: BODY_TYPES_WITH_FILES,
        body: UpdateCredentialsBody,
        response: { 200: ref(CredentialAccount), 422: ref(ValidationError) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { changes, uploads } = readProfileParams(request.body)
      const { quote_policy: quotePolicy, ...source } = request.body.source ?? {}
      await updateProfile(ctx, { accountId, changes: { ...changes, defaults: { ...source, quotePolicy } }, uploads })
      return sendJson(reply, await ctx.read(renderCredentialAccount, { accountId }))
    },
  )
}
