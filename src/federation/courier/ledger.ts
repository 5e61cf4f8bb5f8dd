import type { Ctx } from '../../domain/context.ts'
import { suspendedHost } from '../../domain/moderation/suspended-host.ts'
import { statement } from '../../platform/db/statement.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import { HOLD_SECONDS } from './hold.ts'
import { pauseAfter } from './pauses.ts'
import type { Health, Verdict } from './verdict.ts'

const DAY_MS = 86_400_000

/** What was not delivered after so long is given up. */
export const GIVE_UP_DAYS = 7

/** A host that failed on so many days is unavailable. */
const FAILING_DAYS = 7

/** One post that waits for its turn. */
export interface Waiting {
  id: string
  inbox_url: string
  attempts: number
  created_at: Date
  /** Who signs; null = the instance. */
  account_id: string | null
  body: string
}

export interface Batch {
  /** Nothing is sent there any more, by decision of the moderators. */
  suspended: boolean
  signsWith: SignatureSpec
  health: Health
  deliveries: Waiting[]
}

type TakenRow = {
  suspended: boolean
  signs_with: SignatureSpec
  failures_in_a_row: number
  retry_after: Date | null
} & (Waiting | { id: null })

// To a host that is unavailable goes only what was written since it is. The index has
// them in the order of their next try, which is that of their writing until one fails. Of a host that failed the last
// time one is taken, to see.
const take = statement<{ params: { domain: string; nextTryAt: Date; size: number }; row: TakenRow }>(
  `with host as (
     insert into hosts as h (domain, held_until) values ($domain, now() + interval '${HOLD_SECONDS} seconds')
     on conflict (domain) do update set held_until = excluded.held_until
     where h.held_until is null or h.held_until <= now()
     returning domain, signs_with, failures_in_a_row, retry_after, unavailable_since
   )
   select ${suspendedHost('h.domain')} as suspended, h.signs_with, h.failures_in_a_row, h.retry_after,
     d.id, d.inbox_url, d.attempts, d.created_at, a.account_id, a.body
   from host h
     left join lateral (
       select * from deliveries d
       where d.domain = $domain and d.state = 'waiting' and d.next_try_at <= $nextTryAt
         and (h.retry_after is null or h.retry_after <= $nextTryAt)
         and (h.unavailable_since is null or d.created_at >= h.unavailable_since)
       order by d.next_try_at, d.id
       limit case when h.failures_in_a_row > 0 then 1 else $size::integer end) d on true
     left join sent_activities a on a.id = d.activity_id
   order by d.next_try_at, d.id`,
)

/** Takes hold of a host and of what is due there, oldest first. null: another process holds it. */
export async function takeBatch(ctx: Ctx, { domain, size }: { domain: string; size: number }): Promise<Batch | null> {
  const rows = await take(ctx.db, { domain, nextTryAt: ctx.now(), size })
  const [host] = rows
  if (!host) return null
  return {
    suspended: host.suspended,
    signsWith: host.signs_with,
    health: { failures: host.failures_in_a_row, restsUntil: host.retry_after },
    deliveries: rows.filter((row) => row.id !== null),
  }
}

// The time and its day are the program's clock, not the database's.
const settle = statement<{
  params: {
    domain: string
    now: Date
    attemptIds: readonly string[]
    states: readonly string[]
    status: readonly (number | null)[]
    errors: readonly (string | null)[]
    nextTryAts: readonly (Date | null)[]
    signsWith: string
    failures: number
    restsUntil: Date | null
    isReachable: boolean
    lastError: string | null
  }
  row: { unavailable_since: Date | null }
}>(
  `with attempt as (
     select * from unnest($attemptIds::bigint[], $states::text[], $status::smallint[], $errors::text[],
       $nextTryAts::timestamptz[])
       as t (id, state, status, error, next_try_at)
   ), marked as (
     update deliveries d set state = attempt.state, attempts = d.attempts + 1, last_status = attempt.status,
       last_error = attempt.error, tried_at = $now, next_try_at = coalesce(attempt.next_try_at, d.next_try_at)
     from attempt where d.id = attempt.id and d.state = 'waiting'
   ), health as (
     select case when $isReachable then '{}' else failing_days end as days, ($now at time zone 'UTC')::date as today
     from hosts where domain = $domain
   ), history as (
     select case when $failures = 0 or today = any(days) or cardinality(days) >= ${FAILING_DAYS} then days
       else days || today end as days
     from health
   )
   update hosts h set held_until = null, signs_with = $signsWith, failures_in_a_row = $failures, retry_after = $restsUntil,
     failing_days = history.days,
     unavailable_since = case when cardinality(history.days) >= ${FAILING_DAYS}
       then coalesce(h.unavailable_since, $now) end,
     last_error = $lastError,
     last_delivered_at = case when 'delivered' = any($states) then $now else h.last_delivered_at end
   from history where h.domain = $domain
   returning h.unavailable_since`,
)
const refuse = statement<{ params: { domain: string; lastError: string; triedAt: Date } }>(
  `update deliveries set state = 'refused', last_error = $lastError, tried_at = $triedAt where domain = $domain
    and state = 'waiting'`,
)

