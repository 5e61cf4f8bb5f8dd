import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readBookmarks, readFavourites } from '../../../domain/statuses/kept.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatusPage } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendParts } from '../../support/send.ts'

/** What the viewer favourited and bookmarked. */
export async function kept(api: Api, ctx: Ctx): Promise<void> {
  for (const [path, read, summary] of [
    ['/favourites', readFavourites, 'See what I favourited'],
    ['/bookmarks', readBookmarks, 'See what I bookmarked'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['statuses'],
          summary,
          querystring: Type.Object(PAGING),
          response: { 200: Type.Array(ref(Status)) },
        },
      },
      async (request, reply) => {
        const { accountId, asOf } = viewerOf(request)
        const page = readPage(request.query, STATUS_PAGE)
        const rows = await read(ctx, { accountId, page })
        linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'posts' })
        const ids = rows.map((row) => row.id)
        return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId: accountId, asOf }))
      },
    )
  }
}
