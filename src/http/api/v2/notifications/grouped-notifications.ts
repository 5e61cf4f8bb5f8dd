import { Type } from 'typebox'
import { clearNotifications } from '../../../../domain/notifications/read/clear-notifications.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { findLastRead } from '../../../../domain/notifications/read/count-unread-notifications.ts'
import { countUnreadGroups, listGroups } from '../../../../domain/notifications/read/list-notification-groups.ts'
import { dismissGroup, findGroup, listGroupSenders } from '../../../../domain/notifications/read/notification-groups.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { GroupedNotificationsResults } from '../../../../entities/notifications/notification.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { BadRequestError } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderNotificationGroups } from '../../../../render/notifications/render-notification-groups.ts'
import type { TypedFastify, ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import {
  NOTIFICATION_FILTER_PARAMS,
  CountResponse,
  UNREAD_COUNT_PAGE,
  INCLUDE_FILTERED_PARAM,
  GROUPED_TYPES_PARAM,
  nonBlankNames,
  readNotificationFilter,
  readSupportedTypes,
  SUPPORTED_TYPES_PARAM,
} from '../../../support/request/notification-params.ts'
import {
  setLinkHeader,
  CURSOR_PAGINATION_PARAMS,
  readLimit,
  readPage,
} from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

const GroupKeyParams = Type.Object({ group_key: Type.String() })

const EXPAND_PARAMS = {
  expand_accounts: Type.Optional(
    Type.String({ description: '`full`, or `partial_avatars`: most accounts only with their avatar.' }),
  ),
}

/** Mastodon: GET /api/v2/notifications */
export function groupedNotificationList(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['notifications'],
        summary: 'View grouped notifications',
        querystring: Type.Object({
          ...CURSOR_PAGINATION_PARAMS,
          ...NOTIFICATION_FILTER_PARAMS,
          ...INCLUDE_FILTERED_PARAM,
          ...GROUPED_TYPES_PARAM,
          ...EXPAND_PARAMS,
          ...SUPPORTED_TYPES_PARAM,
        }),
        response: { 200: ref(GroupedNotificationsResults) },
      },
    },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const { grouped_types: grouped, expand_accounts: expand = 'full' } = request.query
      if (expand !== 'full' && expand !== 'partial_avatars') {
        throw new BadRequestError(
          `Invalid value for 'expand_accounts': '${expand}', allowed values are 'full' and 'partial_avatars'`,
        )
      }
      const page = readPage(request.query, ACCOUNT_PAGE)
      const filter = readNotificationFilter(request.query)
      const groups =
        filter === null
          ? []
          : await listGroups(read, { accountId, page, ...filter, groupedTypes: nonBlankNames(grouped) })
      const carriedParams = Object.keys({
        ...NOTIFICATION_FILTER_PARAMS,
        ...INCLUDE_FILTERED_PARAM,
        ...GROUPED_TYPES_PARAM,
        ...EXPAND_PARAMS,
        ...SUPPORTED_TYPES_PARAM,
      })
      const cursors = groups.map(({ newestId }) => newestId)
      setLinkHeader(read, { request, reply, cursors, page, carriedParams, style: 'timeline' })
      const supported = readSupportedTypes(request.query)
      const partial = expand === 'partial_avatars'
      const options = { groups, viewerId: accountId, isPage: true, partial, supported }
      return sendJson(reply, await renderNotificationGroups(read, options))
    },
  )
}

/**
 * Mastodon: GET /api/v2/notifications/unread_count, POST /api/v2/notifications/clear,
 * GET /api/v2/notifications/:group_key, POST /api/v2/notifications/:group_key/dismiss,
 * GET /api/v2/notifications/:group_key/accounts
 */
export async function groupedNotifications(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const emptyResponse = Type.Object({})

  api.get(
    '/unread_count',
    {
      schema: {
        tags,
        summary: 'Get the number of unread notification groups',
        querystring: Type.Object({
          limit: CURSOR_PAGINATION_PARAMS.limit,
          ...NOTIFICATION_FILTER_PARAMS,
          ...GROUPED_TYPES_PARAM,
        }),
        response: { 200: CountResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const limit = readLimit(request.query.limit, UNREAD_COUNT_PAGE)
      const filter = readNotificationFilter(request.query)
      if (filter === null) return { count: 0 }
      const [sinceId, groupedTypes] = [
        await findLastRead(ctx, { accountId }),
        nonBlankNames(request.query.grouped_types),
      ]
      return {
        count: await countUnreadGroups(ctx, { accountId, limit, sinceId, ...filter, groupedTypes }),
      }
    },
  )

  api.post(
    '/clear',
    { schema: { tags, summary: 'Dismiss all notifications', response: { 200: emptyResponse } } },
    async (request) => {
      await clearNotifications(ctx, { accountId: viewerOf(request).accountId })
      return {}
    },
  )

  api.get(
    '/:group_key',
    {
      schema: {
        tags,
        summary: 'View a notification group',
        params: GroupKeyParams,
        querystring: Type.Object(SUPPORTED_TYPES_PARAM),
        response: { 200: ref(GroupedNotificationsResults) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const group = await findGroup(ctx, { accountId, key: request.params.group_key })
      const supported = readSupportedTypes(request.query)
      return sendJson(
        reply,
        await ctx.read(renderNotificationGroups, { groups: [group], viewerId: accountId, isPage: false, supported }),
      )
    },
  )

  api.post(
    '/:group_key/dismiss',
    {
      schema: {
        tags,
        summary: 'Dismiss a notification group',
        params: GroupKeyParams,
        response: { 200: emptyResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissGroup(tx, { accountId, key: request.params.group_key }))
      return {}
    },
  )

  api.get(
    '/:group_key/accounts',
    {
      schema: {
        tags,
        summary: 'View the accounts of a notification group',
        params: GroupKeyParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const notifiers = await listGroupSenders(ctx, { accountId, key: request.params.group_key, page })
      setLinkHeader(ctx, { request, reply, cursors: notifiers.map(({ id }) => id), page, style: 'posts' })
      const ids = notifiers.map((notifier) => notifier.account_id)
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId: accountId })))
    },
  )
}
