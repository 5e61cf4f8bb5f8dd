import { mayReceive } from '../../../domain/webhooks/find-webhooks.ts'
import type { Webhook } from '../../../domain/webhooks/find-webhooks.ts'
import type { WebhookDelivery } from '../../../domain/webhooks/list-deliveries.ts'
import type { AdminWebhook, AdminWebhookDelivery } from '../../../entities/admin/operations/admin-webhook.ts'

/** Returns a webhook. `secret`: only directly after it was generated. */
export function renderAdminWebhook(webhook: Webhook, secret?: string): AdminWebhook {
  const { id, url, events, enabled, staff } = webhook
  return {
    id,
    url,
    events,
    enabled,
    account_id: staff?.accountId ?? null,
    unpermitted_events: events.filter((event) => !mayReceive(staff, event)),
    ...(secret !== undefined && { secret }),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

export function renderAdminWebhookDelivery(delivery: WebhookDelivery): AdminWebhookDelivery {
  return {
    id: delivery.id,
    event: delivery.event,
    state: delivery.state,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  }
}
