import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  findThumbnail,
  MAX_THUMBNAIL_DESCRIPTION_CHARACTERS,
  removeThumbnail,
  saveThumbnail,
} from '../../../../../domain/instance/thumbnail.ts'
import { AdminThumbnail } from '../../../../../entities/admin/settings/admin-thumbnail.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { nameImageParameter } from '../../../../../platform/media/media-errors.ts'
import { renderAdminThumbnail } from '../../../../../render/admin/settings/render-admin-settings.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../../support/uploads/uploaded-file.ts'

/** Linnet's own: /api/v1/admin/settings/thumbnail. Clients read it as the thumbnail of the instance. */
export async function adminThumbnail(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: settings']
  const response = { 200: ref(AdminThumbnail) }
  const read = async (): Promise<AdminThumbnail> => renderAdminThumbnail(ctx.config, await findThumbnail(ctx))

  api.get('', { schema: { tags, summary: 'View the image of the server', response } }, async () => read())

  api.put(
    '',
    {
      schema: {
        tags,
        summary: 'Set the image of the server',
        description: 'Its centre is cropped to 1200 × 630 pixels. Without a file, only the description changes.',
        consumes: BODY_TYPES_WITH_FILES,
        body: Type.Object({
          image: Type.Optional(FileParam),
          description: Type.Optional(
            Type.String({
              description: `The alternative text; at most ${MAX_THUMBNAIL_DESCRIPTION_CHARACTERS} characters.`,
              'x-null': '',
            }),
          ),
        }),
        response,
      },
    },
    async (request) => {
      const { image, description = null } = request.body
      await nameImageParameter('image', () =>
        saveThumbnail(ctx, { by: staffOf(request), image: image ? { path: image.path } : null, description }),
      )
      return read()
    },
  )

  api.delete('', { schema: { tags, summary: 'Remove the image of the server', response } }, async (request) => {
    await ctx.write((tx) => removeThumbnail(tx, { by: staffOf(request) }))
    return read()
  })
}
