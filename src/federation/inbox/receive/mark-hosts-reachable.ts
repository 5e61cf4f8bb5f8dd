import type { Tx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'

/** The interval at which the `last_seen_at` of a host is updated. */
const UPDATE_INTERVAL_MINUTES = 10

/** SQL condition: a row `hosts` says that the host is reachable, and was updated recently. */
export const IS_MARKED_REACHABLE = `(hosts.unreachable_since is null
  and hosts.last_seen_at >= $now::timestamptz - make_interval(mins => ${UPDATE_INTERVAL_MINUTES}))`

// Rows that are up to date are not locked, so that deliveries of one host don't wait for each other.
const markReachable = statement<{ params: { domains: readonly string[]; now: Date }; row: { domain: string } }>(
  `with before as (
     select domain, unreachable_since is not null as was_unavailable from hosts
     where domain = any($domains) and ${IS_MARKED_REACHABLE} is not true
     order by domain for no key update
   ), updated as (
     update hosts set last_seen_at = $now, unreachable_since = null, failing_days = '{}', consecutive_failures = 0,
       retry_after = null
     from before where hosts.domain = before.domain returning hosts.domain, before.was_unavailable
   ), inserted as (
     insert into hosts (domain, last_seen_at, created_at)
     select domain, $now, $now from unnest($domains::text[]) as sender (domain)
     where not exists (select from hosts h where h.domain = sender.domain) order by domain
     on conflict (domain) do nothing
   )
   select domain from updated where was_unavailable`,
)

/** Marks hosts as reachable, and schedules the pending deliveries of those that were unavailable. */
export async function markHostsReachable(tx: Tx, { domains }: { domains: readonly string[] }): Promise<void> {
  for (const { domain } of await markReachable(tx.db, { domains, now: tx.now })) tx.emit('deliveries.due', { domain })
}
