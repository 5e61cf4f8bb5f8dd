import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import {
  acceptNotificationRequests,
  areNotificationsMerged,
  dismissNotificationRequests,
  findNotificationRequest,
  listNotificationRequests,
} from '../../../../domain/notifications/policy/notification-requests.ts'
import { NotificationRequest } from '../../../../entities/notifications/notification.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderNotificationRequests } from '../../../../render/notifications/render-notification-requests.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** The most requests that one call may accept or dismiss. */
const MAX_IDS = 1_000

/**
 * Accounts whose notifications the viewer's notification policy filters; the viewer accepts or dismisses them.
 * Mastodon: GET /api/v1/notifications/requests and the routes below it
 */
export async function notificationRequests(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const emptyResponse = Type.Object({})

  api.get(
    '/requests',
    {
      schema: {
        tags,
        summary: 'View notification requests',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(NotificationRequest)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const requests = await listNotificationRequests(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: requests.map(({ id }) => id), page, style: 'timeline' })
      return sendJson(reply, listJson(await ctx.read(renderNotificationRequests, { requests, viewerId: accountId })))
    },
  )

  api.get(
    '/requests/merged',
    {
      schema: {
        tags,
        summary: 'Check whether accepted notification requests have been merged',
        response: { 200: Type.Object({ merged: Type.Boolean() }) },
      },
    },
    async (request) => ({ merged: await areNotificationsMerged(ctx, { accountId: viewerOf(request).accountId }) }),
  )

  api.get(
    '/requests/:id',
    {
      schema: {
        tags,
        summary: 'View a notification request',
        params: IdParams,
        response: { 200: ref(NotificationRequest) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const found = await findNotificationRequest(ctx, { accountId, id: request.params.id })
      const [rendered] = await ctx.read(renderNotificationRequests, { requests: [found], viewerId: accountId })
      if (rendered === undefined) throw new NotFoundError()
      return sendJson(reply, rendered)
    },
  )

  const decisions = [
    { name: 'accept', decide: acceptNotificationRequests, verb: 'Accept' },
    { name: 'dismiss', decide: dismissNotificationRequests, verb: 'Dismiss' },
  ] as const
  for (const { name, decide, verb } of decisions) {
    const summary = `${verb} a notification request`
    const bulkSummary = `${verb} several notification requests`
    api.post(
      `/requests/:id/${name}`,
      { schema: { tags, summary, params: IdParams, response: { 200: emptyResponse } } },
      async (request) => {
        const { accountId } = viewerOf(request)
        const ids = [request.params.id]
        const found = await ctx.write(async (tx) => decide(tx, { accountId, ids }))
        if (found === 0) throw new NotFoundError()
        return {}
      },
    )

    api.post(
      `/requests/${name}`,
      {
        schema: {
          tags,
          summary: bulkSummary,
          body: Type.Object({ id: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_IDS })) }),
          response: { 200: emptyResponse },
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
