import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const wake = statement<{ params: { domain: string | null } }>(
  `update hosts set retry_after = null where ($domain::text is null or domain = $domain)`,
)

// What was given up begins its week anew.
const retry = statement<{ params: { domain: string | null; now: Date }; row: { domain: string; count: number } }>(
  `with again as (
     update deliveries d set next_try_at = $now, state = 'waiting',
       created_at = case when d.state = 'given_up' then $now else d.created_at end,
       attempts = case when d.state = 'given_up' then 0 else d.attempts end
     where ($domain::text is null or d.domain = $domain) and d.state in ('waiting', 'given_up')
       and not exists (select from hosts h where h.domain = d.domain and h.unavailable_since is not null)
     returning d.domain
   )
   select domain, count(*)::int as count from again group by domain order by domain`,
)

/**
 * Tries now what waits and what was given up, at one host or, for null, at all of them; not at those that are
 * unavailable. Returns how many deliveries these are.
 */
export async function retryDeliveries(tx: Tx, { domain }: { domain: string | null }): Promise<number> {
  await wake(tx.db, { domain })
  const hosts = await retry(tx.db, { domain, now: tx.now })
  for (const host of hosts) tx.emit('deliveries.due', { domain: host.domain })
  return hosts.reduce((sum, host) => sum + host.count, 0)
}
