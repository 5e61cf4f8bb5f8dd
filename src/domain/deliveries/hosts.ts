import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** How deliveries to another server go. The figures are those of what is remembered: a day, for failures a week. */
export interface HostReport {
  domain: string
  waiting: number
  delivered: number
  refused: number
  givenUp: number
  failuresInARow: number
  /** Until when nothing is sent, because the host failed or asked for it. */
  restsUntil: Date | null
  /** Since when nothing more is sent, because it failed on seven days. */
  unavailableSince: Date | null
  failingDays: number
  /** What the last attempt met; null when it was delivered, or there was none. */
  lastError: string | null
  lastDeliveredAt: Date | null
  lastHeardAt: Date | null
  signsWith: string
}

const select = (condition: string) =>
  statement<{ params: { limit: number; now: Date; domain: string | null }; row: HostReport }>(
    `with tally as (
       select domain, count(*) filter (where state = 'waiting') as waiting,
         count(*) filter (where state = 'delivered') as delivered, count(*) filter (where state = 'refused') as refused,
         count(*) filter (where state = 'given_up') as given_up
       from deliveries group by domain
     )
     select domain, coalesce(waiting, 0)::int as waiting, coalesce(delivered, 0)::int as delivered,
       coalesce(refused, 0)::int as refused, coalesce(given_up, 0)::int as "givenUp",
       coalesce(h.failures_in_a_row, 0) as "failuresInARow",
       case when h.retry_after > $now then h.retry_after end as "restsUntil",
       h.unavailable_since as "unavailableSince", coalesce(cardinality(h.failing_days), 0) as "failingDays",
       h.last_error as "lastError", h.last_delivered_at as "lastDeliveredAt", h.last_heard_at as "lastHeardAt",
       coalesce(h.signs_with, 'cavage') as "signsWith"
     from tally full join hosts h using (domain) where ${condition}
     order by h.unavailable_since is null, waiting desc nulls last, domain limit $limit`,
  )
const list = select('$domain::text is null and (tally.domain is not null or h.unavailable_since is not null)')
const find = select('domain = $domain')

/** The servers that something was or is to be sent to, those with the most trouble first. */
export async function listHosts(read: Read, { limit, now }: { limit: number; now: Date }): Promise<HostReport[]> {
  return list(read.db, { limit, now, domain: null })
}

/** @throws NotFound when nothing is known of it */
export async function findHost(read: Read, { domain, now }: { domain: string; now: Date }): Promise<HostReport> {
  const [host] = await find(read.db, { limit: 1, now, domain })
  if (!host) throw new NotFound()
  return host
}

const reset = statement<{ params: { domain: string }; row: { domain: string } }>(
  `update hosts set unavailable_since = null, failing_days = '{}', failures_in_a_row = 0, retry_after = null,
     last_error = null
   where domain = $domain returning domain`,
)

/** Forgets every failure of a host, and sends it what waits. @throws NotFound when nothing is known of it */
export async function resetHost(tx: Tx, { domain }: { domain: string }): Promise<void> {
  const rows = await reset(tx.db, { domain })
  if (rows.length === 0) throw new NotFound()
  tx.emit('deliveries.due', { domain })
}
