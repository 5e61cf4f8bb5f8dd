import { Type } from 'typebox'
import { updateProfile } from '../../../../domain/accounts/update-profile.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { CredentialAccount } from '../../../../entities/account.ts'
import { QuotePolicy } from '../../../../entities/approval.ts'
import { oneOf } from '../../../../entities/one-of.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts/render-accounts.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { BODIES_WITH_FILES } from '../../../support/files.ts'
import { PROFILE_CHANGES, readProfileChanges } from '../../../support/profile-changes.ts'
import { sendJson } from '../../../support/send.ts'

const Changes = Type.Object({
  ...PROFILE_CHANGES,
  source: Type.Optional(
    Type.Object(
      {
        privacy: Type.Optional(oneOf(['public', 'unlisted', 'private'])),
        sensitive: Type.Optional(Type.Boolean()),
        language: Type.Optional(Type.String({ description: 'Empty: that of the interface.' })),
        quote_policy: Type.Optional(QuotePolicy),
      },
      { description: 'How new posts are.' },
    ),
  ),
})

/** Changing one's own profile. */
export async function updateCredentials(api: Api, ctx: Ctx): Promise<void> {
  api.patch(
    '/update_credentials',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Change my profile',
        consumes: BODIES_WITH_FILES,
        body: Changes,
        response: { 200: ref(CredentialAccount) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { changes, uploads } = readProfileChanges(request.body)
      const { quote_policy: quotePolicy, ...source } = request.body.source ?? {}
      await updateProfile(ctx, { accountId, changes: { ...changes, defaults: { ...source, quotePolicy } }, uploads })
      return sendJson(reply, await ctx.read(renderCredentialAccount, { accountId }))
    },
  )
}
