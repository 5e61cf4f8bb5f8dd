import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readFollowedTags } from '../../../domain/tags/followed.ts'
import { ref } from '../../../entities/ref.ts'
import { Tag } from '../../../entities/tag.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { TAG_PAGE } from '../../../lib/page.ts'
import { renderTags } from '../../../render/tags/render-tags.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** Hashtags that the viewer follows. */
export async function followedTags(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['hashtags'],
        summary: 'See which hashtags I follow',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Tag)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, TAG_PAGE)
      const rows = await readFollowedTags(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const ids = rows.map((row) => row.id)
      return sendJson(reply, listJson(await renderTags(ctx, { ids, viewerId: accountId, now: ctx.now() })))
    },
  )
}
