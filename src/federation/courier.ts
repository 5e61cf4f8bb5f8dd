import type { Ctx } from '../domain/context.ts'
import type { Db } from '../platform/db/connect.ts'
import { renewHold } from './courier/hold.ts'
import { findNextMoment, findOverdueHosts, refuseWaiting, settleBatch, takeBatch } from './courier/ledger.ts'
import type { Attempt, Batch } from './courier/ledger.ts'
import { createPost } from './courier/post.ts'
import { healthAfter } from './courier/verdict.ts'

/** Posts to one host at once. */
const IN_FLIGHT = 2

/** Posts whose bodies are in memory at once, for one host. */
const BATCH_SIZE = 20

/** Then a batch begins no more posts. */
const BATCH_MS = 5_000

/** Then a host gives way to others. With the time of one post it is less than a worker waits when it stops. */
const TURN_MS = 8_000

/**
 * Of the hands that wait for other servers, those that may try hosts which failed the last time: each is likely to take
 * its full time to fail again.
 */
const DOUBTFUL_SHARE = 1 / 3
const DOUBTFUL_PAUSE_MS = 5_000

/** How long this process waits for another one that holds a host: that one may have been killed. */
const HELD_PAUSE_MS = 1_000

/** What should have been done so long ago was forgotten by everybody, such as a process that was killed. */
const OVERDUE_MS = 30_000

/** The hosts that this process is delivering to. `again`: something new was written meanwhile. */
interface Rounds {
  hosts: Map<string, { again: boolean }>
  doubtful: number
}

const roundsOf = new WeakMap<Db, Rounds>()

function findRounds({ db }: Ctx): Rounds {
  let rounds = roundsOf.get(db)
  if (!rounds) roundsOf.set(db, (rounds = { hosts: new Map(), doubtful: 0 }))
  return rounds
}

/**
 * Effect: delivers what is due at a host, two posts at a time, and sees to it that the rest is thought of in time.
 * What waits are rows; this job only reminds of them, so when it fails, the next reminder does its work.
 */
export async function deliverToHost(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  const { hosts } = findRounds(ctx)
  const underWay = hosts.get(domain)
  if (underWay) {
    underWay.again = true
    return
  }
  const round = { again: false }
  hosts.set(domain, round)
  try {
    await goRound(ctx, { domain, round })
  } catch (err) {
    ctx.log.error({ err, domain }, 'deliveries to a host could not be processed')
  } finally {
    hosts.delete(domain)
  }
}

async function goRound(ctx: Ctx, { domain, round }: { domain: string; round: { again: boolean } }): Promise<void> {
  const end = performance.now() + TURN_MS
  do {
    round.again = false
    const next = await deliverBatch(ctx, { domain })
    const isDue = next !== null && next <= ctx.now()
    if (isDue && performance.now() < end) round.again = true
    else if (next !== null) await remind(ctx, { domain, at: isDue ? undefined : next })
    // Whoever set it meanwhile relies on it.
  } while (round.again)
}

async function remind(ctx: Ctx, { domain, at }: { domain: string; at: Date | undefined }): Promise<void> {
  await ctx.write(async (tx) => tx.emit('deliveries.due', { domain }, at))
}

/** Returns when something is due next; null: nothing waits. */
async function deliverBatch(ctx: Ctx, { domain }: { domain: string }): Promise<Date | null> {
  const batch = await takeBatch(ctx, { domain, size: BATCH_SIZE })
  if (!batch) return later(ctx, HELD_PAUSE_MS)
  const release = renewHold(ctx, { domain })
  try {
    return await deliverHeld(ctx, { domain, batch })
  } finally {
    release()
  }
}

async function deliverHeld(ctx: Ctx, { domain, batch }: { domain: string; batch: Batch }): Promise<Date | null> {
  if (batch.suspended) {
    await refuseWaiting(ctx, { domain })
    await settleBatch(ctx, { domain, attempts: [], ...batch })
    return null
  }
  const rounds = findRounds(ctx)
  const isDoubtful = batch.health.failures > 0 && batch.deliveries.length > 0
  if (isDoubtful && rounds.doubtful >= Math.ceil(ctx.config.networkConcurrency * DOUBTFUL_SHARE)) {
    await settleBatch(ctx, { domain, attempts: [], ...batch })
    return later(ctx, DOUBTFUL_PAUSE_MS)
  }
  rounds.doubtful += Number(isDoubtful)
  try {
    await postAndSettle(ctx, { domain, batch })
  } finally {
    rounds.doubtful -= Number(isDoubtful)
  }
  return findNextMoment(ctx, { domain })
}

const later = (ctx: Ctx, ms: number): Date => new Date(ctx.now().getTime() + ms)

async function postAndSettle(ctx: Ctx, { domain, batch }: { domain: string; batch: Batch }): Promise<void> {
  let { health } = batch
  const attempts: Attempt[] = []
  const queue = batch.deliveries.values()
  const end = performance.now() + BATCH_MS
  const post = createPost(ctx, { signsWith: batch.signsWith })

  const run = async () => {
    for (const delivery of queue) {
      const verdict = await post.send(delivery)
      attempts.push({ delivery, verdict })
      health = healthAfter(health, verdict, { now: ctx.now() })
      if (health.restsUntil !== null || performance.now() > end) return
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, run))
  const { unavailable } = await settleBatch(ctx, { domain, attempts, health, signsWith: post.signsWith() })
  if (unavailable) ctx.log.info({ domain }, 'host is unavailable after failures on seven days; deliveries stopped')
}

/** Effect: reminds of hosts that everybody forgot. */
export async function remindOfDeliveries(ctx: Ctx): Promise<void> {
  const domains = await findOverdueHosts(ctx, { before: later(ctx, -OVERDUE_MS) })
  if (domains.length === 0) return
  await ctx.write(async (tx) => {
    for (const domain of domains) tx.emit('deliveries.due', { domain })
  })
}
