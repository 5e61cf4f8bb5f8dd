import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Actor } from '../../../../../domain/core/record-audit-entry.ts'
import type { Ctx, Tx } from '../../../../../domain/context.ts'
import {
  assignReport,
  reopenReport,
  resolveReport,
  unassignReport,
  updateReport,
} from '../../../../../domain/reports/handle-report.ts'
import { listReports } from '../../../../../domain/reports/list-reports.ts'
import { createStaffNote } from '../../../../../domain/staff-notes/write-staff-note.ts'
import { AdminReport } from '../../../../../entities/admin/content/admin-report.ts'
import { Id } from '../../../../../entities/schema/id.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminReport, renderAdminReports } from '../../../../../render/admin/content/render-admin-reports.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { readIdFilter } from '../../../../support/request/id-filter.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Filters = {
  resolved: Type.Optional(Type.Boolean({ description: 'Resolved reports instead of unresolved ones.' })),
  unresolved: Type.Optional(Type.Boolean({ description: 'With `resolved`: both.' })),
  account_id: Type.Optional(Type.String({ description: 'Reports by this account.' })),
  target_account_id: Type.Optional(Type.String({ description: 'Reports about this account.' })),
  assigned_account_id: Type.Optional(Type.String({ description: 'Reports that this member of the staff handles.' })),
}
const FILTER_PARAMS = Object.keys(Filters)

const Changes = Type.Object({
  category: Type.Optional(oneOf(['spam', 'legal', 'violation', 'other'])),
  rule_ids: Type.Optional(Type.Array(Id, { description: 'Replaces the violated rules; 422 for an unknown rule.' })),
})

const Resolution = Type.Object({
  note: Type.Optional(
    Type.String({ description: 'Added to the staff’s notes on the report. Up to 2,000 characters.' }),
  ),
})

/** Mastodon: GET, PUT and POST /api/v1/admin/reports */
export async function adminReports(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: reports']
  const send = async (request: FastifyRequest, reply: FastifyReply, id: string) =>
    sendJson(reply, await ctx.read(renderAdminReport, { id, staff: staffOf(request) }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all reports',
        querystring: Type.Object({ ...Filters, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminReport)) },
      },
    },
    async (request, reply) => {
      const { resolved = false, unresolved = false } = request.query
      const page = readPage(request.query, ADMIN_PAGE)
      const filters = {
        resolved,
        unresolved,
        accountId: readIdFilter(request.query.account_id),
        targetAccountId: readIdFilter(request.query.target_account_id),
        assignedAccountId: readIdFilter(request.query.assigned_account_id),
      }
      const ids = await listReports(ctx, { filters, page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, carriedParams: FILTER_PARAMS, style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAdminReports, { ids, staff: staffOf(request) })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single report', params: IdParams, response: { 200: ref(AdminReport) } } },
    async (request, reply) => send(request, reply, request.params.id),
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update the category and the rules of a report',
        params: IdParams,
        body: Changes,
        response: { 200: ref(AdminReport) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { category, rule_ids: ruleIds } = request.body
      await ctx.write((tx) => updateReport(tx, { id, by: staffOf(request), category, ruleIds }))
      return send(request, reply, id)
    },
  )

  type Act = (tx: Tx, input: { id: string; by: NonNullable<Actor> }) => Promise<void>
  const assignments: [path: string, summary: string, act: Act][] = [
    [
      'assign_to_self',
      'Assign a report to yourself',
      (tx, { id, by }) => assignReport(tx, { id, by, assigneeId: by.accountId }),
    ],
    ['unassign', 'Unassign a report', unassignReport],
  ]
  for (const [path, summary, act] of assignments) {
    api.post(
      `/:id/${path}`,
      { schema: { tags, summary, params: IdParams, response: { 200: ref(AdminReport) } } },
      async (request, reply) => {
        const { id } = request.params
        await ctx.write((tx) => act(tx, { id, by: staffOf(request) }))
        return send(request, reply, id)
      },
    )
  }

  const resolutions: [path: string, summary: string, act: Act][] = [
    ['resolve', 'Resolve a report', resolveReport],
    ['reopen', 'Reopen a report', reopenReport],
  ]
  for (const [path, summary, act] of resolutions) {
    api.post(
      `/:id/${path}`,
      { schema: { tags, summary, params: IdParams, body: Resolution, response: { 200: ref(AdminReport) } } },
      async (request, reply) => {
        const { id } = request.params
        const { note = '' } = request.body
        const by = staffOf(request)
        await ctx.write(async (tx) => {
          await act(tx, { id, by })
          if (note !== '') await createStaffNote(tx, { on: 'report', subjectId: id, by, content: note })
        })
        return send(request, reply, id)
      },
    )
  }
}