/** Refuses, for good and without asking it, what waits for a host that was suspended in the meantime. */
export async function refuseWaiting(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  await refuse(ctx.db, { domain, lastError: 'The host is suspended here', triedAt: ctx.now() })
}

const release = statement<{ params: { domain: string } }>(`update hosts set held_until = null where domain = $domain`)

/** What was attempted, and how that ended. */
export interface Attempt {
  delivery: Waiting
  verdict: Verdict
}

/** Notes what a batch came to, and lets the host go. Returns whether the host is now unavailable. */
export async function settleBatch(
  ctx: Ctx,
  {
    domain,
    attempts,
    health,
    signsWith,
  }: { domain: string; attempts: readonly Attempt[]; health: Health; signsWith: SignatureSpec },
): Promise<{ unavailable: boolean }> {
  if (attempts.length === 0) {
    await release(ctx.db, { domain })
    return { unavailable: false }
  }
  const now = ctx.now()
  const marks = attempts.map((attempt) => markOf(attempt, now))
  const last = attempts.at(-1)!.verdict
  const [host] = await settle(ctx.db, {
    domain,
    now,
    attemptIds: attempts.map(({ delivery }) => delivery.id),
    states: marks.map(({ state }) => state),
    status: attempts.map(({ verdict }) => verdict.status),
    errors: attempts.map(({ verdict }) => verdict.error),
    nextTryAts: marks.map(({ nextTryAt }) => nextTryAt),
    signsWith,
    failures: health.failures,
    restsUntil: health.restsUntil,
    isReachable: attempts.some(({ verdict }) => verdict.outcome !== 'failed' && verdict.outcome !== 'unreachable'),
    lastError: last.outcome === 'delivered' ? null : (last.error ?? `HTTP ${last.status}`),
  })
  return { unavailable: host?.unavailable_since != null }
}

function markOf({ delivery, verdict }: Attempt, now: Date): { state: string; nextTryAt: Date | null } {
  if (verdict.outcome === 'delivered' || verdict.outcome === 'refused') {
    return { state: verdict.outcome, nextTryAt: null }
  }
  const pauseEnd = now.getTime() + pauseAfter(delivery.attempts + 1)
  const nextTryAt = new Date(Math.max(pauseEnd, verdict.until?.getTime() ?? 0))
  const end = delivery.created_at.getTime() + GIVE_UP_DAYS * DAY_MS
  return { state: nextTryAt.getTime() > end ? 'given_up' : 'waiting', nextTryAt }
}

const findNext = statement<{ params: { domain: string }; row: { at: Date } }>(
  `select greatest(due.at, h.retry_after) as at
   from hosts h, lateral (
     select min(d.next_try_at) as at from deliveries d
     where d.domain = $domain and d.state = 'waiting'
       and (h.unavailable_since is null or d.created_at >= h.unavailable_since)) due
   where h.domain = $domain and due.at is not null`,
)

/** When something is due at a host; null: nothing waits there. */
export async function findNextMoment(ctx: Ctx, { domain }: { domain: string }): Promise<Date | null> {
  const [row] = await findNext(ctx.db, { domain })
  return row?.at ?? null
}

// A step from each domain to the next through the index, so that a hundred thousand waiting rows cost nothing.
const findOverdue = statement<{ params: { before: Date }; row: { domain: string } }>(
  `with recursive waiting as (
     (select domain from deliveries where state = 'waiting' order by domain limit 1)
     union all
     select (select d.domain from deliveries d where d.state = 'waiting' and d.domain > w.domain
       order by d.domain limit 1)
     from waiting w where w.domain is not null
   )
   select w.domain from waiting w left join hosts h on h.domain = w.domain
   where w.domain is not null and (h.retry_after is null or h.retry_after < $before)
     and (h.held_until is null or h.held_until <= now())
     and exists (select from deliveries d where d.domain = w.domain and d.state = 'waiting' and d.next_try_at < $before
       and (h.unavailable_since is null or d.created_at >= h.unavailable_since))
   order by w.domain`,
)

/** Hosts at which something should have been done before a moment, and that nobody holds. */
export async function findOverdueHosts(ctx: Ctx, { before }: { before: Date }): Promise<string[]> {
  const rows = await findOverdue(ctx.db, { before })
  return rows.map((row) => row.domain)
}
