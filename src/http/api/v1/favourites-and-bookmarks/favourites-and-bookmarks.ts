import { Type } from 'typebox'
import { listBookmarks, listFavourites } from '../../../../domain/statuses/read/list-saved-statuses.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/favourites, GET /api/v1/bookmarks */
export function favouritesAndBookmarks(api: ReadApi): void {
  for (const [path, list, summary] of [
    ['/favourites', listFavourites, 'View your favourites'],
    ['/bookmarks', listBookmarks, 'View your bookmarks'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['statuses'],
          summary,
          querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
          response: { 200: Type.Array(ref(Status)) },
        },
      },
      async (read, request, reply) => {
        const { accountId } = viewerOf(request)
        const page = readPage(request.query, STATUS_PAGE)
        const rows = await list(read, { accountId, page })
        setLinkHeader(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'posts' })
        const ids = rows.map((row) => row.id)
        return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
      },
    )
  }
}
