import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import type { RoleInput } from '../../../../../domain/roles/check-role.ts'
import { getRole, listRoles } from '../../../../../domain/roles/list-roles.ts'
import { PERMISSION_NAMES } from '../../../../../domain/roles/parse-permissions.ts'
import { createRole, deleteRole, updateRole } from '../../../../../domain/roles/write-role.ts'
import { AdminRole } from '../../../../../entities/admin/accounts/admin-role.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { renderAdminRole } from '../../../../../render/admin/accounts/render-admin-role.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'

/** The id of the base role is negative, so `PathId` does not fit. */
const RoleParams = Type.Object({ id: Type.String() })

const RoleBody = Type.Object({
  name: Type.Optional(Type.String({ description: 'At most 100 characters. Required for a new role.' })),
  color: Type.Optional(Type.String({ description: '`#rrggbb`, or empty for none.' })),
  position: Type.Optional(Type.Integer({ description: 'Lower than that of your own role. 0 for a new role.' })),
  permissions: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: `A bit mask as a decimal number, or a list of names: ${PERMISSION_NAMES.join(', ')}. Only your own permissions can be granted.`,
    }),
  ),
  highlighted: Type.Optional(Type.Boolean({ description: 'Display the role as a badge to all viewers.' })),
  collection_limit: Type.Optional(
    Type.Integer({ description: 'How many collections an account with this role may own, at most 1000.' }),
  ),
  require_2fa: Type.Optional(
    Type.Boolean({ description: 'Users with this role must have a second factor. Of the base role: all users.' }),
  ),
})

/** Linnet's own: /api/v1/admin/roles, /api/v1/admin/roles/:id */
export async function adminRoles(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: roles']
  const read = async (id: string): Promise<AdminRole> => renderAdminRole(await getRole(ctx, { id }))

  api.get(
    '',
    { schema: { tags, summary: 'View all roles', response: { 200: Type.Array(ref(AdminRole)) } } },
    async (): Promise<AdminRole[]> => (await listRoles(ctx)).map(renderAdminRole),
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single role', params: RoleParams, response: { 200: ref(AdminRole) } } },
    async (request) => read(request.params.id),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create a role', body: RoleBody, response: { 200: ref(AdminRole) } } },
    async (request) => {
      const input = { ...inputOf(request.body), by: staffOf(request) }
      const { id } = await ctx.write((tx) => createRole(tx, input))
      return read(id)
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a role',
        params: RoleParams,
        body: RoleBody,
        response: { 200: ref(AdminRole) },
      },
    },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => updateRole(tx, { id, ...inputOf(request.body), by: staffOf(request) }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a role, which its users lose',
        params: RoleParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteRole(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

function inputOf({ collection_limit, require_2fa, ...others }: Static<typeof RoleBody>): RoleInput {
  return { ...others, collectionLimit: collection_limit, require2fa: require_2fa }
}
