import { Type } from 'typebox'
import { removeProfileImage } from '../../../../domain/accounts/profile/remove-profile-image.ts'
import { updateProfile } from '../../../../domain/accounts/profile/update-profile.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { CredentialAccount } from '../../../../entities/accounts/account.ts'
import { Profile } from '../../../../entities/accounts/profile.ts'
import { ValidationError } from '../../../../entities/schema/error.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts/render-accounts.ts'
import { renderProfile } from '../../../../render/accounts/render-profile.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { BODY_TYPES_WITH_FILES } from '../../../support/uploads/uploaded-file.ts'
import { PROFILE_PARAMS, readProfileParams } from '../../../support/request/profile-params.ts'
import { sendJson } from '../../../support/response/send.ts'

const OptionalBoolean = Type.Optional(Type.Boolean())
const ProfileBody = Type.Object({
  ...PROFILE_PARAMS,
  show_media: OptionalBoolean,
  show_media_replies: OptionalBoolean,
  show_featured: OptionalBoolean,
})

/** Mastodon: GET, PATCH and PUT /api/v1/profile, DELETE /api/v1/profile/{avatar,header}. The editable profile. */
export async function profile(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['accounts']

  api.get(
    '',
    { schema: { tags, summary: 'View your editable profile', response: { 200: ref(Profile) } } },
    async (request) => ctx.read(renderProfile, { accountId: viewerOf(request).accountId }),
  )

  // Clients use both methods.
  for (const method of ['patch', 'put'] as const) {
    api[method](
      '',
      {
        schema: {
          tags,
          summary: 'Update your profile and its tabs',
          consumes: BODY_TYPES_WITH_FILES,
          body: ProfileBody,
          response: { 200: ref(Profile), 422: ref(ValidationError) },
        },
      },
      async (request) => {
        const { accountId } = viewerOf(request)
        const { body } = request
        const { changes, uploads } = readProfileParams(body)
        const tabSettings = {
          showMedia: body.show_media,
          showMediaReplies: body.show_media_replies,
          showFeatured: body.show_featured,
        }
        await updateProfile(ctx, { accountId, changes: { ...changes, ...tabSettings }, uploads })
        return ctx.read(renderProfile, { accountId })
      },
    )
  }

  for (const kind of ['avatar', 'header'] as const) {
    api.delete(
      `/${kind}`,
      { schema: { tags, summary: `Remove your ${kind}`, response: { 200: ref(CredentialAccount) } } },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        await ctx.write((tx) => removeProfileImage(tx, { accountId, kind }))
        return sendJson(reply, await ctx.read(renderCredentialAccount, { accountId }))
      },
    )
  }
}
