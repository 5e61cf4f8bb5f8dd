import { Type } from 'typebox'
import { listDirectory } from '../../../../domain/accounts/lookup/list-directory.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { OFFSET_PARAMS, readLimit, readOffset } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/directory. The discoverable accounts. */
export async function directory(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View the profile directory',
        description: '404 when the server has no profile directory.',
        querystring: Type.Object({
          order: Type.Optional(
            oneOf(['active', 'new'], {
              description: '`active`: most recently posting first. `new`: newest accounts first.',
            }),
          ),
          local: Type.Optional(Type.Boolean({ description: 'Only local accounts.' })),
          ...OFFSET_PARAMS,
        }),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { order = 'active', local: localOnly = false, limit, offset } = request.query
      const viewerId = request.viewer?.accountId ?? null
      const page = { limit: readLimit(limit, ACCOUNT_PAGE), offset: readOffset(offset) }
      const ids = await listDirectory(ctx, { viewerId, order, localOnly, ...page })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )
}
