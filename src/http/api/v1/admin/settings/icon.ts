import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { findSiteIcon, removeSiteIcon, saveSiteIcon } from '../../../../../domain/instance/site-icon.ts'
import { AdminIcon } from '../../../../../entities/admin/settings/admin-icon.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { nameImageParameter } from '../../../../../platform/media/media-errors.ts'
import { renderAdminIcon } from '../../../../../render/admin/settings/render-admin-settings.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../../support/uploads/uploaded-file.ts'

/** Linnet's own: /api/v1/admin/settings/icon. Clients read it as the icon of the instance. */
export async function adminIcon(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: settings']
  const response = { 200: ref(AdminIcon) }
  const read = async (): Promise<AdminIcon> => renderAdminIcon(ctx.config, await findSiteIcon(ctx))

  api.get('', { schema: { tags, summary: 'View the icon of the server', response } }, async () => read())

  api.put(
    '',
    {
      schema: {
        tags,
        summary: 'Set the icon of the server',
        description: 'Its centre is cropped to a square of 512 pixels.',
        consumes: BODY_TYPES_WITH_FILES,
        body: Type.Object({ image: Type.Optional(FileParam) }),
        response,
      },
    },
    async (request) => {
      const { image } = request.body
      await nameImageParameter('image', () =>
        saveSiteIcon(ctx, { by: staffOf(request), image: image ? { path: image.path } : null }),
      )
      return read()
    },
  )

  api.delete('', { schema: { tags, summary: 'Remove the icon of the server', response } }, async (request) => {
    await ctx.write((tx) => removeSiteIcon(tx, { by: staffOf(request) }))
    return read()
  })
}
