import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import {
  acceptRequests,
  areMerged,
  dismissRequests,
  findRequest,
  readRequests,
} from '../../../../domain/notifications/requests.ts'
import { NotificationRequest } from '../../../../entities/notification.ts'
import { ref } from '../../../../entities/ref.ts'
import { NotFound } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderNotificationRequests } from '../../../../render/notifications/render-notification-requests.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

/** So many are decided about at once. */
const MAX_IDS = 1_000

/** People whose words the viewer's policy holds back, to be let in or not. */
export async function notificationRequests(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const nothing = Type.Object({})

  api.get(
    '/requests',
    {
      schema: {
        tags,
        summary: 'See whose notifications are held back',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(NotificationRequest)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const requests = await readRequests(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: requests.map(({ id }) => id), page, style: 'timeline' })
      return sendJson(reply, listJson(await ctx.read(renderNotificationRequests, { requests, viewerId: accountId })))
    },
  )

  api.get(
    '/requests/merged',
    {
      schema: {
        tags,
        summary: 'See whether what I let in is there',
        response: { 200: Type.Object({ merged: Type.Boolean() }) },
      },
    },
    async (request) => ({ merged: await areMerged(ctx, { accountId: viewerOf(request).accountId }) }),
  )

  api.get(
    '/requests/:id',
    {
      schema: {
        tags,
        summary: 'See whose notifications are held back, one of them',
        params: ById,
        response: { 200: ref(NotificationRequest) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const found = await findRequest(ctx, { accountId, id: request.params.id })
      const [rendered] = await ctx.read(renderNotificationRequests, { requests: [found], viewerId: accountId })
      if (rendered === undefined) throw new NotFound()
      return sendJson(reply, rendered)
    },
  )

  const decisions = [
    { name: 'accept', decide: acceptRequests, summary: 'Let somebody in', many: 'Let people in' },
    { name: 'dismiss', decide: dismissRequests, summary: 'Turn somebody away', many: 'Turn people away' },
  ] as const
  for (const { name, decide, summary, many } of decisions) {
    api.post(
      `/requests/:id/${name}`,
      { schema: { tags, summary, params: ById, response: { 200: nothing } } },
      async (request) => {
        const { accountId } = viewerOf(request)
        const ids = [request.params.id]
        const found = await ctx.write(async (tx) => decide(tx, { accountId, ids }))
        if (found === 0) throw new NotFound()
        return {}
      },
    )

    api.post(
      `/requests/${name}`,
      {
        schema: {
          tags,
          summary: many,
          body: Type.Object({ id: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_IDS })) }),
          response: { 200: nothing },
        },
      },
      async (request) => {
        const { accountId } = viewerOf(request)
        const { id: ids = [] } = request.body
        await ctx.write(async (tx) => decide(tx, { accountId, ids }))
        return {}
      },
    )
  }
}
