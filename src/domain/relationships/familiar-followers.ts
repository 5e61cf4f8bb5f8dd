import { statement } from '../../platform/db/statement.ts'
import { keepAccounts } from '../accounts/find.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'

/** An account, and those who follow it whom the viewer follows. */
export interface Familiar {
  id: string
  followerIds: string[]
}

// Accounts that hide their network are omitted, except for the viewer's own.
const find = statement<{
  params: { kept: readonly string[]; viewerId: string }
  row: { id: string; follower_ids: string[] }
}>(
  `select wanted.id, array(
     select a.id::text
     from follows mine join follows theirs on theirs.account_id = mine.target_account_id
       join accounts a on a.id = mine.target_account_id left join users u on u.account_id = a.id
     where mine.account_id = $viewerId and theirs.target_account_id = owner.id
       and (owner.id = $viewerId or not coalesce(owner.hide_collections, false))
       and not exists (select from blocks b where b.account_id = owner.id and b.target_account_id = $viewerId)
       and not coalesce(a.hide_collections, false) and ${usableAccount()}
     order by theirs.id desc
   ) as follower_ids
   from unnest($kept::bigint[]) with ordinality as wanted (id, place) join accounts owner on owner.id = wanted.id
   order by wanted.place`,
)

/**
 * For each of these accounts, in their order, its followers whom the viewer follows too, latest first. Whoever hides
 * their network shows none, and is not among those of others. Ids of nobody, or of somebody who is suspended, are left out.
 */
export async function findFamiliarFollowers(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): Promise<Familiar[]> {
  const kept = await keepAccounts(read, { ids, withSuspended: false })
  if (kept.length === 0) return []
  const rows = await find(read.db, { kept, viewerId })
  return rows.map((row) => ({ id: row.id, followerIds: row.follower_ids }))
}
