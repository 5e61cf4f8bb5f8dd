import { Type } from 'typebox'
import { EVERYONE_ROLE_ID } from '../../../../../domain/access/permissions.ts'
import { ACCOUNT_STATUSES } from '../../../../../domain/accounts/lookup/filter-accounts.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { isId } from '../../../../../lib/ids.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { CURSOR_PAGINATION_PARAMS } from '../../../../support/pagination/cursor-pagination.ts'
import { readIdFilter } from '../../../../support/request/id-filter.ts'
import { sendAccountPage, TEXT_FILTERS } from '../../../v1/admin/accounts/send-account-page.ts'

const FILTERS = {
  origin: Type.Optional(oneOf(['local', 'remote'])),
  status: Type.Optional(
    oneOf([...ACCOUNT_STATUSES], {
      description: '`active`: not suspended; `pending`: not approved; `disabled`: disabled and not suspended.',
    }),
  ),
  permissions: Type.Optional(
    Type.String({ description: '`staff`: users who may manage reports, whatever `role_ids` says.' }),
  ),
  role_ids: Type.Optional(Type.Array(Type.String(), { description: 'Users with one of these roles.' })),
  invited_by: Type.Optional(Type.String({ description: 'Users who signed up with an invite of this account.' })),
  ...TEXT_FILTERS,
}
const FILTER_PARAMS = Object.keys(FILTERS)

/** Mastodon: GET /api/v2/admin/accounts */
export async function filteredAdminAccounts(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['admin: accounts'],
        summary: 'View accounts',
        querystring: Type.Object({ ...FILTERS, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminAccount)) },
      },
    },
    async (request, reply) => {
      const { origin = null, status = null, permissions, role_ids, invited_by } = request.query
      const roleIds = permissions === 'staff' ? 'staff' : readRoleIds(role_ids)
      return sendAccountPage(ctx, {
        request,
        reply,
        filters: { origin, status, roleIds, invitedBy: readIdFilter(invited_by) },
        carriedParams: FILTER_PARAMS,
      })
    },
  )
}

/** Returns the ids of roles, or null if there is no such filter. No user has a role whose id is not valid. */
function readRoleIds(texts: readonly string[] = []): string[] | null {
  const given = texts.filter((text) => text !== '')
  return given.length === 0 ? null : given.filter((text) => isId(text) || text === EVERYONE_ROLE_ID)
}
