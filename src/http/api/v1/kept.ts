import { Type } from 'typebox'
import { readBookmarks, readFavourites } from '../../../domain/statuses/kept.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatusPage } from '../../../render/statuses/render-statuses.ts'
import type { ReadApi } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** What the viewer favourited and bookmarked. */
export function kept(api: ReadApi): void {
  for (const [path, list, summary] of [
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
      async (read, request, reply) => {
        const { accountId } = viewerOf(request)
        const page = readPage(request.query, STATUS_PAGE)
        const rows = await list(read, { accountId, page })
        linkPages(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'posts' })
        const ids = rows.map((row) => row.id)
        return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
      },
    )
  }
}
