import { Type } from 'typebox'
import { readSuggestions } from '../../../domain/accounts/suggestions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Suggestion } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderSuggestions } from '../../../render/accounts/render-suggestions.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { OFFSET_PAGING, readLimit, readOffset } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** Whom the viewer might follow, and why. */
export async function suggestionsWithSources(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'See whom I might follow, and why',
        querystring: Type.Object(OFFSET_PAGING),
        response: { 200: Type.Array(ref(Suggestion)) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { limit, offset } = request.query
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      const suggested = await readSuggestions(ctx, { viewerId, ...page })
      return sendJson(reply, listJson(await ctx.read(renderSuggestions, { suggested, viewerId })))
    },
  )
}
