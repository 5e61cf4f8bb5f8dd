import { Type } from 'typebox'
import { listSuggestions } from '../../../../domain/accounts/suggestions/list-suggestions.ts'
import { Suggestion } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderSuggestions } from '../../../../render/accounts/render-suggestions.ts'
import type { ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { OFFSET_PARAMS, readLimit, readOffset } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v2/suggestions. Follow suggestions with their sources. */
export function suggestionsWithSources(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View follow suggestions',
        querystring: Type.Object(OFFSET_PARAMS),
        response: { 200: Type.Array(ref(Suggestion)) },
      },
    },
    async (read, request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { limit, offset } = request.query
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      const suggested = await listSuggestions(read, { viewerId, ...page })
      return sendJson(reply, listJson(await renderSuggestions(read, { suggested, viewerId })))
    },
  )
}
