import type { Tx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'

/** A host that speaks all the time is noted this often. */
const NOTE_MINUTES = 10

// Rows that say the same already are not touched, so deliveries of one host don't wait for each other here.
const note = statement<{ params: { domains: readonly string[]; now: Date }; row: { domain: string } }>(
  `with before as (
     select domain, unavailable_since is not null as was_unavailable from hosts
     where domain = any($domains) and (unavailable_since is not null or last_heard_at is null
       or last_heard_at < $now::timestamptz - make_interval(mins => ${NOTE_MINUTES}))
     order by domain for no key update
   ), heard as (
     update hosts set last_heard_at = $now, unavailable_since = null, failing_days = '{}', failures_in_a_row = 0,
       retry_after = null
     from before where hosts.domain = before.domain returning hosts.domain, before.was_unavailable
   ), met as (
     insert into hosts (domain, last_heard_at, created_at)
     select domain, $now, $now from unnest($domains::text[]) as spoke (domain)
     where not exists (select from hosts h where h.domain = spoke.domain) order by domain on conflict (domain) do nothing
   )
   select domain from heard where was_unavailable`,
)

/** Notes that hosts are there. What was kept from one because it seemed to be gone is sent now. */
export async function hearFrom(tx: Tx, { domains }: { domains: readonly string[] }): Promise<void> {
  for (const { domain } of await note(tx.db, { domains, now: tx.now })) tx.emit('deliveries.due', { domain })
}
