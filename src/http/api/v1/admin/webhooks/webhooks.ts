import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { redeliverWebhook, testWebhook } from '../../../../../domain/webhooks/enqueue-deliveries.ts'
import { findWebhook, listWebhooks } from '../../../../../domain/webhooks/find-webhooks.ts'
import { findWebhookDelivery, listWebhookDeliveries } from '../../../../../domain/webhooks/list-deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../../../domain/webhooks/write-webhook.ts'
import { AdminWebhook, AdminWebhookDelivery } from '../../../../../entities/admin/operations/admin-webhook.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import {
  renderAdminWebhook,
  renderAdminWebhookDelivery,
} from '../../../../../render/admin/operations/render-admin-webhooks.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams, PathId } from '../../../../support/request/path-params.ts'

const WebhookBody = Type.Object({
  url: Type.Optional(Type.String({ description: 'A public https address. Required for a new webhook.' })),
  events: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Replaces the events; each one requires a permission. Required for a new webhook.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'Default for a new webhook: true.' })),
})

/** Linnet's own: /api/v1/admin/webhooks. Events and payloads are Mastodon's. */
export async function adminWebhooks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: webhooks']
  const response = { 200: ref(AdminWebhook) }
  const read = async (id: string, secret?: string): Promise<AdminWebhook> =>
    renderAdminWebhook(await findWebhook(ctx, { id }), secret)

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all webhooks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminWebhook)) },
      },
    },
    async (request, reply): Promise<AdminWebhook[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const webhooks = await listWebhooks(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: webhooks.map(({ id }) => id), page, style: 'posts' })
      return webhooks.map((webhook) => renderAdminWebhook(webhook))
    },
  )

  api.get('/:id', { schema: { tags, summary: 'View a single webhook', params: IdParams, response } }, async (request) =>
    read(request.params.id),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Create a webhook',
        description: 'The response contains the secret that signs the requests.',
        body: WebhookBody,
        response,
      },
    },
    async (request) => {
      const { id, secret } = await createWebhook(ctx, { ...request.body, by: staffOf(request) })
      return read(id, secret)
    },
  )

  api.put(
    '/:id',
    { schema: { tags, summary: 'Update a webhook', params: IdParams, body: WebhookBody, response } },
    async (request) => {
      const { id } = request.params
      await updateWebhook(ctx, { id, ...request.body, by: staffOf(request) })
      return read(id)
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a webhook with its deliveries',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteWebhook(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )

  for (const [action, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    api.post(
      `/:id/${action}`,
      { schema: { tags, summary: enabled ? 'Enable a webhook' : 'Disable a webhook', params: IdParams, response } },
      async (request) => {
        const { id } = request.params
        await ctx.write((tx) => enableWebhook(tx, { id, by: staffOf(request), enabled }))
        return read(id)
      },
    )
  }

  api.post(
    '/:id/rotate_secret',
    {
      schema: {
        tags,
        summary: 'Replace the secret of a webhook',
        description: 'The response contains the new secret. Deliveries that are retried are signed with it.',
        params: IdParams,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      const { secret } = await rotateWebhookSecret(ctx, { id, by: staffOf(request) })
      return read(id, secret)
    },
  )
}

/** Linnet's own: the deliveries of a webhook. */
export async function adminWebhookDeliveries(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: webhooks']
  const response = { 200: ref(AdminWebhookDelivery) }
  const read = async (webhookId: string, id: string): Promise<AdminWebhookDelivery> =>
    renderAdminWebhookDelivery(await findWebhookDelivery(ctx, { webhookId, id }))

  api.get(
    '/:id/deliveries',
    {
      schema: {
        tags,
        summary: 'View the deliveries of a webhook',
        params: IdParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminWebhookDelivery)) },
      },
    },
    async (request, reply): Promise<AdminWebhookDelivery[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const deliveries = await listWebhookDeliveries(ctx, { webhookId: request.params.id, page })
      setLinkHeader(ctx, { request, reply, cursors: deliveries.map(({ id }) => id), page, style: 'posts' })
      return deliveries.map(renderAdminWebhookDelivery)
    },
  )

  api.post(
    '/:id/deliveries/:delivery_id/redeliver',
    {
      schema: {
        tags,
        summary: 'Send a delivery again',
        description: 'With the same id and body.',
        params: Type.Object({ id: PathId, delivery_id: PathId }),
        response,
      },
    },
    async (request) => {
      const { id: webhookId, delivery_id: deliveryId } = request.params
      await ctx.write((tx) => redeliverWebhook(tx, { webhookId, deliveryId, by: staffOf(request) }))
      return read(webhookId, deliveryId)
    },
  )

  api.post(
    '/:id/test',
    { schema: { tags, summary: 'Send a test event to a webhook', params: IdParams, response } },
    async (request) => {
      const { id } = request.params
      const { deliveryId } = await ctx.write((tx) => testWebhook(tx, { id, by: staffOf(request) }))
      return read(id, deliveryId)
    },
  )
}
