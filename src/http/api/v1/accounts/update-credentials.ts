import { Type } from 'typebox'
import { updateProfile } from '../../../../domain/accounts/update-profile.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { CredentialAccount } from '../../../../entities/account.ts'
import { oneOf } from '../../../../entities/one-of.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { File } from '../../../support/files.ts'
import { sendJson } from '../../../support/send.ts'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())

const Changes = Type.Object({
  display_name: text,
  note: text,
  avatar: Type.Optional(File),
  header: Type.Optional(File),
  avatar_description: text,
  header_description: text,
  locked: flag,
  bot: flag,
  discoverable: flag,
  indexable: flag,
  hide_collections: flag,
  fields_attributes: Type.Optional(
    Type.Array(Type.Object({ name: text, value: text }), { description: 'The first four count.' }),
  ),
  source: Type.Optional(
    Type.Object(
      { privacy: Type.Optional(oneOf(['public', 'unlisted', 'private'])), sensitive: flag, language: text },
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
        consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
        body: Changes,
        response: { 200: ref(CredentialAccount) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { body } = request
      await updateProfile(ctx, {
        accountId,
        changes: {
          displayName: body.display_name,
          note: body.note,
          avatarDescription: body.avatar_description,
          headerDescription: body.header_description,
          fields: body.fields_attributes?.map(({ name = '', value = '' }) => ({ name, value })),
          locked: body.locked,
          bot: body.bot,
          discoverable: body.discoverable,
          indexable: body.indexable,
          hideCollections: body.hide_collections,
          defaults: body.source,
        },
        uploads: { avatarPath: body.avatar?.path, headerPath: body.header?.path },
      })
      return sendJson(reply, await renderCredentialAccount(ctx, { accountId }))
    },
  )
}
