import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listFollowedTags } from '../../../../domain/tags/list-followed-tags.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Tag } from '../../../../entities/statuses/tag.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { TAG_PAGE } from '../../../../lib/page.ts'
import { renderTags } from '../../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/followed_tags */
export async function followedTags(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['hashtags'],
        summary: 'View your followed hashtags',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Tag)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, TAG_PAGE)
      const rows = await listFollowedTags(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const ids = rows.map((row) => row.id)
      return sendJson(reply, listJson(await renderTags(ctx, { ids, viewerId: accountId, now: ctx.now() })))
    },
  )
}
