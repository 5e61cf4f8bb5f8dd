import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { listTags } from '../../../../../domain/tags/list-tags.ts'
import { updateTag } from '../../../../../domain/tags/update-tag.ts'
import { AdminTag } from '../../../../../entities/admin/content/admin-tag.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminTag, renderAdminTags } from '../../../../../render/admin/content/render-admin-tags.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Changes = Type.Object({
  display_name: Type.Optional(
    Type.String({ description: 'The same name with other upper and lower case; 422 for another name.' }),
  ),
  listable: Type.Optional(Type.Boolean({ description: 'Whether search finds the hashtag.' })),
  trendable: Type.Optional(Type.Boolean({ description: 'Whether the hashtag can trend.' })),
  usable: Type.Optional(
    Type.Boolean({
      description: 'Whether public statuses may have the hashtag, it has a page, and its uses are counted.',
    }),
  ),
})

/** Mastodon: GET /api/v1/admin/tags, GET and PUT /api/v1/admin/tags/:id */
export async function adminTags(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: hashtags']
  const viewing = (request: FastifyRequest) => ({ viewerId: staffOf(request).accountId, now: ctx.now() })
  const send = async (request: FastifyRequest, reply: FastifyReply, id: string) =>
    reply.send(await renderAdminTag(ctx, { id, ...viewing(request) }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all hashtags',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminTag)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, ADMIN_PAGE)
      const ids = await listTags(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, style: 'posts' })
      return sendJson(reply, listJson(await renderAdminTags(ctx, { ids, ...viewing(request) })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single hashtag', params: IdParams, response: { 200: ref(AdminTag) } } },
    async (request, reply) => send(request, reply, request.params.id),
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a hashtag',
        description: 'Counts as a review of the hashtag.',
        params: IdParams,
        body: Changes,
        response: { 200: ref(AdminTag) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { display_name: displayName, listable, trendable, usable } = request.body
      const changes = { displayName, listable, trendable, usable }
      await ctx.write((tx) => updateTag(tx, { id, by: staffOf(request), changes }))
      return send(request, reply, id)
    },
  )
}
