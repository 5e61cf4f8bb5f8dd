import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { hasPermission } from '../../../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../../../domain/access/permissions.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  checkStatusForStaff,
  listStatusesForStaff,
} from '../../../../../domain/moderation/statuses/list-statuses-for-staff.ts'
import { STATUS_ACTIONS, takeStatusAction } from '../../../../../domain/moderation/statuses/moderate-statuses.ts'
import { previewStatusDeletion } from '../../../../../domain/moderation/statuses/preview-status-action.ts'
import { AdminStatusActionImpact } from '../../../../../entities/admin/content/admin-status-action-impact.ts'
import { AdminStatus } from '../../../../../entities/admin/content/admin-status.ts'
import { Id } from '../../../../../entities/schema/id.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ForbiddenError, NotFoundError } from '../../../../../lib/errors.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { STATUS_PAGE } from '../../../../../lib/page.ts'
import { isBlank } from '../../../../../lib/text/is-blank.ts'
import { renderAdminStatusActionImpact } from '../../../../../render/admin/content/render-admin-status-action-impact.ts'
import { renderAdminStatuses } from '../../../../../render/admin/content/render-admin-statuses.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { readIdFilter } from '../../../../support/request/id-filter.ts'
import { IdParams, PathId } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Filters = {
  media: Type.Optional(Type.Boolean({ description: 'Only statuses with media.' })),
  report_id: Type.Optional(Type.String({ description: 'Only statuses in this report.' })),
}

const Action = Type.Object({
  type: oneOf(STATUS_ACTIONS, {
    description:
      '`mark_as_sensitive` skips statuses that have neither media nor a preview card, or are marked already. `restore` ' +
      'undoes `delete` within 30 days and uses only `status_ids`.',
  }),
  status_ids: Type.Array(Id, {
    description:
      'Up to 100. Unknown statuses, those of other accounts, and those that the action cannot change are skipped; 404 ' +
      'or 422 if none is left.',
  }),
  report_id: Type.Optional(Type.String({ description: 'The report that led to the action; it is resolved.' })),
  text: Type.Optional(Type.String({ description: 'For the user. Up to 2,000 characters.' })),
  send_email_notification: Type.Optional(
    Type.Boolean({ description: 'Whether the user is notified by mail and in the app. Default: true.' }),
  ),
})

/** Linnet's own: GET /api/v1/admin/accounts/:id/statuses and POST /api/v1/admin/accounts/:id/statuses/action */
export async function adminAccountStatuses(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: accounts']

  api.get(
    '/:id/statuses',
    {
      schema: {
        tags,
        summary: 'View the statuses of an account, also deleted ones that are retained for the staff',
        params: IdParams,
        querystring: Type.Object({ ...Filters, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminStatus)) },
      },
    },
    async (request, reply) => {
      const staff = readerOf(request)
      const { id: accountId } = request.params
      const { media = false, report_id } = request.query
      const page = readPage(request.query, STATUS_PAGE)
      const filters = { media, reportId: readIdFilter(report_id) }
      const ids = await listStatusesForStaff(ctx, { accountId, staffId: staff.accountId, page, ...filters })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, carriedParams: Object.keys(Filters), style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAdminStatuses, { accountId, ids, staff })))
    },
  )

  api.get(
    '/:id/statuses/action_impact',
    {
      schema: {
        tags,
        summary: 'View what an action against statuses of an account would affect',
        params: IdParams,
        querystring: Type.Object({ type: oneOf(['delete']), status_ids: Action.properties.status_ids }),
        response: { 200: ref(AdminStatusActionImpact) },
      },
    },
    async (request, reply) => {
      const { accountId: staffId } = staffOf(request)
      const [{ id: accountId }, { type, status_ids: statusIds }] = [request.params, request.query]
      const impact = await previewStatusDeletion(ctx, { accountId, staffId, statusIds, now: ctx.now() })
      return sendJson(reply, renderAdminStatusActionImpact({ accountId, type, impact }))
    },
  )

  api.get(
    '/:id/statuses/:status_id',
    {
      schema: {
        tags,
        summary: 'View a single status of an account',
        params: Type.Object({ id: PathId, status_id: PathId }),
        response: { 200: ref(AdminStatus) },
      },
    },
    async (request, reply) => {
      const staff = readerOf(request)
      const { id: accountId, status_id: statusId } = request.params
      await checkStatusForStaff(ctx, { accountId, staffId: staff.accountId, statusId })
      const [status] = await ctx.read(renderAdminStatuses, { accountId, ids: [statusId], staff })
      if (status === undefined) throw new NotFoundError()
      return sendJson(reply, status)
    },
  )

  api.post(
    '/:id/statuses/action',
    {
      schema: {
        tags,
        summary: 'Delete statuses of an account, restore them, or mark them as sensitive',
        params: IdParams,
        body: Action,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const {
        type: action,
        status_ids: statusIds,
        text,
        report_id: reportId = '',
        send_email_notification,
      } = request.body
      const input = {
        accountId: request.params.id,
        by: staffOf(request),
        action,
        statusIds,
        ...(text !== undefined && { text }),
        ...(!isBlank(reportId) && { reportId }),
        ...(send_email_notification !== undefined && { notify: send_email_notification }),
      }
      await ctx.write((tx) => takeStatusAction(tx, input))
      return {}
    },
  )
}

/** Returns the member of the staff, who may manage reports or users. @throws ForbiddenError */
function readerOf(request: FastifyRequest): StaffMember {
  const staff = staffOf(request)
  if (hasPermission(staff.permissions, 'manageReports') || hasPermission(staff.permissions, 'manageUsers')) return staff
  throw new ForbiddenError()
}
