import { randomUUID } from 'node:crypto'
import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { TEST_EVENT } from './webhook-events.ts'
import type { WebhookEvent } from './webhook-events.ts'

/** How often a delivery is attempted, also after it was redelivered. The delays add up to a day and a half. */
const MAX_ATTEMPTS = 12

/** One event for one webhook. `occurrence`: see the table. */
export interface NewWebhookDelivery {
  webhookId: string
  event: WebhookEvent | typeof TEST_EVENT
  occurrence: string
  /** The request body: JSON. */
  body: string
}

const insert = statement<{
  params: {
    webhookIds: readonly string[]
    events: readonly string[]
    occurrences: readonly string[]
    bodies: readonly string[]
    now: Date
  }
  row: { id: string }
}>(
  `insert into webhook_deliveries (webhook_id, event, occurrence, body, max_attempts, created_at, next_attempt_at)
   select w.id, given.event, given.occurrence, given.body, ${MAX_ATTEMPTS}, $now, $now
   from unnest($webhookIds::bigint[], $events::text[], $occurrences::text[], $bodies::text[]) with ordinality
       given (webhook_id, event, occurrence, body, position)
     join webhooks w on w.id = given.webhook_id
   where w.enabled order by w.id, given.position for key share of w
   on conflict (webhook_id, occurrence) do nothing returning id`,
)
const lockWebhook = statement<{ params: { id: string }; row: { url: string; enabled: boolean } }>(
  `select url, enabled from webhooks where id = $id for no key update`,
)
const restart = statement<{
  params: { id: string; webhookId: string; now: Date }
  row: { attempts: number; event: string }
}>(
  `update webhook_deliveries set state = 'pending', max_attempts = attempts + ${MAX_ATTEMPTS}, next_attempt_at = $now
   where id = $id and webhook_id = $webhookId returning attempts, event`,
)

/**
 * Adds deliveries, and starts them. A webhook that was deleted or disabled, or that has the occurrence already, gets
 * none.
 */
export async function enqueueWebhookDeliveries(
  tx: Tx,
  { deliveries }: { deliveries: readonly NewWebhookDelivery[] },
): Promise<void> {
  const added = await insertAll(tx, deliveries)
  for (const { id: deliveryId } of added) tx.emit('webhook_delivery.due', { deliveryId, attempts: 0 })
}

async function insertAll(tx: Tx, deliveries: readonly NewWebhookDelivery[]): Promise<{ id: string }[]> {
  return insert(tx.db, {
    webhookIds: deliveries.map(({ webhookId }) => webhookId),
    events: deliveries.map(({ event }) => event),
    occurrences: deliveries.map(({ occurrence }) => occurrence),
    bodies: deliveries.map(({ body }) => body),
    now: tx.now,
  })
}

/**
 * Sends a test event to a webhook, and returns the delivery.
 * @throws NotFoundError; UnprocessableError if it is disabled
 */
export async function testWebhook(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<{ deliveryId: string }> {
  const url = await lockEnabled(tx, id)
  const body = JSON.stringify({ event: TEST_EVENT, created_at: tx.now.toISOString(), object: {} })
  const occurrence = `${TEST_EVENT} ${randomUUID()}`
  const [added] = await insertAll(tx, [{ webhookId: id, event: TEST_EVENT, occurrence, body }])
  const deliveryId = added!.id
  tx.emit('webhook_delivery.due', { deliveryId, attempts: 0 })
  await recordAuditEntry(tx, { by, action: 'test', targetType: 'webhook', targetId: id, label: hostOf(url) })
  return { deliveryId }
}

/**
 * Sends a delivery again with the same body and id, whatever its state is.
 * @throws NotFoundError; UnprocessableError if the webhook is disabled
 */
export async function redeliverWebhook(
  tx: Tx,
  { webhookId, deliveryId, by }: { webhookId: string; deliveryId: string; by: Actor },
): Promise<void> {
  const url = await lockEnabled(tx, webhookId)
  const [delivery] = isId(deliveryId) ? await restart(tx.db, { id: deliveryId, webhookId, now: tx.now }) : []
  if (!delivery) throw new NotFoundError()
  tx.emit('webhook_delivery.due', { deliveryId, attempts: delivery.attempts })
  const details = { delivery_id: deliveryId, event: delivery.event }
  const target = { targetType: 'webhook', targetId: webhookId, label: hostOf(url) } as const
  await recordAuditEntry(tx, { by, action: 'redeliver', ...target, details })
}

async function lockEnabled(tx: Tx, id: string): Promise<string> {
  const [webhook] = isId(id) ? await lockWebhook(tx.db, { id }) : []
  if (!webhook) throw new NotFoundError()
  if (!webhook.enabled) throw new UnprocessableError('This webhook is disabled')
  return webhook.url
}

const hostOf = (url: string): string => new URL(url).host
