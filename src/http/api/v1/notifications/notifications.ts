import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { clearNotifications } from '../../../../domain/notifications/read/clear-notifications.ts'
import { countUnreadNotifications } from '../../../../domain/notifications/read/count-unread-notifications.ts'
import { dismissNotification } from '../../../../domain/notifications/read/dismiss-notification.ts'
import { findNotification, listNotifications } from '../../../../domain/notifications/read/list-notifications.ts'
import { Notification } from '../../../../entities/notifications/notification.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderNotification, renderNotificationPage } from '../../../../render/notifications/render-notifications.ts'
import type { TypedFastify, ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import {
  NOTIFICATION_FILTER_PARAMS,
  CountResponse,
  UNREAD_COUNT_PAGE,
  INCLUDE_FILTERED_PARAM,
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
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/notifications */
export function notificationList(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['notifications'],
        summary: 'View notifications',
        querystring: Type.Object({
          ...CURSOR_PAGINATION_PARAMS,
          ...NOTIFICATION_FILTER_PARAMS,
          ...INCLUDE_FILTERED_PARAM,
          ...SUPPORTED_TYPES_PARAM,
        }),
        response: { 200: Type.Array(ref(Notification)) },
      },
    },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const filter = readNotificationFilter(request.query)
      const rows = filter === null ? [] : await listNotifications(read, { accountId, page, ...filter })
      const carriedParams = Object.keys({
        ...NOTIFICATION_FILTER_PARAMS,
        ...INCLUDE_FILTERED_PARAM,
        ...SUPPORTED_TYPES_PARAM,
      })
      setLinkHeader(read, {
        request,
        reply,
        cursors: rows.map(({ id }) => id),
        page,
        carriedParams,
        style: 'timeline',
      })
      const supported = readSupportedTypes(request.query)
      return sendJson(reply, await renderNotificationPage(read, { rows, viewerId: accountId, supported }))
    },
  )
}

/**
 * Mastodon: GET /api/v1/notifications/unread_count, GET /api/v1/notifications/:id, POST /api/v1/notifications/clear,
 * POST /api/v1/notifications/:id/dismiss
 */
export async function notifications(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const emptyResponse = Type.Object({})

  api.get(
    '/unread_count',
    {
      schema: {
        tags,
        summary: 'Get the number of unread notifications',
        querystring: Type.Object({ limit: CURSOR_PAGINATION_PARAMS.limit, ...NOTIFICATION_FILTER_PARAMS }),
        response: { 200: CountResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const limit = readLimit(request.query.limit, UNREAD_COUNT_PAGE)
      const filter = readNotificationFilter(request.query)
      return { count: filter === null ? 0 : await countUnreadNotifications(ctx, { accountId, limit, ...filter }) }
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'View a notification',
        params: IdParams,
        querystring: Type.Object(SUPPORTED_TYPES_PARAM),
        response: { 200: ref(Notification) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const row = await findNotification(ctx, { id: request.params.id, accountId })
      const supported = readSupportedTypes(request.query)
      const notification = await ctx.read(renderNotification, { row, viewerId: accountId, supported })
      if (notification === undefined) throw new NotFoundError()
      return sendJson(reply, notification)
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

  api.post(
    '/:id/dismiss',
    { schema: { tags, summary: 'Dismiss a notification', params: IdParams, response: { 200: emptyResponse } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissNotification(tx, { id: request.params.id, accountId }))
      return {}
    },
  )
}
