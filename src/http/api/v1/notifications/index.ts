import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { clearNotifications } from '../../../../domain/notifications/clear.ts'
import { countUnread } from '../../../../domain/notifications/count-unread.ts'
import { dismissNotification } from '../../../../domain/notifications/dismiss.ts'
import { findNotification, readNotifications } from '../../../../domain/notifications/list.ts'
import { Notification } from '../../../../entities/notification.ts'
import { ref } from '../../../../entities/ref.ts'
import { NotFound } from '../../../../lib/errors.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderNotification, renderNotificationPage } from '../../../../render/notifications/render-notifications.ts'
import type { Api, ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import {
  CHOICE,
  Count,
  COUNT_LIMIT,
  FILTERED,
  readChoice,
  readSupported,
  SUPPORTED,
} from '../../../support/choose-notifications.ts'
import { linkPages, PAGING, readLimit, readPage } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

/** The list of the viewer's notifications. */
export function notificationList(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['notifications'],
        summary: 'Read my notifications',
        querystring: Type.Object({ ...PAGING, ...CHOICE, ...FILTERED, ...SUPPORTED }),
        response: { 200: Type.Array(ref(Notification)) },
      },
    },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const choice = readChoice(request.query)
      const rows = choice === null ? [] : await readNotifications(read, { accountId, page, ...choice })
      const keep = Object.keys({ ...CHOICE, ...FILTERED, ...SUPPORTED })
      linkPages(read, { request, reply, cursors: rows.map(({ id }) => id), page, keep, style: 'timeline' })
      const supported = readSupported(request.query)
      return sendJson(reply, await renderNotificationPage(read, { rows, viewerId: accountId, supported }))
    },
  )
}

/** Single notifications of the viewer. */
export async function notifications(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const nothing = Type.Object({})

  api.get(
    '/unread_count',
    {
      schema: {
        tags,
        summary: 'Count what I have not read',
        querystring: Type.Object({ limit: PAGING.limit, ...CHOICE }),
        response: { 200: Count },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const limit = readLimit(request.query.limit, COUNT_LIMIT)
      const choice = readChoice(request.query)
      return { count: choice === null ? 0 : await countUnread(ctx, { accountId, limit, ...choice }) }
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'See a notification',
        params: ById,
        querystring: Type.Object(SUPPORTED),
        response: { 200: ref(Notification) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const row = await findNotification(ctx, { id: request.params.id, accountId })
      const supported = readSupported(request.query)
      const notification = await ctx.read(renderNotification, { row, viewerId: accountId, supported })
      if (notification === undefined) throw new NotFound()
      return sendJson(reply, notification)
    },
  )

  api.post(
    '/clear',
    { schema: { tags, summary: 'Take all my notifications away', response: { 200: nothing } } },
    async (request) => {
      await ctx.write((tx) => clearNotifications(tx, { accountId: viewerOf(request).accountId }))
      return {}
    },
  )

  api.post(
    '/:id/dismiss',
    { schema: { tags, summary: 'Take a notification away', params: ById, response: { 200: nothing } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissNotification(tx, { id: request.params.id, accountId }))
      return {}
    },
  )
}
