import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const clearRetryAfter = statement<{ params: { domain: string | null } }>(
  `update hosts set retry_after = null where ($domain::text is null or domain = $domain)`,
)

// An abandoned delivery starts a new week of attempts.
const retry = statement<{ params: { domain: string | null; now: Date }; row: { domain: string; count: number } }>(
  `with retried as (
     update deliveries d set next_attempt_at = $now, state = 'pending',
       created_at = case when d.state = 'abandoned' then $now else d.created_at end,
       attempts = case when d.state = 'abandoned' then 0 else d.attempts end
     where ($domain::text is null or d.domain = $domain) and d.state in ('pending', 'abandoned')
       and not exists (select from hosts h where h.domain = d.domain and h.unreachable_since is not null)
     returning d.domain
   )
   select domain, count(*)::int as count from retried group by domain order by domain`,
)

/**
 * Schedules pending and abandoned deliveries for now, to one host or, for null, to all hosts except unavailable ones.
 * Returns the number of deliveries.
 */
export async function retryDeliveries(tx: Tx, { domain }: { domain: string | null }): Promise<number> {
  await clearRetryAfter(tx.db, { domain })
  const hosts = await retry(tx.db, { domain, now: tx.now })
  for (const host of hosts) tx.emit('deliveries.due', { domain: host.domain })
  return hosts.reduce((sum, host) => sum + host.count, 0)
}
