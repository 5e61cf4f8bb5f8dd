import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { listInvites } from '../../../../../domain/invites/list-invites.ts'
import {
  createInviteAsStaff,
  expireAllInvites,
  expireInviteAsStaff,
} from '../../../../../domain/invites/write-invite.ts'
import { AdminInvite } from '../../../../../entities/accounts/invite.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminInvites } from '../../../../../render/accounts/render-invites.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'
import { inviteInputOf, InviteBody } from '../../invites/invite-params.ts'

const Filters = {
  state: Type.Optional(
    oneOf(['available', 'expired'], {
      description: '`available`: neither expired nor used up; `expired`: the others. Without it: all.',
    }),
  ),
}

/** Linnet's own: /api/v1/admin/invites, /api/v1/admin/invites/:id, /api/v1/admin/invites/deactivate_all */
export async function adminInvites(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: invites']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View the invites of all users',
        querystring: Type.Object({ ...Filters, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminInvite)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, ADMIN_PAGE)
      const { state = null } = request.query
      const rows = await listInvites(ctx, { userId: null, state, now: ctx.now(), page })
      const cursors = rows.map(({ id }) => id)
      setLinkHeader(ctx, { request, reply, cursors, page, carriedParams: Object.keys(Filters), style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAdminInvites, { invites: rows })))
    },
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create an invite', body: InviteBody, response: { 200: ref(AdminInvite) } } },
    async (request, reply) => {
      const input = { ...inviteInputOf(request.body), by: staffOf(request) }
      const invite = await ctx.write((tx) => createInviteAsStaff(tx, input))
      const [json] = await ctx.read(renderAdminInvites, { invites: [invite] })
      return sendJson(reply, json!)
    },
  )

  api.post(
    '/deactivate_all',
    { schema: { tags, summary: 'Let the invites of all users expire', response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => expireAllInvites(tx, { by: staffOf(request) }))
      return {}
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Let an invite expire, which stays in the list',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => expireInviteAsStaff(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}
