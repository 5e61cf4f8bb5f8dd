import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/**
 * How many reblogs one transaction deletes. It locks the counters of their authors, and PostgreSQL checks two dozen
 * tables for each deleted row: 20,000 reblogs took many seconds, in which their authors could not post.
 */
const MAX_REBLOGS = 500

interface Reblog {
  id: string
  account_id: string
  reblog_of_id: string
  /** Whether the author is local or has local followers, whose open timelines may contain it. */
  has_readers: boolean
}

const find = statement<{
  params: { statusIds: readonly string[] }
  row: Reblog
  notNull: 'reblog_of_id' | 'has_readers'
}>(
  `select id, account_id, reblog_of_id,
     exists (select from users u where u.account_id = statuses.account_id)
       or exists (select from follows f join users u on u.account_id = f.account_id
         where f.target_account_id = statuses.account_id) as has_readers
   from statuses where id = any(array(
     select id from statuses where reblog_of_id = any($statusIds::bigint[]) and deleted_at is null limit ${MAX_REBLOGS}))
   order by account_id, id for update`,
)
const lockHidden = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and deleted_at is not null for update`,
)
const remove = statement<{ params: { ids: readonly string[] } }>(`delete from statuses where id = any($ids::bigint[])`)
const decrement = statement<{ params: { authorIds: readonly string[] } }>(
  `update account_stats st set statuses_count = greatest(0, st.statuses_count - deleted.n)
   from (select account_id, count(*) as n from unnest($authorIds::bigint[]) account_id group by account_id) deleted
   where st.account_id = deleted.account_id`,
)
const decrementReblogs = statement<{ params: { statusIds: readonly string[] } }>(
  `update status_stats st set reblogs_count = greatest(0, st.reblogs_count - deleted.n)
   from (select status_id, count(*) as n from unnest($statusIds::bigint[]) status_id group by status_id) deleted
   where st.status_id = deleted.status_id`,
)

/** Locks reblogs of statuses that are to be deleted. `hasMore`: there may be more than one transaction deletes. */
export async function lockReblogs(
  tx: Tx,
  { statusIds }: { statusIds: readonly string[] },
): Promise<{ reblogs: Reblog[]; hasMore: boolean }> {
  const reblogs = await find(tx.db, { statusIds })
  return { reblogs, hasMore: reblogs.length === MAX_REBLOGS }
}

/** Decrements the status counters of locked authors. An author with several deleted statuses has several entries. */
export async function decrementStatusCounts(tx: Tx, { authorIds }: { authorIds: readonly string[] }): Promise<void> {
  await decrement(tx.db, { authorIds })
}

/** Deletes reblogs that are locked, as are their authors. */
export async function removeReblogs(tx: Tx, { reblogs }: { reblogs: readonly Reblog[] }): Promise<void> {
  await remove(tx.db, { ids: reblogs.map(({ id }) => id) })
  await decrement(tx.db, { authorIds: reblogs.map((reblog) => reblog.account_id) })
  await decrementReblogs(tx.db, { statusIds: reblogs.map((reblog) => reblog.reblog_of_id) })
}

/** Returns the reblogs whose deletion is published to the streams. */
export function shownReblogs(reblogs: readonly Reblog[]): { id: string; accountId: string }[] {
  return reblogs.filter((reblog) => reblog.has_readers).map(({ id, account_id: accountId }) => ({ id, accountId }))
}

/**
 * Effect: deletes the remaining reblogs of a status that was hidden because it had many, and then the status, unless it
 * is retained for the staff. If staff restored it meanwhile, its remaining reblogs stay.
 */
export async function deleteReblogs(
  ctx: Ctx,
  { statusId, accountId, isRetained }: { statusId: string; accountId: string; isRetained: boolean },
): Promise<void> {
  let hasMore = true
  while (hasMore) {
    hasMore = await ctx.write(async (tx) => {
      if ((await lockHidden(tx.db, { statusId })).length === 0) return false
      const found = await lockReblogs(tx, { statusIds: [statusId] })
      const { reblogs } = found
      await lockAccounts(tx, { ids: reblogs.map((reblog) => reblog.account_id) })
      await removeReblogs(tx, { reblogs })
      if (!isRetained && !found.hasMore) await remove(tx.db, { ids: [statusId] })
      const shown = shownReblogs(reblogs)
      if (shown.length > 0) tx.emit('status.reblogs_deleted', { accountId, reblogs: shown })
      return found.hasMore
    })
  }
}
