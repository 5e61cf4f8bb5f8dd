import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { createRelay, deleteRelay, getRelay, listRelays } from '../../../../../domain/relays/relays.ts'
import { AdminRelay } from '../../../../../entities/admin/federation/admin-relay.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminRelay } from '../../../../../render/admin/federation/render-admin-relay.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const RelayBody = Type.Object({
  inbox_url: Type.Optional(
    Type.String({ description: 'Required: an https URL on a public host that is not suspended.' }),
  ),
})

/** Linnet's own: /api/v1/admin/relays, /api/v1/admin/relays/:id. */
export async function adminRelays(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: relays']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all relays',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminRelay)) },
      },
    },
    async (request, reply): Promise<AdminRelay[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const relays = await listRelays(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: relays.map(({ id }) => id), page, style: 'posts' })
      return relays.map(renderAdminRelay)
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single relay', params: IdParams, response: { 200: ref(AdminRelay) } } },
    async (request) => renderAdminRelay(await getRelay(ctx, { id: request.params.id })),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Subscribe to a relay',
        body: RelayBody,
        response: { 200: ref(AdminRelay) },
      },
    },
    async (request) => {
      const input = { by: staffOf(request), inboxUrl: request.body.inbox_url ?? '' }
      return renderAdminRelay(await ctx.write((tx) => createRelay(tx, input)))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a relay, and end the subscription to it',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteRelay(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}
