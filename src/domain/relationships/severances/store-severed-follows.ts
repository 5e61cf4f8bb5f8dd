import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/**
 * Returns an `insert` that stores the follows by local users in `ended`, an SQL table or CTE of rows of `follows`, with
 * their options and lists, so that they can be restored. Uses the parameter `$now`. The snapshot of the statement still
 * contains the lists if it also deletes the follows.
 */
export function storeSeveredFollows(ended: string): string {
  return `insert into severed_follows (account_id, target_account_id, show_reblogs, notify, languages, list_ids, created_at)
     select e.account_id, e.target_account_id, e.show_reblogs, e.notify, e.languages,
       array(select m.list_id from list_accounts m where m.follow_id = e.id order by m.list_id), $now::timestamptz
     from ${ended} e join accounts a on a.id = e.account_id where a.domain is null
     on conflict (account_id, target_account_id) do update set show_reblogs = excluded.show_reblogs,
       notify = excluded.notify, languages = excluded.languages, list_ids = excluded.list_ids,
       created_at = excluded.created_at`
}

const storeOfSuspended = statement<{ params: { accountId: string; targetAccountId: string; now: Date } }>(
  `with ended as (
     select f.* from follows f join accounts self on self.id = f.account_id
     where f.account_id = $accountId and f.target_account_id = $targetAccountId and self.suspended_at is not null
   )
   ${storeSeveredFollows('ended')}`,
)

/**
 * Stores a follow by a suspended local account that the followed account's server is ending: Mastodon ends the follows
 * of accounts that it learns are suspended. Does nothing if the follower is not suspended.
 */
export async function storeFollowOfSuspended(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await storeOfSuspended(tx.db, { accountId, targetAccountId, now: tx.now })
}
