import { Type } from 'typebox'
import { resolveHandle } from '../../../domain/accounts/resolve-handle.ts'
import type { Ctx } from '../../../domain/context.ts'
import { followAccount } from '../../../domain/relationships/follow.ts'
import { Account } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { deprecatedSince } from '../../support/deprecated.ts'
import { countDeed } from '../../support/rate.ts'
import { sendJson } from '../../support/send.ts'
import { THROTTLES } from '../../support/throttles.ts'

/** The old way to follow somebody, by their handle; it answers with the account. */
export async function follows(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Follow an account by its handle',
        ...deprecatedSince('2019-10-03'),
        body: Type.Object({ uri: Type.Optional(Type.String({ description: '`name` or `name@domain`.' })) }),
        response: { 200: ref(Account) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await countDeed(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, async (spend) => {
        spend()
        // Asked for elsewhere before anything is written.
        const targetAccountId = await resolveHandle(ctx, { handle: request.body.uri ?? '' })
        await ctx.write((tx) => followAccount(tx, { accountId, targetAccountId }))
        return targetAccountId
      })
      return sendJson(reply, await ctx.read(renderAccount, { id }))
    },
  )
}
