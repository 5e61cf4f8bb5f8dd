import { Type } from 'typebox'
import { dismissSuggestion, listSuggestions } from '../../../../domain/accounts/suggestions/list-suggestions.ts'
import type { CachedRead, Ctx } from '../../../../domain/context.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../../lib/json/json-content.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import { OFFSET_PARAMS, readLimit, readOffset } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/suggestions (version 1, without sources), DELETE /api/v1/suggestions/:id */
export async function suggestions(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View follow suggestions (version 1)',
        ...deprecatedSince('2021-05-16'),
        querystring: Type.Object(OFFSET_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { limit, offset } = request.query
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      return sendJson(reply, listJson(await ctx.read(renderPage, { viewerId, ...page })))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Remove an account from follow suggestions',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissSuggestion(tx, { accountId, targetAccountId: request.params.id }))
      return {}
    },
  )
}

async function renderPage(
  read: CachedRead,
  { viewerId, ...page }: { viewerId: string; limit: number; offset: number },
): Promise<EntityJson<Account>[]> {
  const ids = (await listSuggestions(read, { viewerId, ...page })).map(({ id }) => id)
  return renderAccounts(read, { ids, viewerId })
}
