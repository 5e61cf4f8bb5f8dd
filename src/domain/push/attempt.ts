import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { NEWS_HOURS, WANTED } from './plan.ts'

/** So often one push is tried. */
const TRIES = 5

const MINUTE_MS = 60_000
const LONGEST_REST_MS = 6 * 60 * MINUTE_MS

/** One push that is to be sent, or tried again. `tries`: how often it was tried before. */
export interface DuePush {
  notificationId: string
  subscriptionId: string
  tries: number
}

/** What is needed to send it. */
export interface PushFacts {
  accountId: string
  locale: string
  tokenId: string
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  standard: boolean
  sealedToken: Buffer
  failures: number
  restsUntil: Date | null
  /** When what it tells of happened. */
  happenedAt: Date
}

// Whoever comes second for the same subscription sees how the first one began.
const take = statement<{ params: { notificationId: string; subscriptionId: string; tries: number }; row: PushFacts }>(
  `select n.account_id as "accountId", u.locale, t.id as "tokenId", p.endpoint, p.p256dh, p.auth, p.standard,
     p.sealed_token as "sealedToken", p.failures, p.rests_until as "restsUntil", n.created_at as "happenedAt"
   from pushes push join notifications n on n.id = push.notification_id
     join push_subscriptions p on p.id = push.subscription_id
     join access_tokens t on t.id = p.access_token_id and t.revoked_at is null
     join users u on u.id = t.user_id and u.account_id = n.account_id
   where push.notification_id = $notificationId and push.subscription_id = $subscriptionId and push.tries = $tries
     and ${WANTED}
   for no key update of p`,
)
const count = statement<{
  params: { notificationId: string; subscriptionId: string; tries: number }
  row: { tries: number }
}>(
  `update pushes set tries = tries + 1 where notification_id = $notificationId and subscription_id = $subscriptionId
    and tries = $tries
   returning tries`,
)
const hold = statement<{ params: { subscriptionId: string; restsUntil: Date } }>(
  `update push_subscriptions set rests_until = $restsUntil where id = $subscriptionId`,
)

/**
 * Begins one try of a push, which nobody begins a second time: what is cut off is not sent twice. Null when there is
 * nothing to send any more, or not now: while a place that failed rests, one push at a time tries it.
 */
export async function beginPush(tx: Tx, due: DuePush): Promise<PushFacts | null> {
  const { notificationId, subscriptionId, tries } = due
  const [facts] = await take(tx.db, { notificationId, subscriptionId, tries })
  if (!facts || !isNews(facts, tx.now)) return null
  if (facts.restsUntil !== null && facts.restsUntil > tx.now) {
    comeBack(tx, due, facts.restsUntil)
    return null
  }
  const [begun] = await count(tx.db, { notificationId, subscriptionId, tries })
  if (!begun) return null
  if (facts.failures > 0) await hold(tx.db, { subscriptionId, restsUntil: new Date(tx.now.getTime() + MINUTE_MS) })
  return facts
}

const recover = statement<{ params: { subscriptionId: string } }>(
  `update push_subscriptions set failures = 0, rests_until = null where id = $subscriptionId and failures > 0`,
)

/** It arrived. */
export async function finishPush(tx: Tx, { subscriptionId }: { subscriptionId: string }): Promise<void> {
  await recover(tx.db, { subscriptionId })
}

// Those that were under way at the same moment failed by the same.
const fail = statement<{ params: { subscriptionId: string; failures: number }; row: { failures: number } }>(
  `update push_subscriptions set failures = greatest(failures, $failures + 1) where id = $subscriptionId
    returning failures`,
)

/**
 * It did not arrive, and may later. Until then nothing else is sent there, either. `until`: what the push service asks
 * for; null = it doesn't say.
 */
export async function postponePush(
  tx: Tx,
  { until, ...begun }: DuePush & Pick<PushFacts, 'failures' | 'happenedAt'> & { until: Date | null },
): Promise<void> {
  const { notificationId, subscriptionId, tries } = begun
  const [row] = await fail(tx.db, { subscriptionId, failures: begun.failures })
  if (!row) return
  const restsUntil = until ?? new Date(tx.now.getTime() + restAfter(row.failures))
  await hold(tx.db, { subscriptionId, restsUntil })
  if (tries + 1 < TRIES && isNews(begun, restsUntil)) {
    comeBack(tx, { notificationId, subscriptionId, tries: tries + 1 }, restsUntil)
  }
}

const remove = statement<{ params: { subscriptionId: string } }>(
  `delete from push_subscriptions where id = $subscriptionId`,
)

/** Nothing will ever arrive there: it is forgotten, with all that is on its way. */
export async function endSubscription(tx: Tx, { subscriptionId }: { subscriptionId: string }): Promise<void> {
  await remove(tx.db, { subscriptionId })
}

/** How long a place that failed so often in a row is left alone, in milliseconds: half a minute at first. */
function restAfter(failures: number): number {
  return Math.min((MINUTE_MS / 2) * 4 ** Math.min(failures - 1, 10), LONGEST_REST_MS)
}

/** Those that wait for the same place do not come at the same moment. */
function comeBack(tx: Tx, { notificationId, subscriptionId, tries }: DuePush, after: Date): void {
  const at = new Date(after.getTime() + Math.random() * (MINUTE_MS / 6))
  tx.emit('push.due', { notificationId, subscriptionId, tries }, at)
}

function isNews({ happenedAt }: { happenedAt: Date }, at: Date): boolean {
  return at.getTime() - happenedAt.getTime() < NEWS_HOURS * 3_600_000
}
