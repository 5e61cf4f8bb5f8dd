import type { Ctx } from '../../domain/context.ts'
import { isHostFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { statement } from '../../platform/db/statement.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import { LEASE_SECONDS } from './host-lease.ts'
import { retryBackoff } from './backoff.ts'
import type { HostHealth, DeliveryResult } from './response-policy.ts'

const DAY_MS = 86_400_000

/** The age at which an undelivered activity is abandoned. */
export const GIVE_UP_DAYS = 7

/** A host that failed on so many days, without a success in between, is unavailable. */
const FAILING_DAYS = 7

/** One pending request to an inbox. */
export interface PendingDelivery {
  id: string
  inbox_url: string
  attempts: number
  created_at: Date
  /** The account that signs; null for the instance actor. */
  account_id: string | null
  body: string
  /** The encrypted former key of the account, which signs instead of the present one; null for most deliveries. */
  signing_key: Buffer | null
}

export interface DeliveryBatch {
  /** This server federates with the host. Otherwise nothing is sent to it any more. */
  federating: boolean
  signsWith: SignatureSpec
  health: HostHealth
  deliveries: PendingDelivery[]
}

type LeasedRow = {
  federating: boolean
  signature_scheme: SignatureSpec
  consecutive_failures: number
  retry_after: Date | null
} & (PendingDelivery | { id: null })

// An unavailable host receives only deliveries that were created after it became unavailable. The index orders rows by
// their next attempt, which is the order of creation until one fails. If the last attempt at a host failed, a single
// delivery is leased as a probe.
const leaseBatch = statement<{
  params: { domain: string; nextAttemptAt: Date; size: number; limitedFederation: boolean }
  row: LeasedRow
}>(
  `with host as (
     insert into hosts as h (domain, leased_until) values ($domain, now() + interval '${LEASE_SECONDS} seconds')
     on conflict (domain) do update set leased_until = excluded.leased_until
     where h.leased_until is null or h.leased_until <= now()
     returning domain, signature_scheme, consecutive_failures, retry_after, unreachable_since
   )
   select ${isHostFederating('h.domain')} as federating, h.signature_scheme, h.consecutive_failures, h.retry_after,
     d.id, d.inbox_url, d.attempts, d.created_at, a.account_id, a.body, a.signing_key
   from host h
     left join lateral (
       select * from deliveries d
       where d.domain = $domain and d.state = 'pending' and d.next_attempt_at <= $nextAttemptAt
         and (h.retry_after is null or h.retry_after <= $nextAttemptAt)
         and (h.unreachable_since is null or d.created_at >= h.unreachable_since)
       order by d.next_attempt_at, d.id
       limit case when h.consecutive_failures > 0 then 1 else $size::integer end) d on true
     left join sent_activities a on a.id = d.activity_id
   order by d.next_attempt_at, d.id`,
)

/** Leases a host and returns its due deliveries, oldest first; null if another process leases the host. */
export async function leaseDueDeliveries(
  ctx: Ctx,
  { domain, size }: { domain: string; size: number },
): Promise<DeliveryBatch | null> {
  const rows = await leaseBatch(ctx.db, {
    domain,
    nextAttemptAt: ctx.now(),
    size,
    limitedFederation: ctx.config.access.limitedFederation,
  })
  const [host] = rows
  if (!host) return null
  return {
    federating: host.federating,
    signsWith: host.signature_scheme,
    health: { failures: host.consecutive_failures, unavailableUntil: host.retry_after },
    deliveries: rows.filter((row) => row.id !== null),
  }
}

// The time and the day come from the clock of the process, not from that of the database.
const recordResults = statement<{
  params: {
    domain: string
    now: Date
    attemptIds: readonly string[]
    states: readonly string[]
    status: readonly (number | null)[]
    errors: readonly (string | null)[]
    nextAttemptAts: readonly (Date | null)[]
    signatureScheme: string
    failures: number
    retryAt: Date | null
    isReachable: boolean
    lastError: string | null
  }
  row: { unreachable_since: Date | null }
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
   ), health as (
     select case when $isReachable then '{}' else failing_days end as days, ($now at time zone 'UTC')::date as today
     from hosts where domain = $domain
   ), history as (
     select case when $failures = 0 or today = any(days) or cardinality(days) >= ${FAILING_DAYS} then days
       else days || today end as days
     from health
   )
   update hosts h set leased_until = null, signature_scheme = $signatureScheme, consecutive_failures = $failures,
     retry_after = $retryAt, failing_days = history.days,
     unreachable_since = case when cardinality(history.days) >= ${FAILING_DAYS}
       then coalesce(h.unreachable_since, $now) end,
     last_error = $lastError,
     last_delivered_at = case when 'delivered' = any($states) then $now else h.last_delivered_at end
   from history where h.domain = $domain
   returning h.unreachable_since`,
)
const rejectPending = statement<{ params: { domain: string; lastError: string; attemptedAt: Date } }>(
  `update deliveries set state = 'rejected', last_error = $lastError, attempted_at = $attemptedAt where domain = $domain
    and state = 'pending'`,
)

/** Rejects all pending deliveries of a host with which this server does not federate any more, without sending them. */
export async function rejectPendingDeliveries(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  await rejectPending(ctx.db, {
    domain,
    lastError: 'This server does not federate with the host',
    attemptedAt: ctx.now(),
  })
}

const releaseLease = statement<{ params: { domain: string } }>(
  `update hosts set leased_until = null where domain = $domain`,
)

/** An attempted delivery and its result. */
export interface DeliveryAttempt {
  delivery: PendingDelivery
  result: DeliveryResult
}

/** Records the results of a batch and releases the lease of the host. Returns whether the host is now unavailable. */
export async function recordBatchResults(
  ctx: Ctx,
  {
    domain,
    attempts,
    health,
    signsWith,
  }: { domain: string; attempts: readonly DeliveryAttempt[]; health: HostHealth; signsWith: SignatureSpec },
): Promise<{ unavailable: boolean }> {
  if (attempts.length === 0) {
    await releaseLease(ctx.db, { domain })
    return { unavailable: false }
  }
  const now = ctx.now()
  const transitions = attempts.map((attempt) => nextState(attempt, now))
  const last = attempts.at(-1)!.result
  const [host] = await recordResults(ctx.db, {
    domain,
    now,
    attemptIds: attempts.map(({ delivery }) => delivery.id),
    states: transitions.map(({ state }) => state),
    status: attempts.map(({ result }) => result.status),
    errors: attempts.map(({ result }) => result.error),
    nextAttemptAts: transitions.map(({ nextAttemptAt }) => nextAttemptAt),
    signatureScheme: signsWith,
    failures: health.failures,
    retryAt: health.unavailableUntil,
    isReachable: attempts.some(({ result }) => result.outcome !== 'failed' && result.outcome !== 'unreachable'),
    lastError: last.outcome === 'delivered' ? null : (last.error ?? `HTTP ${last.status}`),
  })
  return { unavailable: host?.unreachable_since != null }
}

function nextState({ delivery, result }: DeliveryAttempt, now: Date): { state: string; nextAttemptAt: Date | null } {
  if (result.outcome === 'delivered' || result.outcome === 'rejected') {
    return { state: result.outcome, nextAttemptAt: null }
  }
  const backoffEnd = now.getTime() + retryBackoff(delivery.attempts + 1)
  const nextAttemptAt = new Date(Math.max(backoffEnd, result.retryAfter?.getTime() ?? 0))
  const end = delivery.created_at.getTime() + GIVE_UP_DAYS * DAY_MS
  return { state: nextAttemptAt.getTime() > end ? 'abandoned' : 'pending', nextAttemptAt }
}

const selectNextDueTime = statement<{ params: { domain: string }; row: { at: Date } }>(
  `select greatest(due.at, h.retry_after) as at
   from hosts h, lateral (
     select min(d.next_attempt_at) as at from deliveries d
     where d.domain = $domain and d.state = 'pending'
       and (h.unreachable_since is null or d.created_at >= h.unreachable_since)) due
   where h.domain = $domain and due.at is not null`,
)

/** Returns when the next delivery to a host is due; null if none is pending. */
export async function findNextDueTime(ctx: Ctx, { domain }: { domain: string }): Promise<Date | null> {
  const [row] = await selectNextDueTime(ctx.db, { domain })
  return row?.at ?? null
}

// The recursion steps through the index from each domain to the next, so that a hundred thousand pending rows cost
// nothing.
const selectOverdueHosts = statement<{ params: { before: Date }; row: { domain: string } }>(
  `with recursive pending as (
     (select domain from deliveries where state = 'pending' order by domain limit 1)
     union all
     select (select d.domain from deliveries d where d.state = 'pending' and d.domain > w.domain
       order by d.domain limit 1)
     from pending w where w.domain is not null
   )
   select w.domain from pending w left join hosts h on h.domain = w.domain
   where w.domain is not null and (h.retry_after is null or h.retry_after < $before)
     and (h.leased_until is null or h.leased_until <= now())
     and exists (select from deliveries d
       where d.domain = w.domain and d.state = 'pending' and d.next_attempt_at < $before
         and (h.unreachable_since is null or d.created_at >= h.unreachable_since))
   order by w.domain`,
)

/** Returns the hosts with deliveries that were due before a given time and that no process leases. */
export async function findOverdueHosts(ctx: Ctx, { before }: { before: Date }): Promise<string[]> {
  const rows = await selectOverdueHosts(ctx.db, { before })
  return rows.map((row) => row.domain)
}
