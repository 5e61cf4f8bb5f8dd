import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { PUSH_TTL_HOURS, IS_ENABLED_BY_SUBSCRIPTION } from './plan-pushes.ts'

/** How often one push is attempted. */
const MAX_ATTEMPTS = 5

const MINUTE_MS = 60_000
const MAX_BACKOFF_MS = 6 * 60 * MINUTE_MS

/** A push to send or to retry. `attempts`: how many attempts came before. */
export interface DuePush {
  notificationId: string
  subscriptionId: string
  attempts: number
}

/** The data for one attempt to send a push. */
export interface PushAttempt {
  accountId: string
  locale: string
  tokenId: string
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  standard: boolean
  encryptedToken: Buffer
  failures: number
  retryAt: Date | null
  /** When the notification was created. */
  notifiedAt: Date
}

// The lock serialises attempts to one subscription, so that each sees what the previous one recorded.
const lockAttempt = statement<{
  params: { notificationId: string; subscriptionId: string; attempts: number }
  row: PushAttempt
}>(
  `select n.account_id as "accountId", u.locale, t.id as "tokenId", p.endpoint, p.p256dh, p.auth, p.standard,
     p.encrypted_token as "encryptedToken", p.failures, p.retry_at as "retryAt", n.created_at as "notifiedAt"
   from push_deliveries push join notifications n on n.id = push.notification_id
     join push_subscriptions p on p.id = push.subscription_id
     join access_tokens t on t.id = p.access_token_id and t.revoked_at is null
     join users u on u.id = t.user_id and u.account_id = n.account_id
   where push.notification_id = $notificationId and push.subscription_id = $subscriptionId and push.attempts = $attempts
     and ${IS_ENABLED_BY_SUBSCRIPTION}
   for no key update of p`,
)
const incrementAttempts = statement<{
  params: { notificationId: string; subscriptionId: string; attempts: number }
  row: { attempts: number }
}>(
  `update push_deliveries set attempts = attempts + 1 where notification_id = $notificationId and subscription_id = $subscriptionId
    and attempts = $attempts
   returning attempts`,
)
const setRetryAt = statement<{ params: { subscriptionId: string; retryAt: Date } }>(
  `update push_subscriptions set retry_at = $retryAt where id = $subscriptionId`,
)

/**
 * Starts one attempt of a push. Each attempt starts only once, so that an interrupted one is not sent twice. Returns
 * null if there is nothing to send any more, or not now: after a failure of the endpoint, its pushes wait for the retry
 * time, and then one at a time is attempted.
 */
export async function startAttempt(tx: Tx, due: DuePush): Promise<PushAttempt | null> {
  const { notificationId, subscriptionId, attempts } = due
  const [attempt] = await lockAttempt(tx.db, { notificationId, subscriptionId, attempts })
  if (!attempt || !isFresh(attempt, tx.now)) return null
  if (attempt.retryAt !== null && attempt.retryAt > tx.now) {
    reschedule(tx, due, attempt.retryAt)
    return null
  }
  const [begun] = await incrementAttempts(tx.db, { notificationId, subscriptionId, attempts })
  if (!begun) return null
  if (attempt.failures > 0) await setRetryAt(tx.db, { subscriptionId, retryAt: new Date(tx.now.getTime() + MINUTE_MS) })
  return attempt
}

const decrementAttempts = statement<{ params: { notificationId: string; subscriptionId: string; attempts: number } }>(
  `update push_deliveries set attempts = $attempts where notification_id = $notificationId and subscription_id = $subscriptionId
    and attempts = $attempts::integer + 1`,
)

/** Undoes the start of an attempt that could not be made, so that the same attempt can start again. */
export async function undoAttempt(tx: Tx, { notificationId, subscriptionId, attempts }: DuePush): Promise<void> {
  await decrementAttempts(tx.db, { notificationId, subscriptionId, attempts })
}

const resetFailures = statement<{ params: { subscriptionId: string } }>(
  `update push_subscriptions set failures = 0, retry_at = null where id = $subscriptionId and failures > 0`,
)

/** Records that the push service accepted a push. */
export async function recordSuccess(tx: Tx, { subscriptionId }: { subscriptionId: string }): Promise<void> {
  await resetFailures(tx.db, { subscriptionId })
}

// Concurrent attempts that started with the same count of failures count as one failure.
const recordFailure = statement<{ params: { subscriptionId: string; failures: number }; row: { failures: number } }>(
  `update push_subscriptions set failures = greatest(failures, $failures + 1) where id = $subscriptionId
    returning failures`,
)

/**
 * Records a temporary failure and schedules a retry. Until then, no other push is sent to the subscription. `until`:
 * the Retry-After of the push service; null = none.
 */
export async function postponeAttempt(
  tx: Tx,
  { until, ...begun }: DuePush & Pick<PushAttempt, 'failures' | 'notifiedAt'> & { until: Date | null },
): Promise<void> {
  const { notificationId, subscriptionId, attempts } = begun
  const [row] = await recordFailure(tx.db, { subscriptionId, failures: begun.failures })
  if (!row) return
  const retryAt = until ?? new Date(tx.now.getTime() + backoffMs(row.failures))
  await setRetryAt(tx.db, { subscriptionId, retryAt })
  if (attempts + 1 < MAX_ATTEMPTS && isFresh(begun, retryAt)) {
    reschedule(tx, { notificationId, subscriptionId, attempts: attempts + 1 }, retryAt)
  }
}

const remove = statement<{ params: { subscriptionId: string } }>(
  `delete from push_subscriptions where id = $subscriptionId`,
)

/** Deletes a subscription that the push service does not accept any more, with its planned pushes. */
export async function deleteSubscription(tx: Tx, { subscriptionId }: { subscriptionId: string }): Promise<void> {
  await remove(tx.db, { subscriptionId })
}

/** Returns the pause after a number of consecutive failures, in milliseconds: half a minute after the first. */
function backoffMs(failures: number): number {
  return Math.min((MINUTE_MS / 2) * 4 ** Math.min(failures - 1, 10), MAX_BACKOFF_MS)
}

/** Schedules a push with random jitter, so that the pushes to one subscription do not come at the same time. */
function reschedule(tx: Tx, { notificationId, subscriptionId, attempts }: DuePush, after: Date): void {
  const at = new Date(after.getTime() + Math.random() * (MINUTE_MS / 6))
  tx.emit('push.due', { notificationId, subscriptionId, attempts }, at)
}

function isFresh({ notifiedAt }: Pick<PushAttempt, 'notifiedAt'>, at: Date): boolean {
  return at.getTime() - notifiedAt.getTime() < PUSH_TTL_HOURS * 3_600_000
}
