import { Type } from 'typebox'
import { removeProfileImage } from '../../../domain/accounts/remove-profile-image.ts'
import { updateProfile } from '../../../domain/accounts/update-profile.ts'
import type { Ctx } from '../../../domain/context.ts'
import { CredentialAccount } from '../../../entities/account.ts'
import { Profile } from '../../../entities/profile.ts'
import { ref } from '../../../entities/ref.ts'
import { renderCredentialAccount } from '../../../render/accounts/render-accounts.ts'
import { renderProfile } from '../../../render/accounts/render-profile.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { BODIES_WITH_FILES } from '../../support/files.ts'
import { PROFILE_CHANGES, readProfileChanges } from '../../support/profile-changes.ts'
import { sendJson } from '../../support/send.ts'

const flag = Type.Optional(Type.Boolean())
const Changes = Type.Object({ ...PROFILE_CHANGES, show_media: flag, show_media_replies: flag, show_featured: flag })

/** One's own profile, as a page for editing needs it. */
export async function profile(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['accounts']

  api.get(
    '',
    { schema: { tags, summary: 'See my profile for editing', response: { 200: ref(Profile) } } },
    async (request) => ctx.read(renderProfile, { accountId: viewerOf(request).accountId }),
  )

  // Clients send both.
  for (const method of ['patch', 'put'] as const) {
    api[method](
      '',
      {
        schema: {
          tags,
          summary: 'Change my profile, and what it shows',
          consumes: BODIES_WITH_FILES,
          body: Changes,
          response: { 200: ref(Profile) },
        },
      },
      async (request) => {
        const { accountId } = viewerOf(request)
        const { body } = request
        const { changes, uploads } = readProfileChanges(body)
        const tabs = {
          showMedia: body.show_media,
          showMediaReplies: body.show_media_replies,
          showFeatured: body.show_featured,
        }
        await updateProfile(ctx, { accountId, changes: { ...changes, ...tabs }, uploads })
        return ctx.read(renderProfile, { accountId })
      },
    )
  }

  for (const kind of ['avatar', 'header'] as const) {
    api.delete(
      `/${kind}`,
      { schema: { tags, summary: `Take my ${kind} away`, response: { 200: ref(CredentialAccount) } } },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        await ctx.write((tx) => removeProfileImage(tx, { accountId, kind }))
        return sendJson(reply, await ctx.read(renderCredentialAccount, { accountId }))
      },
    )
  }
}
