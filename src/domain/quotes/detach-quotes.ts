import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

// In this file, the caller has locked the statuses and is about to delete or hide them.
const incrementQuotingVersions = statement<{ params: { statusIds: readonly string[] } }>(
  `update statuses set version = version + 1
   where id in (select status_id from quotes where quoted_status_id = any($statusIds::bigint[]))`,
)
const markDeleted = statement<{ params: { statusIds: readonly string[]; now: Date }; row: { id: string } }>(
  `with detached as (
     update quotes set state = 'deleted', state_before_deletion = state, updated_at = $now
     where quoted_status_id = any($statusIds::bigint[]) and state in ('pending', 'accepted') returning status_id
   )
   select s.id from detached join statuses s on s.id = detached.status_id
   where s.deleted_at is null and not s.id = any($statusIds::bigint[])`,
)
// Locks the counters before the quotes are deleted, in one order together with those that the caller changes next.
const lockCounters = statement<{ params: { statusIds: readonly string[]; countedIds: readonly string[] } }>(
  `select from status_stats
   where status_id = any(array(select quoted_status_id from quotes
     where status_id = any($statusIds::bigint[])) || $countedIds::bigint[])
   order by status_id for no key update`,
)
const deleteQuotes = statement<{ params: { statusIds: readonly string[] } }>(
  `with deleted as (delete from quotes where status_id = any($statusIds::bigint[]) returning quoted_status_id, state)
   update status_stats st set quotes_count = greatest(0, st.quotes_count - removed.n)
   from (select quoted_status_id as id, count(*)::int as n from deleted where state = 'accepted' group by 1) removed
   where st.status_id = removed.id`,
)

// The counters of the quoted statuses are already locked here.
const markQuotesDeleted = statement<{ params: { statusIds: readonly string[]; now: Date } }>(
  `with before as (select id, quoted_status_id, state from quotes
    where status_id = any($statusIds::bigint[])), updated as (
     update quotes q set state = 'deleted', state_before_deletion = b.state, updated_at = $now from before b
     where q.id = b.id and b.state in ('pending', 'accepted') returning q.id
   )
   update status_stats st set quotes_count = greatest(0, quotes_count - removed.n)
   from (select quoted_status_id as id, count(*)::int as n from before where state = 'accepted' group by 1) removed
   where st.status_id = removed.id`,
)

interface QuoteRemoval {
  statusIds: readonly string[]
  /** Statuses whose counters the caller changes afterwards. */
  countedIds?: readonly string[]
}

/**
 * Deletes the quotes that locked statuses contain, and marks the quotes of them as deleted, before they are deleted.
 */
export async function removeQuotes(tx: Tx, { statusIds, countedIds = [] }: QuoteRemoval): Promise<void> {
  await markQuotedDeleted(tx, statusIds)
  await deleteOutgoingQuotes(tx, { statusIds, countedIds })
}

/** Does the same as `removeQuotes` for statuses that are hidden, not deleted: records which statuses they quoted. */
export async function detachHiddenQuotes(tx: Tx, { statusIds, countedIds = [] }: QuoteRemoval): Promise<void> {
  await markQuotedDeleted(tx, statusIds)
  await lockCounters(tx.db, { statusIds, countedIds })
  await markQuotesDeleted(tx.db, { statusIds, now: tx.now })
}

/** Marks the quotes of these statuses as deleted. */
async function markQuotedDeleted(tx: Tx, statusIds: readonly string[]): Promise<void> {
  await incrementQuotingVersions(tx.db, { statusIds })
  for (const { id } of await markDeleted(tx.db, { statusIds, now: tx.now })) {
    tx.emit('status.quote_state_changed', { statusId: id, at: tx.now.getTime() })
  }
}

/** Deletes the quotes that locked statuses contain. */
export async function deleteOutgoingQuotes(tx: Tx, { statusIds, countedIds = [] }: QuoteRemoval): Promise<void> {
  await lockCounters(tx.db, { statusIds, countedIds })
  await deleteQuotes(tx.db, { statusIds })
}
