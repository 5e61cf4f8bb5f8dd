import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { listAuditLog } from '../../../../../domain/moderation/list-audit-log.ts'
import { AdminAuditLogEntry } from '../../../../../entities/admin/operations/admin-audit-log-entry.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAuditLog } from '../../../../../render/admin/operations/render-audit-log.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { readIdFilter } from '../../../../support/request/id-filter.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Filters = {
  account_id: Type.Optional(Type.String({ description: 'Actions of this member of the staff.' })),
  action: Type.Optional(Type.String({ description: 'Such as `suspend`.' })),
  target_type: Type.Optional(Type.String({ description: 'Such as `account`.' })),
  target_id: Type.Optional(Type.String({ description: 'Use it with `target_type`.' })),
}

/** Linnet's own: GET /api/v1/admin/audit_log */
export async function auditLog(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['admin: audit log'],
        summary: 'View the audit log',
        querystring: Type.Object({ ...Filters, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminAuditLogEntry)) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const page = readPage(query, ADMIN_PAGE)
      const filters = {
        accountId: readIdFilter(query.account_id),
        action: query.action ?? null,
        targetType: query.target_type ?? null,
        targetId: readIdFilter(query.target_id),
      }
      const rows = await listAuditLog(ctx, { filters, page })
      const cursors = rows.map((row) => row.id)
      setLinkHeader(ctx, { request, reply, cursors, page, carriedParams: Object.keys(Filters), style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAuditLog, { rows })))
    },
  )
}
