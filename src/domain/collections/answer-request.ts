import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { holdItem, revokeItems } from './end-item.ts'

// Only the one who was asked can answer, by the address of what we sent.
const find = statement<{
  params: { uri: string; accountId: string }
  row: { id: string; state: string; owner_id: string }
}>(
  `select i.id, i.state, c.account_id as owner_id from collection_items i join collections c on c.id = i.collection_id
   where i.activity_uri = $uri and i.account_id = $accountId and c.local`,
)
const accept = statement<{ params: { itemId: string; approvalUri: string } }>(
  `update collection_items set state = 'accepted', approval_uri = $approvalUri where id = $itemId
    and state = 'pending' returning id`,
)
const reject = statement<{ params: { itemId: string } }>(
  `update collection_items set state = 'rejected' where id = $itemId and state = 'pending' returning id`,
)

interface Answer {
  /** Of the request, which was sent from here. */
  uri: string
  /** Who answers. */
  accountId: string
}

/** Somebody elsewhere agrees to be in a collection of somebody here. `approvalUri`: where everybody finds that they do. */
export async function acceptFeatureRequest(
  tx: Tx,
  { approvalUri, ...answer }: Answer & { approvalUri: string },
): Promise<boolean> {
  const item = await findAsked(tx, answer)
  if (!item) return false
  const done = await accept(tx.db, { itemId: item.id, approvalUri })
  if (done.length > 0) tx.emit('collection.item_accepted', { itemId: item.id })
  return true
}

/** Somebody elsewhere does not agree, or no longer. */
export async function rejectFeatureRequest(tx: Tx, answer: Answer): Promise<boolean> {
  const item = await findAsked(tx, answer)
  if (!item) return false
  const done = await reject(tx.db, { itemId: item.id })
  if (done.length === 0) await revokeItems(tx, await holdItem(tx, { itemId: item.id }))
  return true
}

async function findAsked(tx: Tx, { uri, accountId }: Answer): Promise<{ id: string } | undefined> {
  const [item] = await find(tx.db, { uri, accountId })
  if (item) await lockAccounts(tx, { ids: [item.owner_id, accountId] })
  return item
}
