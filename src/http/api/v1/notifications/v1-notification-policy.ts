import { Type } from 'typebox'
import type { Ctx, Read } from '../../../../domain/context.ts'
import {
  changeNotificationPolicy,
  readNotificationPolicy,
} from '../../../../domain/notifications/policy/notification-policy.ts'
import type { V1NotificationPolicy as V1Policy } from '../../../../entities/notifications/notification.ts'
import { V1NotificationPolicy } from '../../../../entities/notifications/notification.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'

/** When Mastodon released version 2 of the policy, which can also drop notifications. */
const SUPERSEDED_AT = '2024-10-08'

const OptionalBoolean = Type.Optional(Type.Boolean())

/** Mastodon: GET, PUT and PATCH /api/v1/notifications/policy. Version 1: each category is filtered or accepted. */
export async function v1NotificationPolicy(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const response = { 200: ref(V1NotificationPolicy) }

  api.get(
    '/policy',
    {
      schema: {
        tags,
        summary: 'View your notification policy (version 1)',
        ...deprecatedSince(SUPERSEDED_AT),
        response,
      },
    },
    async (request) => renderV1Policy(ctx, viewerOf(request)),
  )

  const body = Type.Object({
    filter_not_following: OptionalBoolean,
    filter_not_followers: OptionalBoolean,
    filter_new_accounts: OptionalBoolean,
    filter_private_mentions: OptionalBoolean,
    filter_bots: OptionalBoolean,
  })
  for (const method of ['PUT', 'PATCH'] as const) {
    api.route({
      method,
      url: '/policy',
      schema: {
        tags,
        summary: 'Update your notification policy (version 1)',
        ...deprecatedSince(SUPERSEDED_AT),
        body,
        response,
      },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        const actionFor = (filters: boolean | undefined) =>
          filters === undefined ? undefined : filters ? 'filter' : 'accept'
        const { body: requestedPolicy } = request
        const changes = {
          for_not_following: actionFor(requestedPolicy.filter_not_following),
          for_not_followers: actionFor(requestedPolicy.filter_not_followers),
          for_new_accounts: actionFor(requestedPolicy.filter_new_accounts),
          for_private_mentions: actionFor(requestedPolicy.filter_private_mentions),
          for_bots: actionFor(requestedPolicy.filter_bots),
        } as const
        await ctx.write((tx) => changeNotificationPolicy(tx, { accountId, changes }))
        return renderV1Policy(ctx, { accountId })
      },
    })
  }
}

async function renderV1Policy(read: Read, { accountId }: { accountId: string }): Promise<V1Policy> {
  const policy = await readNotificationPolicy(read, { accountId })
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary: policy.summary,
  }
}
