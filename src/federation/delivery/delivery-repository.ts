import type { Ctx } from '../../domain/context.ts'
import { isHostFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { statement } from '../../platform/db/statement.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import { LEASE_SECONDS } from './host-lease.ts'
import type { HostHealth } from './response-policy.ts'

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
  /** It is about a status for followers only, and the recipient is to compare its followers of the account. */
  names_followers: boolean
}

export interface DeliveryBatch {
  /** This server federates with the host. Otherwise nothing is sent to it any more. */
  federating: boolean
  signsWith: SignatureSpec
  health: HostHealth
  deliveries: PendingDelivery[]
}

type LeasedRow = {
  domain: string
  federating: boolean
  signature_scheme: SignatureSpec
  consecutive_failures: number
  retry_after: Date | null
} & (PendingDelivery | { id: null })

/** Of accounts with more followers, the digest of the followers would take too long. */
const MAX_NAMED_FOLLOWERS = 25_000

/** SQL condition: the delivery `a` of an account is about a status for its followers only. */
const NAMES_FOLLOWERS = `exists (select from statuses s join account_stats t on t.account_id = s.account_id
  where s.id = a.status_id and s.account_id = a.account_id and s.visibility = 'private'
    and t.followers_count < ${MAX_NAMED_FOLLOWERS})`

// An unavailable host receives only deliveries that were created after it became unavailable. The index orders rows by
// their next attempt, which is the order of creation until one fails. If the last attempt at a host failed, a single
// delivery is leased as a probe. Hosts are locked in their order, so that two processes cannot deadlock.
const leaseBatches = statement<{
  params: { domains: readonly string[]; nextAttemptAt: Date; size: number; limitedFederation: boolean }
  row: LeasedRow
}>(
  `with host as (
     insert into hosts as h (domain, leased_until)
     select requested.domain, now() + interval '${LEASE_SECONDS} seconds' from unnest($domains::text[]) requested (domain)
     order by requested.domain
     on conflict (domain) do update set leased_until = excluded.leased_until
     where h.leased_until is null or h.leased_until <= now()
     returning domain, signature_scheme, consecutive_failures, retry_after, unreachable_since
   )
   select h.domain, ${isHostFederating('h.domain')} as federating, h.signature_scheme, h.consecutive_failures,
     h.retry_after, d.id, d.inbox_url, d.attempts, d.created_at, a.account_id, a.body, a.signing_key,
     ${NAMES_FOLLOWERS} as names_followers
   from host h
     left join lateral (
       select * from deliveries d
       where d.domain = h.domain and d.state = 'pending' and d.next_attempt_at <= $nextAttemptAt
         and (h.retry_after is null or h.retry_after <= $nextAttemptAt)
         and (h.unreachable_since is null or d.created_at >= h.unreachable_since)
       order by d.next_attempt_at, d.id
       limit case when h.consecutive_failures > 0 then 1 else $size::integer end) d on true
     left join sent_activities a on a.id = d.activity_id
   order by d.next_attempt_at, d.id`,
)

/** Deliveries of one host whose bodies are in memory at once. */
const BATCH_SIZE = 20

/** How many hosts share a statement at most. */
const MAX_HOSTS = 16

/** Concurrent calls of a process share a statement. A process leases a host only once at a time. */
const leaseTogether = createBatch<Ctx, string, DeliveryBatch | null>(
  async (ctx, domains) => {
    const rows = await leaseBatches(ctx.db, {
      domains,
      nextAttemptAt: ctx.now(),
      size: BATCH_SIZE,
      limitedFederation: ctx.config.access.limitedFederation,
    })
    const rowsByDomain = Map.groupBy(rows, ({ domain }) => domain)
    return domains.map((domain) => batchOf(rowsByDomain.get(domain) ?? []))
  },
  { maxItems: MAX_HOSTS },
)

function batchOf(rows: readonly LeasedRow[]): DeliveryBatch | null {
  const [host] = rows
  if (!host) return null
  return {
    federating: host.federating,
    signsWith: host.signature_scheme,
    health: { failures: host.consecutive_failures, backoffUntil: host.retry_after },
    deliveries: rows.filter((row) => row.id !== null),
  }
}

/** Leases a host and returns its due deliveries, oldest first; null if another process leases the host. */
export async function leaseDueDeliveries(ctx: Ctx, { domain }: { domain: string }): Promise<DeliveryBatch | null> {
  return leaseTogether(ctx, domain)
}

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

const release = statement<{ params: { domain: string } }>(`update hosts set leased_until = null where domain = $domain`)

/** Releases the lease of a host to which nothing was sent. */
export async function releaseHost(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  await release(ctx.db, { domain })
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
