import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import {
  changeNotificationPolicy,
  readNotificationPolicy,
} from '../../../../domain/notifications/policy/notification-policy.ts'
import { NotificationPolicy, NotificationPolicyAction } from '../../../../entities/notifications/notification.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'

const OptionalAction = Type.Optional(NotificationPolicyAction)

/** Mastodon: GET, PUT and PATCH /api/v2/notifications/policy. Which notifications are accepted, filtered or dropped. */
export async function notificationPolicy(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const response = { 200: ref(NotificationPolicy) }

  api.get('/policy', { schema: { tags, summary: 'View your notification policy', response } }, async (request) =>
    readNotificationPolicy(ctx, viewerOf(request)),
  )

  const body = Type.Object({
    for_not_following: OptionalAction,
    for_not_followers: OptionalAction,
    for_new_accounts: OptionalAction,
    for_private_mentions: OptionalAction,
    for_limited_accounts: OptionalAction,
    for_bots: OptionalAction,
  })
  for (const method of ['PUT', 'PATCH'] as const) {
    api.route({
      method,
      url: '/policy',
      schema: { tags, summary: 'Update your notification policy', body, response },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        await ctx.write((tx) => changeNotificationPolicy(tx, { accountId, changes: request.body }))
        return readNotificationPolicy(ctx, { accountId })
      },
    })
  }
}
