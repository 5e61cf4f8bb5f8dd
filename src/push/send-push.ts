import { findUnusableTokens } from '../domain/auth/viewer.ts'
import type { Ctx } from '../domain/context.ts'
import { readInstanceInformation } from '../domain/instance/instance-information.ts'
import { findNotification } from '../domain/notifications/read/list-notifications.ts'
import { markNotificationSeen } from '../domain/notifications/email-notifications.ts'
import {
  deleteSubscription,
  postponeAttempt,
  recordSuccess,
  startAttempt,
  undoAttempt,
} from '../domain/push/push-attempts.ts'
import type { DuePush, PushAttempt } from '../domain/push/push-attempts.ts'
import { PUSH_TTL_HOURS } from '../domain/push/plan-pushes.ts'
import { tokenEncryptionPurpose } from '../domain/push/push-subscriptions.ts'
import type { Notification } from '../entities/notifications/notification.ts'
import { parseEntity } from '../lib/json/json-content.ts'
import { NotFoundError } from '../lib/errors.ts'
import { parseRetryAfter } from '../lib/http/parse-retry-after.ts'
import { FetchFailedError, FetchRefusedError } from '../platform/fetch/fetch-errors.ts'
import { PostponedError } from '../platform/jobs/postponed-error.ts'
import { encryptPush } from '../platform/push/encrypt-push.ts'
import { createVapidHeaders } from '../platform/push/create-vapid-headers.ts'
import { renderNotification } from '../render/notifications/render-notifications.ts'
import { pushMessage } from './message.ts'

/** Push services respond quickly. A longer timeout would delay other jobs. */
const TIMEOUT_MS = 10_000

/** The 4xx status codes after which a retry may succeed. */
const RETRYABLE_CLIENT_ERRORS = new Set([408, 429])

/** The result of an attempt. `until`: the `Retry-After` of the push service, if it sent one. */
type Outcome =
  | { kind: 'accepted' }
  | { kind: 'rejected' }
  | { kind: 'retry'; until: Date | null }
  | { kind: 'postponed'; error: PostponedError }

/**
 * Effect: sends a notification to one push subscription, if the user may still see it. A permanent error deletes the
 * subscription; after other errors, the push is retried a few times with exponential backoff.
 * @throws PostponedError if too many pushes wait for push services that do not respond
 */
export async function sendPush(ctx: Ctx, due: DuePush): Promise<void> {
  const attempt = await ctx.write((tx) => startAttempt(tx, due))
  if (!attempt) return
  const notification = await findVisibleNotification(ctx, { notificationId: due.notificationId, attempt })
  if (!notification) return
  const outcome = await send(ctx, { notification, attempt })
  await ctx.write(async (tx) => {
    if (outcome.kind === 'accepted') {
      await recordSuccess(tx, due)
      await markNotificationSeen(tx, due)
    } else if (outcome.kind === 'rejected') await deleteSubscription(tx, due)
    else if (outcome.kind === 'postponed') await undoAttempt(tx, due)
    else await postponeAttempt(tx, { ...due, ...attempt, until: outcome.until })
  })
  if (outcome.kind === 'postponed') throw outcome.error
}

/** Returns the notification as its user would see it now; null if they would not. */
async function findVisibleNotification(
  ctx: Ctx,
  { notificationId, attempt: { accountId, tokenId } }: { notificationId: string; attempt: PushAttempt },
): Promise<Notification | null> {
  const unusableTokens = await findUnusableTokens(ctx, { tokenIds: [tokenId] })
  if (unusableTokens.length > 0) return null
  const row = await findNotification(ctx, { id: notificationId, accountId }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
  const rendered = row === null ? undefined : await ctx.read(renderNotification, { row, viewerId: accountId })
  return rendered === undefined ? null : parseEntity(rendered)
}

async function send(
  ctx: Ctx,
  { notification, attempt }: { notification: Notification; attempt: PushAttempt },
): Promise<Outcome> {
  const { endpoint, p256dh, auth, standard, encryptedToken, tokenId, accountId, locale } = attempt
  const token = ctx.secrets.decrypt(tokenEncryptionPurpose(tokenId), encryptedToken).toString('utf8')
  const message = pushMessage({ notification, token, locale, defaultLocale: ctx.config.defaultLocale })
  const { body, headers } = encryptPush(message, { keys: { p256dh, auth }, standard })
  const { contactEmail } = await readInstanceInformation(ctx)
  const contact = contactEmail === '' ? ctx.config.origin : `mailto:${contactEmail}`
  const vapidHeaders = createVapidHeaders(ctx.secrets, { endpoint, contact, now: ctx.now(), standard })
  const keys = [headers['crypto-key'], vapidHeaders['crypto-key']].filter((key) => key !== undefined)
  try {
    const response = await ctx.fetcher.request({
      method: 'POST',
      url: endpoint,
      headers: {
        'content-type': 'application/octet-stream',
        ttl: String(PUSH_TTL_HOURS * 3_600),
        urgency: 'normal',
        ...headers,
        ...vapidHeaders,
        ...(keys.length > 0 && { 'crypto-key': keys.join(';') }),
      },
      body,
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      // The user has chosen the endpoint.
      background: { sender: `user ${accountId}`, isSentOnce: true },
    })
    return outcomeOf(response, { now: ctx.now() })
  } catch (err) {
    if (err instanceof FetchRefusedError) return { kind: 'rejected' }
    if (err instanceof FetchFailedError) return { kind: 'retry', until: null }
    if (err instanceof PostponedError) return { kind: 'postponed', error: err }
    throw err
  }
}

function outcomeOf(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  { now }: { now: Date },
): Outcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (status >= 400 && status < 500 && !RETRYABLE_CLIENT_ERRORS.has(status)) return { kind: 'rejected' }
  return { kind: 'retry', until: parseRetryAfter(headers['retry-after'], { now }) }
}
