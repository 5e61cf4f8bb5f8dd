import type { Ctx } from '../../domain/context.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { statement } from '../../platform/db/statement.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import { retryBackoff } from './backoff.ts'
import type { PendingDelivery } from './delivery-repository.ts'
import type { HostHealth, DeliveryResult } from './response-policy.ts'

const DAY_MS = 86_400_000

/** The age at which an undelivered activity is abandoned. */
export const ABANDONED_AFTER_DAYS = 7

/** A host that failed on so many days, without a success in between, is unavailable. */
const FAILING_DAYS = 7

// The time and the day come from the clock of the process, not from that of the database. The statement sees the state
// of the deliveries before it, so the next one that is due is the earliest of those that were not attempted now and of
// those that are attempted again. Hosts are locked in their order, so that two processes cannot deadlock.
const recordResults = statement<{
  params: {
    now: Date
    attemptIds: readonly string[]
    states: readonly string[]
    status: readonly (number | null)[]
    errors: readonly (string | null)[]
    nextAttemptAts: readonly (Date | null)[]
    domains: readonly string[]
    signatureSchemes: readonly string[]
    failures: readonly number[]
    retryAts: readonly (Date | null)[]
    reachable: readonly boolean[]
    delivered: readonly boolean[]
    lastErrors: readonly (string | null)[]
  }
  row: { domain: string; is_unavailable: boolean; next_due_at: Date | null }
}>(
  `with attempt as (
     select * from unnest($attemptIds::bigint[], $states::text[], $status::smallint[], $errors::text[],
       $nextAttemptAts::timestamptz[])
       as t (id, state, status, error, next_attempt_at)
   ), marked as (
     update deliveries d set state = attempt.state, attempts = d.attempts + 1, last_status = attempt.status,
       last_error = attempt.error, attempted_at = $now,
       next_attempt_at = coalesce(attempt.next_attempt_at, d.next_attempt_at)
     from attempt where d.id = attempt.id and d.state = 'pending'
   ), result as (
     select * from unnest($domains::text[], $signatureSchemes::text[], $failures::integer[], $retryAts::timestamptz[],
       $reachable::boolean[], $delivered::boolean[], $lastErrors::text[])
       as t (domain, signature_scheme, failures, retry_at, is_reachable, is_delivered, last_error)
   ), locked as (
     select domain, failing_days from hosts where domain = any($domains::text[]) order by domain for no key update
   ), health as (
     select result.*, case when result.is_reachable then '{}' else locked.failing_days end as days,
       ($now at time zone 'UTC')::date as today
     from result join locked on locked.domain = result.domain
   ), history as (
     select health.*, case when failures = 0 or today = any(days) or cardinality(days) >= ${FAILING_DAYS} then days
       else days || today end as failing_days
     from health
   )
   update hosts h set leased_until = null, signature_scheme = history.signature_scheme,
     consecutive_failures = history.failures, retry_after = history.retry_at, failing_days = history.failing_days,
     unreachable_since = case when cardinality(history.failing_days) >= ${FAILING_DAYS}
       then coalesce(h.unreachable_since, $now) end,
     last_error = history.last_error,
     last_delivered_at = case when history.is_delivered then $now else h.last_delivered_at end
   from history where h.domain = history.domain
   returning h.domain, h.unreachable_since is not null as is_unavailable, (
     select greatest(min(due.at), h.retry_after) from (
       (select d.next_attempt_at as at from deliveries d
         where d.domain = h.domain and d.state = 'pending' and d.id <> all($attemptIds::bigint[])
           and (h.unreachable_since is null or d.created_at >= h.unreachable_since)
         order by d.next_attempt_at limit 1)
       union all
       select attempt.next_attempt_at from attempt join deliveries d on d.id = attempt.id
       where d.domain = h.domain and attempt.state = 'pending'
         and (h.unreachable_since is null or d.created_at >= h.unreachable_since)) due
     having count(*) > 0) as next_due_at`,
)

