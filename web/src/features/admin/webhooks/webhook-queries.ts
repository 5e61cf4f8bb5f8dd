import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminWebhook, AdminWebhookDelivery } from '../../../lib/api/admin-entities.ts'
import { listQuery } from '../shared/list/list-query.ts'

type WebhookEvent = AdminWebhook['events'][number]

/** The events with the permissions that they require (`src/domain/webhooks/webhook-events.ts`). */
export const WEBHOOK_EVENTS = [
  ['account.approved', 'manageUsers'],
  ['account.created', 'manageUsers'],
  ['account.updated', 'manageUsers'],
  ['report.created', 'manageReports'],
  ['report.updated', 'manageReports'],
  ['status.created', 'devops'],
  ['status.updated', 'devops'],
] as const satisfies readonly (readonly [WebhookEvent, string])[]

/** What can be chosen for a webhook. */
export interface WebhookValues {
  url: string
  events: readonly WebhookEvent[]
}

export const webhooksQuery = listQuery(
  ['webhooks'],
  async (page) => (await adminApi('webhooks').fetch(page)) as AdminWebhook[],
)

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'webhook', id],
    queryFn: async () => (await adminApi('webhooks', id).fetch()) as AdminWebhook,
  })

const REFRESH_MS = 2_000

/** The deliveries of a webhook. They are loaded again as long as one of them is about to be sent. */
export const deliveriesQuery = (webhookId: string) => ({
  ...listQuery(
    ['webhook-deliveries', webhookId],
    async (page) => (await adminApi('webhooks', webhookId, 'deliveries').fetch(page)) as AdminWebhookDelivery[],
  ),
  refetchInterval: ({ state }: { state: { data?: { pages: AdminWebhookDelivery[][] } | undefined } }) =>
    state.data?.pages.flat().some(isDue) ? REFRESH_MS : false,
})

function isDue({ state, nextAttemptAt }: AdminWebhookDelivery): boolean {
  const isSoon = nextAttemptAt === null || new Date(nextAttemptAt).getTime() < Date.now() + REFRESH_MS
  return state === 'pending' && isSoon
}

/** Adds a webhook, or changes the one with this id. The response to a new one has its secret. */
export async function saveWebhook(id: string | null, values: WebhookValues): Promise<AdminWebhook> {
  return (await (id === null
    ? adminApi('webhooks').create(values)
    : adminApi('webhooks', id).update(values))) as AdminWebhook
}

export async function setWebhookEnabled(id: string, enabled: boolean): Promise<void> {
  await adminApi('webhooks', id, enabled ? 'enable' : 'disable').create()
}

/** Replaces the secret, and returns the new one. */
export async function rotateSecret(id: string): Promise<string> {
  const { secret } = (await adminApi('webhooks', id, 'rotate_secret').create()) as AdminWebhook
  return secret ?? ''
}

export async function testWebhook(id: string): Promise<void> {
  await adminApi('webhooks', id, 'test').create()
}

export async function redeliver(webhookId: string, deliveryId: string): Promise<void> {
  await adminApi('webhooks', webhookId, 'deliveries', deliveryId, 'redeliver').create()
}

export async function deleteWebhook(id: string): Promise<void> {
  await adminApi('webhooks', id).remove()
}
