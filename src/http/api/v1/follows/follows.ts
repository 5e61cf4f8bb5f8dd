import { Type } from 'typebox'
import { resolveHandle } from '../../../../domain/accounts/lookup/resolve-handle.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { followAccount } from '../../../../domain/relationships/follows/follow-account.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderAccount } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import { sendJson } from '../../../support/response/send.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

/** Mastodon: POST /api/v1/follows. Follows an account by its handle and returns the account. */
export async function follows(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Follow an account by its handle',
        ...deprecatedSince('2019-10-03'),
        body: Type.Object({ uri: Type.Optional(Type.String({ description: '`username` or `username@domain`.' })) }),
        response: { 200: ref(Account) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await countAction(
        ctx,
        { request, reply, throttle: THROTTLES.follows, accountId },
        async (preventRefund) => {
          preventRefund()
          // Resolved at its server before the transaction begins.
          const targetAccountId = await resolveHandle(ctx, { handle: request.body.uri ?? '' })
          await ctx.write((tx) => followAccount(tx, { accountId, targetAccountId }))
          return targetAccountId
        },
      )
      return sendJson(reply, await ctx.read(renderAccount, { id }))
    },
  )
}
