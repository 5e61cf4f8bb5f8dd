import { Type } from 'typebox'
import { dismissSuggestion, readSuggestions } from '../../../domain/accounts/suggestions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Account } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { deprecatedSince } from '../../support/deprecated.ts'
import { OFFSET_PAGING, readLimit, readOffset } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

/** Whom the viewer might follow, in the first form, which does not say why. */
export async function suggestions(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'See whom I might follow',
        ...deprecatedSince('2021-05-16'),
        querystring: Type.Object(OFFSET_PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { limit, offset } = request.query
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      const ids = (await readSuggestions(ctx, { viewerId, ...page })).map((one) => one.id)
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Never suggest an account again',
        params: ById,
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
