import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { isActiveUser } from '../../access/feed-eligibility.ts'

/** The feeds of one user, of users who were active lately, or of all users. */
export type FeedOwners = { accountId: string } | 'active' | 'all'

interface Selection {
  accountId: string | null
  onlyActive: boolean
}

const SELECTED = `($accountId::bigint is null or u.account_id = $accountId) and (not $onlyActive or ${isActiveUser()})`

const count = statement<{ params: Selection; row: { users: number } }>(
  `select count(*)::integer as users from users u where ${SELECTED}`,
)
// Pruned feeds accept no entries, so none is added between the deletion and the rebuild.
const emptyFeeds = statement<{
  params: Selection & { after: string; limit: number; state: 'pruned' | 'rebuild_requested' }
  row: { id: string; account_id: string }
}>(
  `with selected as (
     select id from users u where u.id > $after and ${SELECTED} order by id limit $limit for no key update
   ), emptied as (
     update users u set feed_state = $state from selected where u.id = selected.id returning u.id, u.account_id
   ), home_entries as (
     delete from feed_entries where account_id = any(array(select account_id from emptied))
   ), entries_of_lists as (
     delete from list_entries where list_id = any(array(
       select l.id from lists l where l.account_id = any(array(select account_id from emptied))))
   )
   select id, account_id from emptied order by id`,
)

/** Returns how many users have the selected feeds. */
export async function countFeedOwners(read: Read, { owners }: { owners: FeedOwners }): Promise<number> {
  const [row] = await count(read.db, selectionOf(owners))
  return row!.users
}

/**
 * Empties the home and list feeds of a batch of users, after a user id, and requests their rebuild, which jobs do; with
 * `rebuild` false, the feeds are rebuilt when their owner reads them. Returns the number of users and the last id.
 */
export async function resetFeeds(
  tx: Tx,
  { owners, rebuild, after, limit }: { owners: FeedOwners; rebuild: boolean; after: string; limit: number },
): Promise<{ users: number; last: string }> {
  const state = rebuild ? 'rebuild_requested' : 'pruned'
  const rows = await emptyFeeds(tx.db, { ...selectionOf(owners), after, limit, state })
  if (rebuild) for (const { account_id: accountId } of rows) tx.emit('feeds.rebuild_requested', { accountId })
  return { users: rows.length, last: rows.at(-1)?.id ?? after }
}

function selectionOf(owners: FeedOwners): Selection {
  return typeof owners === 'string'
    ? { accountId: null, onlyActive: owners === 'active' }
    : { accountId: owners.accountId, onlyActive: false }
}
