import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { changePolicy, readPolicy } from '../../../../domain/notifications/policy.ts'
import { NotificationPolicy, Verdict } from '../../../../entities/notification.ts'
import { ref } from '../../../../entities/ref.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'

const Choice = Type.Optional(Verdict)

/** Whose notifications the viewer takes, has held back, or does not want at all. */
export async function notificationPolicy(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const response = { 200: ref(NotificationPolicy) }

  api.get('/policy', { schema: { tags, summary: 'See my notification policy', response } }, async (request) =>
    readPolicy(ctx, viewerOf(request)),
  )

  const body = Type.Object({
    for_not_following: Choice,
    for_not_followers: Choice,
    for_new_accounts: Choice,
    for_private_mentions: Choice,
    for_limited_accounts: Choice,
    for_bots: Choice,
  })
  for (const method of ['PUT', 'PATCH'] as const) {
    api.route({
      method,
      url: '/policy',
      schema: { tags, summary: 'Change my notification policy', body, response },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        await ctx.write((tx) => changePolicy(tx, { accountId, changes: request.body }))
        return readPolicy(ctx, { accountId })
      },
    })
  }
}
