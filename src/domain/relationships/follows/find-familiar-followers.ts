import { statement } from '../../../platform/db/statement.ts'
import { filterVisibleAccounts } from '../../accounts/lookup/find-account.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Read } from '../../context.ts'

/** An account, and those of its followers that the viewer follows too. */
export interface FamiliarFollowersRow {
  id: string
  followerIds: string[]
}

// Leaves out the followers of accounts with hidden collections, except for the viewer's own account.
const find = statement<{
  params: { visibleIds: readonly string[]; viewerId: string }
  row: { id: string; follower_ids: string[] }
}>(
  `select requested.id, array(
     select a.id::text
     from follows viewer_follows
       join follows owner_follows on owner_follows.account_id = viewer_follows.target_account_id
       join accounts a on a.id = viewer_follows.target_account_id left join users u on u.account_id = a.id
     where viewer_follows.account_id = $viewerId and owner_follows.target_account_id = owner.id
       and (owner.id = $viewerId or not coalesce(owner.hide_collections, false))
       and not exists (select from blocks b where b.account_id = owner.id and b.target_account_id = $viewerId)
       and not coalesce(a.hide_collections, false) and ${usableAccount()}
     order by owner_follows.id desc
   ) as follower_ids
   from unnest($visibleIds::bigint[]) with ordinality as requested (id, position)
     join accounts owner on owner.id = requested.id
   order by requested.position`,
)

/**
 * Returns for each account, in the order of `ids`, its followers that the viewer follows too, latest first (Mastodon:
 * GET /api/v1/accounts/familiar_followers). An account with hidden collections has none, and is not listed as a
 * follower of others. Unknown and suspended accounts are left out.
 */
export async function findFamiliarFollowers(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): Promise<FamiliarFollowersRow[]> {
  const visibleIds = await filterVisibleAccounts(read, { ids, withSuspended: false })
  if (visibleIds.length === 0) return []
  const rows = await find(read.db, { visibleIds, viewerId })
  return rows.map((row) => ({ id: row.id, followerIds: row.follower_ids }))
}