/** An attempted delivery and its result. */
export interface DeliveryAttempt {
  delivery: PendingDelivery
  result: DeliveryResult
}

/** The results of a batch, of which at least one delivery was attempted. */
interface BatchResults {
  domain: string
  attempts: readonly DeliveryAttempt[]
  health: HostHealth
  signsWith: SignatureSpec
}

interface HostState {
  isUnavailable: boolean
  /** When the next delivery is due; null if none is pending. */
  nextDueAt: Date | null
}

/** The statuses of responses by a host without this inbox, or with another URL for it. */
const MISSING_INBOX_STATUSES: ReadonlySet<number | null> = new Set([301, 308, 404, 405, 410])

/** How many hosts share a statement at most. */
const MAX_HOSTS = 16

const recordTogether = createBatch<Ctx, BatchResults, HostState>(
  async (ctx, batches) => {
    const now = ctx.now()
    const attempts = batches.flatMap((batch) => batch.attempts)
    const transitions = attempts.map((attempt) => nextState(attempt, now))
    const results = {
      now,
      attemptIds: attempts.map(({ delivery }) => delivery.id),
      states: transitions.map(({ state }) => state),
      status: attempts.map(({ result }) => result.status),
      errors: attempts.map(({ result }) => result.error),
      nextAttemptAts: transitions.map(({ nextAttemptAt }) => nextAttemptAt),
      domains: batches.map(({ domain }) => domain),
      signatureSchemes: batches.map(({ signsWith }) => signsWith),
      failures: batches.map(({ health }) => health.failures),
      retryAts: batches.map(({ health }) => health.backoffUntil),
      reachable: batches.map((batch) => batch.attempts.some(isResponse)),
      delivered: batches.map((batch) => batch.attempts.some(({ result }) => result.outcome === 'delivered')),
      lastErrors: batches.map((batch) => errorOf(batch.attempts.at(-1)!)),
    }
    const missing = attempts.filter(({ result }) => MISSING_INBOX_STATUSES.has(result.status))
    const inboxUrls = [...new Set(missing.map(({ delivery }) => delivery.inbox_url))]
    const rows =
      inboxUrls.length === 0
        ? await recordResults(ctx.db, results)
        : await ctx.write(async (tx) => {
            tx.emit('deliveries.inboxes_missing', { inboxUrls })
            return recordResults(tx.db, results)
          })
    const states = new Map(rows.map((row) => [row.domain, row]))
    return batches.map(({ domain }) => {
      const { is_unavailable: isUnavailable = false, next_due_at: nextDueAt = null } = states.get(domain) ?? {}
      return { isUnavailable, nextDueAt }
    })
  },
  { maxItems: MAX_HOSTS },
)

/**
 * Records the results of a batch and releases the lease of the host. Concurrent calls of a process share a statement.
 */
export async function recordBatchResults(ctx: Ctx, results: BatchResults): Promise<HostState> {
  return recordTogether(ctx, results)
}

const isResponse = ({ result }: DeliveryAttempt) => result.outcome !== 'failed' && result.outcome !== 'no response'

const errorOf = ({ result }: DeliveryAttempt) =>
  result.outcome === 'delivered' ? null : (result.error ?? `HTTP ${result.status}`)

function nextState({ delivery, result }: DeliveryAttempt, now: Date): { state: string; nextAttemptAt: Date | null } {
  if (result.outcome === 'delivered' || result.outcome === 'rejected') {
    return { state: result.outcome, nextAttemptAt: null }
  }
  const backoffEnd = now.getTime() + retryBackoff(delivery.attempts + 1)
  const nextAttemptAt = new Date(Math.max(backoffEnd, result.retryAfter?.getTime() ?? 0))
  const end = delivery.created_at.getTime() + ABANDONED_AFTER_DAYS * DAY_MS
  return { state: nextAttemptAt.getTime() > end ? 'abandoned' : 'pending', nextAttemptAt }
}
