import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { findWebhook, mayReceive } from './find-webhooks.ts'
import type { TEST_EVENT, WebhookEvent } from './webhook-events.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const FIRST_BACKOFF_MS = 30 * SECOND_MS
const MAX_BACKOFF_MS = 6 * HOUR_MS

/** How long finished deliveries are retained. Their bodies contain personal data. */
const DELIVERED_DAYS = 3
const FAILED_DAYS = 7

/** Rows per statement, so that no statement blocks others for long. */
const BATCH_ROWS = 1_000

/** A delivery whose attempt with this number is due. */
export interface DueWebhookDelivery {
  deliveryId: string
  /** How many attempts came before. */
  attempts: number
}

export interface WebhookAttempt {
  webhookId: string
  url: string
  encryptedSecret: Buffer
  body: string
}

/** The result of an attempt. */
export interface WebhookAttemptResult {
  outcome: 'delivered' | 'rejected' | 'failed'
  /** The HTTP status; null without a response. */
  status: number | null
  error: string | null
  /** The earliest time for the next attempt; null if the server names none. */
  retryAfter: Date | null
}

interface DueRow extends WebhookAttempt {
  event: WebhookEvent | typeof TEST_EVENT
  enabled: boolean
}

interface AttemptUpdate {
  id: string
  attempts: number
  status: number | null
  error: string | null
  now: Date
}

const findDue = statement<{ params: { id: string; attempts: number }; row: DueRow }>(
  `select d.webhook_id as "webhookId", w.url, w.encrypted_secret as "encryptedSecret", d.body, d.event, w.enabled
   from webhook_deliveries d join webhooks w on w.id = d.webhook_id
   where d.id = $id and d.attempts = $attempts and d.state = 'pending'`,
)
const finish = statement<{ params: AttemptUpdate & { state: string } }>(
  `update webhook_deliveries set state = $state, attempts = attempts + 1, last_status = $status, last_error = $error,
     attempted_at = $now, next_attempt_at = null
   where id = $id and attempts = $attempts`,
)
const postpone = statement<{ params: AttemptUpdate & { at: Date }; row: { state: string } }>(
  `update webhook_deliveries set attempts = attempts + 1, last_status = $status, last_error = $error,
     attempted_at = $now, state = case when attempts + 1 < max_attempts then 'pending' else 'abandoned' end,
     next_attempt_at = case when attempts + 1 < max_attempts then $at::timestamptz end
   where id = $id and attempts = $attempts and state = 'pending' returning state`,
)
const abandon = statement<{ params: { id: string; error: string } }>(
  `update webhook_deliveries set state = 'abandoned', last_error = $error, next_attempt_at = null
   where id = $id and state = 'pending'`,
)
const removeFinished = statement<{ params: { deliveredBefore: Date; failedBefore: Date }; row: { id: string } }>(
  `delete from webhook_deliveries where id = any(array(
     select id from webhook_deliveries where state <> 'pending'
       and created_at < case when state = 'delivered' then $deliveredBefore::timestamptz else $failedBefore end
       and coalesce(attempted_at, created_at) < $deliveredBefore
     limit ${BATCH_ROWS})) returning id`,
)

/**
 * Returns what an attempt sends. Null if another attempt was made since, or if the delivery is finished. Abandons it if
 * the webhook is disabled, or the role of its member of the staff does not permit the event any more.
 */
export async function findWebhookAttempt(
  ctx: Ctx,
  { deliveryId, attempts }: DueWebhookDelivery,
): Promise<WebhookAttempt | null> {
  const [due] = await findDue(ctx.db, { id: deliveryId, attempts })
  if (!due) return null
  const { event, enabled, ...attempt } = due
  const error = enabled ? await findProhibition(ctx, { webhookId: due.webhookId, event }) : 'The webhook is disabled'
  if (error === null) return attempt
  await ctx.write((tx) => abandon(tx.db, { id: deliveryId, error }))
  return null
}

async function findProhibition(
  read: Read,
  { webhookId, event }: { webhookId: string; event: WebhookEvent | typeof TEST_EVENT },
): Promise<string | null> {
  const { staff } = await findWebhook(read, { id: webhookId })
  return mayReceive(staff, event) ? null : 'The role of the staff member does not permit this event'
}

/** Records an attempt, and schedules the next one after a failure that may be temporary. */
export async function recordWebhookAttempt(
  tx: Tx,
  { deliveryId, attempts, result }: DueWebhookDelivery & { result: WebhookAttemptResult },
): Promise<void> {
  const { outcome, status, error, retryAfter } = result
  const attempt = { id: deliveryId, attempts, status, error, now: tx.now }
  if (outcome !== 'failed') return finishAttempt(tx, { ...attempt, state: outcome })
  const latest = new Date(tx.now.getTime() + MAX_BACKOFF_MS)
  const earliest = new Date(tx.now.getTime() + backoffMs(attempts + 1))
  const requested = retryAfter !== null && retryAfter > earliest ? retryAfter : earliest
  const at = requested < latest ? requested : latest
  const [row] = await postpone(tx.db, { ...attempt, at })
  if (row?.state === 'pending') tx.emit('webhook_delivery.due', { deliveryId, attempts: attempts + 1 }, at)
}

async function finishAttempt(tx: Tx, attempt: AttemptUpdate & { state: string }): Promise<void> {
  await finish(tx.db, attempt)
}

/** Returns the delay after a number of failed attempts, in milliseconds, with jitter. */
function backoffMs(failures: number): number {
  const exponentialMs = Math.min(FIRST_BACKOFF_MS * 3 ** Math.min(failures - 1, 20), MAX_BACKOFF_MS)
  return exponentialMs * (0.9 + Math.random() / 10)
}

/** Effect: deletes deliveries that were finished some days ago. */
export async function pruneWebhookDeliveries(ctx: Ctx): Promise<void> {
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS)
  const before = { deliveredBefore: daysAgo(DELIVERED_DAYS), failedBefore: daysAgo(FAILED_DAYS) }
  let rows
  do rows = await removeFinished(ctx.db, before)
  while (rows.length === BATCH_ROWS)
}
