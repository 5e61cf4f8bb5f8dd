import { Type } from 'typebox'
import { readDirectory } from '../../../domain/accounts/directory.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Account } from '../../../entities/account.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { OFFSET_PAGING, readLimit, readOffset } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** People who want to be found. */
export async function directory(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'See who wants to be found',
        description: 'Not found where the server has no directory.',
        querystring: Type.Object({
          order: Type.Optional(
            oneOf(['active', 'new'], { description: '`active`: who posted last is first. `new`: who came last.' }),
          ),
          local: Type.Optional(Type.Boolean({ description: 'Only people of this server.' })),
          ...OFFSET_PAGING,
        }),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { order = 'active', local: localOnly = false, limit, offset } = request.query
      const viewerId = request.viewer?.accountId ?? null
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      const ids = await readDirectory(ctx, { viewerId, order, localOnly, ...page })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )
}
