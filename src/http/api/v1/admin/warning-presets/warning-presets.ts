import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { hasPermission } from '../../../../../domain/access/permissions.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  createWarningPreset,
  deleteWarningPreset,
  getWarningPreset,
  listWarningPresets,
  updateWarningPreset,
} from '../../../../../domain/moderation/strikes/warning-presets.ts'
import { AdminWarningPreset } from '../../../../../entities/admin/accounts/admin-warning-preset.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ForbiddenError } from '../../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminWarningPreset } from '../../../../../render/admin/accounts/render-admin-warning-preset.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const Body = Type.Object({
  title: Type.Optional(Type.String({ description: 'For the staff. At most 200 characters.' })),
  text: Type.Optional(
    Type.String({ description: 'For the user who is warned. At most 2,000 characters. Required for a new preset.' }),
  ),
})

/** Linnet's own: /api/v1/admin/warning_presets, /api/v1/admin/warning_presets/:id */
export async function adminWarningPresets(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: warning presets']
  const read = async (id: string): Promise<AdminWarningPreset> =>
    renderAdminWarningPreset(await getWarningPreset(ctx, { id }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all warning presets',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminWarningPreset)) },
      },
    },
    async (request, reply): Promise<AdminWarningPreset[]> => {
      requireReader(request)
      const page = readPage(request.query, ADMIN_PAGE)
      const presets = await listWarningPresets(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: presets.map(({ id }) => id), page, style: 'posts' })
      return presets.map(renderAdminWarningPreset)
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'View a single warning preset',
        params: IdParams,
        response: { 200: ref(AdminWarningPreset) },
      },
    },
    async (request) => {
      requireReader(request)
      return read(request.params.id)
    },
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create a warning preset', body: Body, response: { 200: ref(AdminWarningPreset) } } },
    async (request) => {
      const { id } = await ctx.write((tx) => createWarningPreset(tx, { ...request.body, by: staffOf(request) }))
      return read(id)
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a warning preset',
        params: IdParams,
        body: Body,
        response: { 200: ref(AdminWarningPreset) },
      },
    },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => updateWarningPreset(tx, { ...request.body, id, by: staffOf(request) }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a warning preset', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => deleteWarningPreset(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

/** @throws ForbiddenError for staff who can neither warn users nor change the presets */
function requireReader(request: FastifyRequest): void {
  const { permissions } = staffOf(request)
  const isPermitted = hasPermission(permissions, 'manageUsers') || hasPermission(permissions, 'manageSettings')
  if (!isPermitted) throw new ForbiddenError()
}
