import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { lockItem, revokeItems } from '../remove-items.ts'

// Only the account that received the request can answer it, by the id of the request.
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

interface FeatureAnswer {
  /** The id of the request activity that this server sent. */
  uri: string
  /** The remote account that answers. */
  accountId: string
}

/**
 * Records that a remote account accepts to be in a local collection. `approvalUri`: the id of its public approval.
 * Returns false if there is no such request.
 */
export async function acceptFeatureRequest(
  tx: Tx,
  { approvalUri, ...answer }: FeatureAnswer & { approvalUri: string },
): Promise<boolean> {
  const item = await findRequestedItem(tx, answer)
  if (!item) return false
  const updated = await accept(tx.db, { itemId: item.id, approvalUri })
  if (updated.length > 0) tx.emit('collection.item_accepted', { itemId: item.id })
  return true
}

/**
 * Records that a remote account rejects a request, or revokes its approval. Returns false if there is no such request.
 */
export async function rejectFeatureRequest(tx: Tx, answer: FeatureAnswer): Promise<boolean> {
  const item = await findRequestedItem(tx, answer)
  if (!item) return false
  const updated = await reject(tx.db, { itemId: item.id })
  if (updated.length === 0) await revokeItems(tx, await lockItem(tx, { itemId: item.id }))
  return true
}

async function findRequestedItem(tx: Tx, { uri, accountId }: FeatureAnswer): Promise<{ id: string } | undefined> {
  const [item] = await find(tx.db, { uri, accountId })
  if (item) await lockAccounts(tx, { ids: [item.owner_id, accountId] })
  return item
}
