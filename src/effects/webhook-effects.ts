import { deliverWebhook } from '../webhooks/deliver-webhook.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of deliveries to webhooks that are due. The tables of the other areas add these deliveries. */
export const webhookEffects = {
  'webhook_delivery.due': { deliverWebhook },
} satisfies EffectsOf<'webhook_delivery'>
