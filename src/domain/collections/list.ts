import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'

interface Part {
  limit: number
  /** How many are left out at the beginning. */
  offset: number
}

const blocks = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

const findOf = statement<{
  params: { accountId: string; isOwn: boolean; limit: number; offset: number }
  row: { id: string }
}>(
  `select id from collections where account_id = $accountId and (discoverable or $isOwn::boolean)
   order by id desc limit $limit offset $offset`,
)
const findWith = statement<{ params: { accountId: string; limit: number; offset: number }; row: { id: string } }>(
  `select c.id from collection_items i join collections c on c.id = i.collection_id
     join accounts o on o.id = c.account_id left join users ou on ou.account_id = o.id
   where i.account_id = $accountId and i.state = 'accepted' and ${usableAccount('o', 'ou')}
   order by i.id desc limit $limit offset $offset`,
)

/**
 * The collections of somebody, latest first: ids. None where the owner is suspended, or does not want to be seen by who
 * asks; all of one's own. @throws NotFound when there is no such account
 */
export async function readCollectionsOf(
  read: Read,
  { accountId, viewerId, limit, offset }: { accountId: string; viewerId: string | null } & Part,
): Promise<string[]> {
  const { suspended } = await findAccount(read, { id: accountId })
  if (suspended || limit === 0) return []
  const isOwn = accountId === viewerId
  if (!isOwn && viewerId !== null && (await blocks(read.db, { accountId, viewerId })).length > 0) return []
  const rows = await findOf(read.db, { accountId, isOwn, limit, offset })
  return rows.map(({ id }) => id)
}

/** The collections in which somebody is featured, whoever made them, by when they came in, latest first: ids. */
export async function readCollectionsWith(
  read: Read,
  { accountId, limit, offset }: { accountId: string } & Part,
): Promise<string[]> {
  const rows = limit === 0 ? [] : await findWith(read.db, { accountId, limit, offset })
  return rows.map(({ id }) => id)
}
