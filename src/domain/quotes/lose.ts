import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

// The statuses are locked and about to be deleted, here and below.
const renewQuoting = statement<{ params: { statusIds: readonly string[] } }>(
  `update statuses set version = version + 1
   where id in (select status_id from quotes where quoted_status_id = any($statusIds::bigint[]))`,
)
const markLost = statement<{ params: { statusIds: readonly string[]; now: Date }; row: { id: string } }>(
  `with lost as (
     update quotes set state = 'deleted', updated_at = $now
     where quoted_status_id = any($statusIds::bigint[]) and state in ('pending', 'accepted') returning status_id
   )
   select s.id from lost join statuses s on s.id = lost.status_id
   where s.deleted_at is null and not s.id = any($statusIds::bigint[])`,
)
// The counters before the rows, as their deletion takes them along, and with those that the caller counts at.
const holdCounters = statement<{ params: { statusIds: readonly string[]; countedIds: readonly string[] } }>(
  `select from status_stats
   where status_id = any(array(select quoted_status_id from quotes
     where status_id = any($statusIds::bigint[])) || $countedIds::bigint[])
   order by status_id for no key update`,
)
const remove = statement<{ params: { statusIds: readonly string[] } }>(
  `with gone as (delete from quotes where status_id = any($statusIds::bigint[]) returning quoted_status_id, state)
   update status_stats st set quotes_count = greatest(0, st.quotes_count - lost.n)
   from (select quoted_status_id as id, count(*)::int as n from gone where state = 'accepted' group by 1) lost
   where st.status_id = lost.id`,
)

// The counters of those quoted are held by now.
const forsake = statement<{ params: { statusIds: readonly string[]; now: Date } }>(
  `with before as (select id, quoted_status_id, state from quotes
    where status_id = any($statusIds::bigint[])), gone as (
     update quotes q set state = 'deleted', updated_at = $now from before b
     where q.id = b.id and b.state in ('pending', 'accepted') returning q.id
   )
   update status_stats st set quotes_count = greatest(0, quotes_count - lost.n)
   from (select quoted_status_id as id, count(*)::int as n from before where state = 'accepted' group by 1) lost
   where st.status_id = lost.id`,
)

interface Lost {
  statusIds: readonly string[]
  /** Statuses at which something else is counted next. */
  countedIds?: readonly string[]
}

/** Statuses that are held go, and with them what they quote and what quotes them: nobody counts or shows them any more. */
export async function loseQuotes(tx: Tx, { statusIds, countedIds = [] }: Lost): Promise<void> {
  await bereave(tx, statusIds)
  await dropQuotes(tx, { statusIds, countedIds })
}

/** The same for statuses that nobody sees any more, but that stay: what they quoted is still known. */
export async function forsakeQuotes(tx: Tx, { statusIds }: { statusIds: readonly string[] }): Promise<void> {
  await bereave(tx, statusIds)
  await holdCounters(tx.db, { statusIds, countedIds: [] })
  await forsake(tx.db, { statusIds, now: tx.now })
}

/** What quotes these statuses says from now on that they are gone. */
async function bereave(tx: Tx, statusIds: readonly string[]): Promise<void> {
  await renewQuoting(tx.db, { statusIds })
  for (const { id } of await markLost(tx.db, { statusIds, now: tx.now })) {
    tx.emit('status.quoting_changed', { statusId: id, at: tx.now.getTime() })
  }
}

/** Statuses that are held quote nothing any more. */
export async function dropQuotes(tx: Tx, { statusIds, countedIds = [] }: Lost): Promise<void> {
  await holdCounters(tx.db, { statusIds, countedIds })
  await remove(tx.db, { statusIds })
}
