import type { Ctx } from '../../domain/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { keepLeaseRenewed } from './host-lease.ts'
import {
  findNextDueTime,
  findOverdueHosts,
  leaseDueDeliveries,
  rejectPendingDeliveries,
  releaseHost,
} from './delivery-repository.ts'
import type { DeliveryBatch } from './delivery-repository.ts'
import { createInboxClient } from './inbox-client.ts'
import { recordBatchResults } from './record-results.ts'
import type { DeliveryAttempt } from './record-results.ts'
import { updateHealth } from './response-policy.ts'

/** Concurrent requests to one host. */
const MAX_CONCURRENT_REQUESTS = 2

/**
 * Up to so many deliveries are sent one after the other: a second connection would take 100 KB of memory and a TLS
 * handshake, which is as much processor time as several deliveries.
 */
const MAX_FOR_ONE_CONNECTION = 10

/** The time after which a batch starts no more requests. */
const BATCH_MS = 5_000

/**
 * The time after which a host yields its worker slot to other hosts. Together with the timeout of one request it is
 * shorter than the time that a worker waits for running jobs when it stops.
 */
const MAX_HOST_MS = 8_000

/**
 * The share of the network worker slots that may serve hosts whose last attempt failed: each of these is likely to run
 * into its timeout again.
 */
const FAILING_HOSTS_SHARE = 1 / 3
const FAILING_HOST_RETRY_MS = 5_000

/**
 * How long this process waits before it retries a host that another process leases: that process may have been killed.
 */
const LEASED_HOST_RETRY_MS = 1_000

/** A host whose deliveries have been due for so long lost its job, for example because its process was killed. */
const OVERDUE_MS = 30_000

/** The hosts that this process is delivering to. `again`: new deliveries were recorded in the meantime. */
interface ActiveDeliveries {
  hosts: Map<string, { again: boolean }>
  failingHosts: number
}

const activeDeliveries = new WeakMap<Db, ActiveDeliveries>()

function activeDeliveriesOf({ db }: Ctx): ActiveDeliveries {
  let active = activeDeliveries.get(db)
  if (!active) activeDeliveries.set(db, (active = { hosts: new Map(), failingHosts: 0 }))
  return active
}

/**
 * Effect: sends the due deliveries of a host, at most two requests at a time, and schedules the next run for the rest.
 * The rows of `deliveries` are the queue and this job only triggers it, so if the job fails, the next one does its work.
 */
export async function deliverToHost(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  const { hosts } = activeDeliveriesOf(ctx)
  const activeHost = hosts.get(domain)
  if (activeHost) {
    activeHost.again = true
    return
  }
  const hostState = { again: false }
  hosts.set(domain, hostState)
  try {
    await deliverDueBatches(ctx, { domain, hostState })
  } catch (err) {
    ctx.log.error({ err, domain }, 'Deliveries to a host could not be processed')
  } finally {
    hosts.delete(domain)
  }
}

async function deliverDueBatches(
  ctx: Ctx,
  { domain, hostState }: { domain: string; hostState: { again: boolean } },
): Promise<void> {
  const end = performance.now() + MAX_HOST_MS
  do {
    hostState.again = false
    const next = await deliverBatch(ctx, { domain })
    const isDue = next !== null && next <= ctx.now()
    if (isDue && performance.now() < end) hostState.again = true
    else if (next !== null) await scheduleDelivery(ctx, { domain, at: isDue ? undefined : next })
    // A job that set `again` in the meantime ended and relies on this loop.
  } while (hostState.again)
}

async function scheduleDelivery(ctx: Ctx, { domain, at }: { domain: string; at: Date | undefined }): Promise<void> {
  await ctx.write(async (tx) => tx.emit('deliveries.due', { domain }, at))
}

/** Delivers one batch. Returns when the next delivery is due; null if none is pending. */
async function deliverBatch(ctx: Ctx, { domain }: { domain: string }): Promise<Date | null> {
  const batch = await leaseDueDeliveries(ctx, { domain })
  if (!batch) return afterMs(ctx, LEASED_HOST_RETRY_MS)
  const stopRenewal = keepLeaseRenewed(ctx, { domain })
  try {
    return await deliverLeasedBatch(ctx, { domain, batch })
  } finally {
    stopRenewal()
  }
}

async function deliverLeasedBatch(
  ctx: Ctx,
  { domain, batch }: { domain: string; batch: DeliveryBatch },
): Promise<Date | null> {
  if (!batch.federating) {
    await rejectPendingDeliveries(ctx, { domain })
    await releaseHost(ctx, { domain })
    return null
  }
  const active = activeDeliveriesOf(ctx)
  const isFailing = batch.health.failures > 0 && batch.deliveries.length > 0
  if (isFailing && active.failingHosts >= Math.ceil(ctx.config.networkConcurrency * FAILING_HOSTS_SHARE)) {
    await releaseHost(ctx, { domain })
    return afterMs(ctx, FAILING_HOST_RETRY_MS)
  }
  active.failingHosts += Number(isFailing)
  try {
    return await sendBatch(ctx, { domain, batch })
  } finally {
    active.failingHosts -= Number(isFailing)
  }
}

const afterMs = (ctx: Ctx, ms: number): Date => new Date(ctx.now().getTime() + ms)

/** Sends a batch and records its results. Returns when the next delivery is due; null if none is pending. */
async function sendBatch(ctx: Ctx, { domain, batch }: { domain: string; batch: DeliveryBatch }): Promise<Date | null> {
  let { health } = batch
  const attempts: DeliveryAttempt[] = []
  const queue = batch.deliveries.values()
  const end = performance.now() + BATCH_MS
  const inboxClient = createInboxClient(ctx, { signsWith: batch.signsWith })

  const sendNext = async () => {
    for (const delivery of queue) {
      const result = await inboxClient.send(delivery)
      attempts.push({ delivery, result })
      health = updateHealth(health, result, { now: ctx.now() })
      if (health.backoffUntil !== null || performance.now() > end) return
    }
  }
  const senders = batch.deliveries.length > MAX_FOR_ONE_CONNECTION ? MAX_CONCURRENT_REQUESTS : 1
  await Promise.all(Array.from({ length: senders }, sendNext))
  if (attempts.length === 0) {
    await releaseHost(ctx, { domain })
    return findNextDueTime(ctx, { domain })
  }
  const signsWith = inboxClient.signatureSpec()
  const { isUnavailable, nextDueAt } = await recordBatchResults(ctx, { domain, attempts, health, signsWith })
  if (isUnavailable) ctx.log.info({ domain }, 'Host is unavailable after failures on seven days; deliveries stopped')
  return nextDueAt
}

/** Effect: schedules deliveries to hosts whose job was lost. */
export async function rescheduleOverdueDeliveries(ctx: Ctx): Promise<void> {
  const domains = await findOverdueHosts(ctx, { before: afterMs(ctx, -OVERDUE_MS) })
  if (domains.length === 0) return
  await ctx.write(async (tx) => {
    for (const domain of domains) tx.emit('deliveries.due', { domain })
  })
}
