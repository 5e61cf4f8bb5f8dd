import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** The state of deliveries to a host. The counts are those of stored deliveries: of a day if delivered, else of a week. */
export interface HostReport {
  domain: string
  pending: number
  delivered: number
  rejected: number
  abandoned: number
  consecutiveFailures: number
  /** Until when deliveries pause, because the host failed or sent Retry-After. */
  retryAfter: Date | null
  /** Since when the host is unavailable and deliveries are stopped, because they failed on seven days. */
  unavailableSince: Date | null
  failingDays: number
  /** The error of the last attempt; null if it succeeded, or there was none. */
  lastError: string | null
  lastDeliveredAt: Date | null
  lastSeenAt: Date | null
  signatureScheme: string
}

const select = (condition: string) =>
  statement<{ params: { limit: number; offset: number; now: Date; domain: string | null }; row: HostReport }>(
    `with tally as (
       select domain, count(*) filter (where state = 'pending') as pending,
         count(*) filter (where state = 'delivered') as delivered, count(*) filter (where state = 'rejected') as rejected,
         count(*) filter (where state = 'abandoned') as abandoned
       from deliveries group by domain
     )
     select domain, coalesce(pending, 0)::int as pending, coalesce(delivered, 0)::int as delivered,
       coalesce(rejected, 0)::int as rejected, coalesce(abandoned, 0)::int as "abandoned",
       coalesce(h.consecutive_failures, 0) as "consecutiveFailures",
       case when h.retry_after > $now then h.retry_after end as "retryAfter",
       h.unreachable_since as "unavailableSince", coalesce(cardinality(h.failing_days), 0) as "failingDays",
       h.last_error as "lastError", h.last_delivered_at as "lastDeliveredAt", h.last_seen_at as "lastSeenAt",
       coalesce(h.signature_scheme, 'cavage') as "signatureScheme"
     from tally full join hosts h using (domain) where ${condition}
     order by h.unreachable_since is null, pending desc nulls last, domain limit $limit offset $offset`,
  )
const list = select('$domain::text is null and (tally.domain is not null or h.unreachable_since is not null)')
const find = select('domain = $domain')

/** Returns hosts with deliveries: unavailable ones first, then those with the most pending deliveries. */
export async function listHosts(
  read: Read,
  { limit, offset = 0, now }: { limit: number; offset?: number; now: Date },
): Promise<HostReport[]> {
  return list(read.db, { limit, offset, now, domain: null })
}

/** Returns the state of deliveries to a host. @throws NotFoundError if the host is unknown */
export async function findHost(read: Read, { domain, now }: { domain: string; now: Date }): Promise<HostReport> {
  const [host] = await find(read.db, { limit: 1, offset: 0, now, domain })
  if (!host) throw new NotFoundError()
  return host
}

const reset = statement<{ params: { domain: string }; row: { domain: string } }>(
  `update hosts set unreachable_since = null, failing_days = '{}', consecutive_failures = 0, retry_after = null,
     last_error = null
   where domain = $domain returning domain`,
)

/** Clears the failures of a host and starts its pending deliveries. @throws NotFoundError if the host is unknown */
export async function clearFailures(tx: Tx, { domain }: { domain: string }): Promise<void> {
  const rows = await reset(tx.db, { domain })
  if (rows.length === 0) throw new NotFoundError()
  tx.emit('deliveries.due', { domain })
}
