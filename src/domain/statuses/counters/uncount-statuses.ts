import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { blocksReplier } from './recount-replies.ts'

const decrementStatusCounters = statement<{ params: { ids: readonly string[] } }>(
  `update status_stats st set replies_count = greatest(0, st.replies_count - deleted.replies),
     reblogs_count = greatest(0, st.reblogs_count - deleted.reblogs)
   from (
     select p.id, count(*) filter (where s.reblog_of_id is not null)::int as reblogs,
       count(*) filter (where s.reblog_of_id is null and s.visibility in ('public', 'unlisted')
         and not ${blocksReplier('p.account_id', 's.account_id')})::int as replies
     from statuses s join statuses p on p.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
     where s.id = any($ids::bigint[]) and s.deleted_at is null
     group by 1
   ) deleted where st.status_id = deleted.id`,
)

/**
 * Subtracts statuses from the counters of the statuses that they reply to and reblog, before they are deleted. Assumes
 * that the effects of all blocks have run; `uncountReplies` does not.
 */
export async function uncountStatuses(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  await decrementStatusCounters(tx.db, { ids })
}
