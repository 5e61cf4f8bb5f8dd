import type { Tx } from '../../domain/context.ts'
import { statement } from '../../platform/db/connect.ts'

/** A host that speaks all the time is noted this often. */
const NOTE_MINUTES = 10

// Rows that say the same already are not touched, so deliveries of one host don't wait for each other here.
const note = statement<{ was_unavailable: boolean }>(
  `with before as (
     select domain, unavailable_since is not null as was_unavailable from hosts
     where domain = $1 and (unavailable_since is not null or last_heard_at is null
       or last_heard_at < $2::timestamptz - make_interval(mins => ${NOTE_MINUTES}))
   ), heard as (
     update hosts set last_heard_at = $2, unavailable_since = null, failing_days = '{}', failures_in_a_row = 0,
       retry_after = null
     from before where hosts.domain = before.domain returning before.was_unavailable
   ), met as (
     insert into hosts (domain, last_heard_at, created_at) select $1, $2, $2
     where not exists (select from hosts where domain = $1) on conflict (domain) do nothing
   )
   select was_unavailable from heard`,
)

/** Notes that a host is there. What was kept from it because it seemed to be gone is sent now. */
export async function hearFrom(tx: Tx, { domain }: { domain: string }): Promise<void> {
  const [heard] = await note(tx.db, [domain, tx.now])
  if (heard?.was_unavailable) tx.emit('deliveries.due', { domain })
}
