import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/lookup/find-account.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Read } from '../context.ts'

interface OffsetPage {
  limit: number
  /** The number of collections to skip. */
  offset: number
}

const findBlock = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

const selectOwned = statement<{
  params: { accountId: string; isOwn: boolean; limit: number; offset: number }
  row: { id: string }
}>(
  `select id from collections where account_id = $accountId and (discoverable or $isOwn::boolean)
   order by id desc limit $limit offset $offset`,
)
const selectFeaturing = statement<{
  params: { accountId: string; limit: number; offset: number }
  row: { id: string }
}>(
  `select c.id from collection_items i join collections c on c.id = i.collection_id
     join accounts o on o.id = c.account_id left join users ou on ou.account_id = o.id
   where i.account_id = $accountId and i.state = 'accepted' and ${usableAccount('o', 'ou')}
   order by i.id desc limit $limit offset $offset`,
)

/**
 * Returns the ids of an account's discoverable collections, latest first; for the owner, of all of them. Empty if the
 * owner is suspended or blocks the viewer.
 * @throws NotFoundError if there is no such account
 */
export async function listOwnedCollections(
  read: Read,
  { accountId, viewerId, limit, offset }: { accountId: string; viewerId: string | null } & OffsetPage,
): Promise<string[]> {
  const { suspended } = await findAccount(read, { id: accountId })
  if (suspended || limit === 0) return []
  const isOwn = accountId === viewerId
  if (!isOwn && viewerId !== null && (await findBlock(read.db, { accountId, viewerId })).length > 0) return []
  const rows = await selectOwned(read.db, { accountId, isOwn, limit, offset })
  return rows.map(({ id }) => id)
}

/** Returns the ids of the collections that feature an account, the latest addition first. */
export async function listFeaturingCollections(
  read: Read,
  { accountId, limit, offset }: { accountId: string } & OffsetPage,
): Promise<string[]> {
  const rows = limit === 0 ? [] : await selectFeaturing(read.db, { accountId, limit, offset })
  return rows.map(({ id }) => id)
}
