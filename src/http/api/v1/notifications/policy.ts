import { Type } from 'typebox'
import type { Ctx, Read } from '../../../../domain/context.ts'
import { changePolicy, readPolicy } from '../../../../domain/notifications/policy.ts'
import type { V1NotificationPolicy as V1Policy } from '../../../../entities/notification.ts'
import { V1NotificationPolicy } from '../../../../entities/notification.ts'
import { ref } from '../../../../entities/ref.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { deprecatedSince } from '../../../support/deprecated.ts'

/** When policies that can also drop came out. */
const DROPPING_CAME = '2024-10-08'

const Choice = Type.Optional(Type.Boolean())

/** The notification policy as it once was: each category is held back or not. */
export async function filterPolicy(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const response = { 200: ref(V1NotificationPolicy) }

  api.get(
    '/policy',
    { schema: { tags, summary: 'See what is held back', ...deprecatedSince(DROPPING_CAME), response } },
    async (request) => showPolicy(ctx, viewerOf(request)),
  )

  const body = Type.Object({
    filter_not_following: Choice,
    filter_not_followers: Choice,
    filter_new_accounts: Choice,
    filter_private_mentions: Choice,
    filter_bots: Choice,
  })
  for (const method of ['PUT', 'PATCH'] as const) {
    api.route({
      method,
      url: '/policy',
      schema: { tags, summary: 'Choose what is held back', ...deprecatedSince(DROPPING_CAME), body, response },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        const verdict = (filters: boolean | undefined) =>
          filters === undefined ? undefined : filters ? 'filter' : 'accept'
        const { body: wish } = request
        const changes = {
          for_not_following: verdict(wish.filter_not_following),
          for_not_followers: verdict(wish.filter_not_followers),
          for_new_accounts: verdict(wish.filter_new_accounts),
          for_private_mentions: verdict(wish.filter_private_mentions),
          for_bots: verdict(wish.filter_bots),
        } as const
        await ctx.write((tx) => changePolicy(tx, { accountId, changes }))
        return showPolicy(ctx, { accountId })
      },
    })
  }
}

async function showPolicy(read: Read, { accountId }: { accountId: string }): Promise<V1Policy> {
  const policy = await readPolicy(read, { accountId })
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary: policy.summary,
  }
}
