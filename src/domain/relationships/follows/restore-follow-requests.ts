import { statement } from '../../../platform/db/statement.ts'
import { blocksDomainOf } from '../../access/user-domain-blocks.ts'
import type { Tx } from '../../context.ts'
import { followLimitSql } from './follow-limit.ts'

// The conditions are those of `followAccount` for a remote account.
const insert = statement<{
  params: { severedIds: readonly string[]; origin: string; now: Date }
  row: { severed_id: string; account_id: string; target_account_id: string }
}>(
  `with restorable as materialized (
     select s.* from severed_follows s
       join accounts self on self.id = s.account_id join account_stats st on st.account_id = self.id
       join accounts t on t.id = s.target_account_id
     where s.id = any($severedIds::bigint[]) and t.domain is not null
       and self.suspended_at is null and self.moved_to_account_id is null and st.following_count < ${followLimitSql('st')}
       and t.suspended_at is null and t.moved_to_account_id is null
       and not exists (select from follows f
         where f.account_id = s.account_id and f.target_account_id = s.target_account_id)
       and not exists (select from blocks b where b.account_id = self.id and b.target_account_id = t.id)
       and not exists (select from blocks b where b.account_id = t.id and b.target_account_id = self.id)
       and not ${blocksDomainOf('self.id', 't')}
   ), requested as (
     insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
     select account_id, target_account_id, show_reblogs, notify, languages, $now,
       $origin || '/follows/' || gen_random_uuid()
     from restorable order by id
     on conflict (account_id, target_account_id) do nothing
     returning account_id, target_account_id
   )
   select restorable.id as severed_id, account_id, target_account_id
   from requested join restorable using (account_id, target_account_id)`,
)

/**
 * Requests the follows of severed follows again, with their options, if the follower could follow the account now, has
 * not moved, and has not followed or requested to follow it again. The caller has locked the accounts. `severedIds`: of
 * rows of `severed_follows`. Returns the ids of those that were requested.
 */
export async function restoreFollowRequests(
  tx: Tx,
  { severedIds }: { severedIds: readonly string[] },
): Promise<string[]> {
  const requested = await insert(tx.db, { severedIds, origin: tx.config.origin, now: tx.now })
  if (requested.length > 0) {
    tx.emit('follow.many_requested', {
      accountIds: requested.map((one) => one.account_id),
      targetAccountIds: requested.map((one) => one.target_account_id),
    })
  }
  return requested.map((one) => one.severed_id)
}
