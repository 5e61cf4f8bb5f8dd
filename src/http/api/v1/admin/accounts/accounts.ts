import { Type } from 'typebox'
import { ACCOUNT_STATUSES } from '../../../../../domain/accounts/lookup/filter-accounts.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { ACCOUNT_ACTIONS } from '../../../../../domain/moderation/accounts/moderate-account.ts'
import { previewAccountAction } from '../../../../../domain/moderation/accounts/preview-account-action.ts'
import { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'
import { AdminActionImpact } from '../../../../../entities/admin/accounts/admin-action-impact.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { isBlank } from '../../../../../lib/text/is-blank.ts'
import { renderAdminActionImpact } from '../../../../../render/admin/accounts/render-admin-action-impact.ts'
import { renderAdminAccount } from '../../../../../render/admin/accounts/render-admin-accounts.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'
import { sendAccountPage, TEXT_FILTERS } from './send-account-page.ts'

const flag = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} The value has no meaning, except that a blank one counts as none: \`false\` is the same as \`true\`.`,
    }),
  )

const FLAGS = {
  local: flag('Local accounts, as without it.'),
  remote: flag('Remote accounts instead of local ones.'),
  active: flag('Accounts that are not suspended, as without a status.'),
  pending: flag('Users who await approval.'),
  disabled: flag('Disabled users whose accounts are not suspended.'),
  sensitized: flag('Accounts whose media are marked as sensitive.'),
  silenced: flag('Limited accounts.'),
  suspended: flag('Suspended accounts.'),
  staff: flag('Users who may manage reports.'),
}
type Flag = keyof typeof FLAGS

const FILTERS = { ...FLAGS, ...TEXT_FILTERS }
const FILTER_PARAMS = Object.keys(FILTERS)

/** Mastodon: GET /api/v1/admin/accounts; the impact of an action is Linnet's own. */
export async function adminAccounts(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: accounts']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View accounts, by default local ones that are not suspended',
        querystring: Type.Object({ ...FILTERS, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminAccount)) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const isSet = (name: Flag) => !isBlank(query[name] ?? '')
      const filters = {
        origin: isSet('remote') ? 'remote' : 'local',
        // Of several statuses, the last one counts.
        status: ACCOUNT_STATUSES.findLast(isSet) ?? 'active',
        roleIds: isSet('staff') ? 'staff' : null,
        invitedBy: null,
      } as const
      return sendAccountPage(ctx, { request, reply, filters, carriedParams: FILTER_PARAMS })
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single account', params: IdParams, response: { 200: ref(AdminAccount) } } },
    async (request, reply) =>
      sendJson(reply, await ctx.read(renderAdminAccount, { id: request.params.id, staff: staffOf(request) })),
  )

  api.get(
    '/:id/action_impact',
    {
      schema: {
        tags,
        summary: 'View what an action against an account would affect',
        params: IdParams,
        querystring: Type.Object({
          type: oneOf([...ACCOUNT_ACTIONS, 'delete'], { description: '`delete` deletes all data of the account.' }),
        }),
        response: { 200: ref(AdminActionImpact) },
      },
    },
    async (request, reply) => {
      const [{ id: accountId }, { type }] = [request.params, request.query]
      const impact = await previewAccountAction(ctx, { accountId, action: type, now: ctx.now() })
      return sendJson(reply, renderAdminActionImpact({ accountId, type, impact }))
    },
  )
}
