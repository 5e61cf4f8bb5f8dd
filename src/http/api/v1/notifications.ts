import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { clearNotifications } from '../../../domain/notifications/clear.ts'
import { dismissNotification } from '../../../domain/notifications/dismiss.ts'
import { findNotification, readNotifications } from '../../../domain/notifications/list.ts'
import { Notification } from '../../../entities/notification.ts'
import { ref } from '../../../entities/ref.ts'
import { NotFound } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { jsonArray } from '../../../lib/json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderNotifications } from '../../../render/notifications.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

const FILTERS = {
  types: Type.Optional(Type.Array(Type.String(), { description: 'Only these.' })),
  exclude_types: Type.Optional(Type.Array(Type.String(), { description: 'Not these.' })),
  account_id: Type.Optional(Type.String({ description: 'Only what this account caused.' })),
}

/** What happened around the viewer. */
export async function notifications(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const nothing = Type.Object({})

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'Read my notifications',
        querystring: Type.Object({ ...PAGING, ...FILTERS }),
        response: { 200: Type.Array(ref(Notification)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { types = [], exclude_types: exceptKinds, account_id: fromAccountId } = request.query
      const page = readPage(request.query, ACCOUNT_PAGE)
      const kinds = types.filter((type) => type !== '')
      // An id that nobody can have asks for the notifications of nobody.
      const nobody = fromAccountId !== undefined && fromAccountId !== '' && !isId(fromAccountId)
      const ids = nobody
        ? []
        : await readNotifications(ctx, {
            accountId,
            page,
            kinds: kinds.length > 0 ? kinds : null,
            exceptKinds,
            fromAccountId: fromAccountId || null,
          })
      linkPages(ctx, { request, reply, cursors: ids, page, keep: Object.keys(FILTERS), style: 'timeline' })
      return sendJson(reply, jsonArray(await renderNotifications(ctx, { ids, viewerId: accountId })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'See a notification', params: ById, response: { 200: ref(Notification) } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await findNotification(ctx, { id: request.params.id, accountId })
      const [notification] = await renderNotifications(ctx, { ids: [id], viewerId: accountId })
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
