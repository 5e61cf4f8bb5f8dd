import { createHmac } from 'node:crypto'
import type { Ctx } from '../domain/context.ts'
import { findWebhookAttempt, recordWebhookAttempt } from '../domain/webhooks/delivery-attempts.ts'
import type { DueWebhookDelivery, WebhookAttempt, WebhookAttemptResult } from '../domain/webhooks/delivery-attempts.ts'
import { webhookSecretPurpose } from '../domain/webhooks/webhook-events.ts'
import { parseRetryAfter } from '../lib/http/parse-retry-after.ts'
import { FetchFailedError, FetchRefusedError } from '../platform/fetch/fetch-errors.ts'

const TIMEOUT_MS = 10_000

/** The 4xx statuses after which another attempt may succeed. */
const RETRYABLE_CLIENT_ERRORS = new Set([401, 408, 425, 429])

/**
 * Effect: sends a delivery to its webhook. The receiver may get a delivery more than once, always with the same id and
 * body.
 */
export async function deliverWebhook(ctx: Ctx, due: DueWebhookDelivery): Promise<void> {
  const attempt = await findWebhookAttempt(ctx, due)
  if (!attempt) return
  const result = await send(ctx, { deliveryId: due.deliveryId, attempt })
  await ctx.write((tx) => recordWebhookAttempt(tx, { ...due, result }))
}

async function send(
  ctx: Ctx,
  { deliveryId, attempt: { webhookId, url, encryptedSecret, body } }: { deliveryId: string; attempt: WebhookAttempt },
): Promise<WebhookAttemptResult> {
  const secret = ctx.secrets.decrypt(webhookSecretPurpose(webhookId), encryptedSecret).toString('utf8')
  try {
    const response = await ctx.fetcher.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ secret, deliveryId, body, now: ctx.now() }),
      },
      body,
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      background: { sender: 'webhooks' },
    })
    return resultOf(response, { now: ctx.now() })
  } catch (err) {
    if (err instanceof FetchRefusedError)
      return { outcome: 'rejected', status: null, error: err.message, retryAfter: null }
    if (err instanceof FetchFailedError)
      return { outcome: 'failed', status: null, error: err.message, retryAfter: null }
    throw err
  }
}

/**
 * Returns Mastodon's signature of the body, and that of Standard Webhooks (standardwebhooks.com), which also covers the
 * id of the delivery and the time of the attempt, so that receivers can detect replays. The former uses the text of the
 * secret as its key, the latter the bytes after the prefix.
 */
function signatureHeaders({
  secret,
  deliveryId,
  body,
  now,
}: {
  secret: string
  deliveryId: string
  body: string
  now: Date
}): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')
  const signed = `${deliveryId}.${timestamp}.${body}`
  return {
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  }
}

function resultOf(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  { now }: { now: Date },
): WebhookAttemptResult {
  const retryAfter = status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], { now }) : null
  return { outcome: outcomeOf(status), status, error: null, retryAfter }
}

function outcomeOf(status: number): WebhookAttemptResult['outcome'] {
  if (status >= 200 && status < 300) return 'delivered'
  if ((status >= 400 && status < 500 && !RETRYABLE_CLIENT_ERRORS.has(status)) || status === 501) return 'rejected'
  // Redirects, too: events are only sent to the URL that the staff entered.
  return 'failed'
}
