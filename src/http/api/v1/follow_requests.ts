import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { authoriseRequest, readFollowRequests, rejectRequest } from '../../../domain/relationships/follow-requests.ts'
import { Account } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { RELATIONSHIP_FORMAT, RelationshipAnswer, relationshipWith } from '../../support/relationship.ts'
import { sendJson } from '../../support/send.ts'

/** Those who ask to follow the viewer. Their account's id stands for the request. */
export async function followRequests(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['follow requests']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'See who asks to follow me',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await readFollowRequests(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )

  for (const [path, verb, summary] of [
    ['/:id/authorize', authoriseRequest, 'Let somebody follow me'],
    ['/:id/reject', rejectRequest, 'Turn a follow request down'],
  ] as const) {
    api.post(
      path,
      {
        schema: {
          tags,
          summary,
          params: ById,
          querystring: Type.Object(RELATIONSHIP_FORMAT),
          response: { 200: RelationshipAnswer },
        },
      },
      async (request) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        await ctx.write((tx) => verb(tx, { accountId, requesterId: id }))
        return relationshipWith(ctx, { id, viewerId: accountId, query: request.query })
      },
    )
  }
}
