import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { featureApproval } from './feature-approval.ts'
import { REMOTE_COLLECTION_LIMITS } from './limits.ts'

const judge = statement<{ params: { targetAccountId: string; accountId: string }; row: { approval: string } }>(
  `select ${featureApproval('$accountId')} as approval
   from accounts a left join users u on u.account_id = a.id where a.id = $targetAccountId and a.domain is null`,
)
const holdCollection = statement<{ params: { collectionId: string; accountId: string }; row: { items: number } }>(
  `select (select count(*)::int from collection_items i where i.collection_id = c.id) as items
   from collections c where c.id = $collectionId and c.account_id = $accountId and not c.local for no key update of c`,
)
const findItem = statement<{
  params: { collectionId: string | null; targetAccountId: string }
  row: { id: string; state: string }
}>(`select id, state from collection_items where collection_id = $collectionId and account_id = $targetAccountId`)
const upsert = statement<{
  params: { collectionId: string | null; targetAccountId: string; uri: string; now: Date }
  row: { id: string }
}>(
  `insert into collection_items (collection_id, account_id, state, activity_uri, created_at)
   values ($collectionId, $targetAccountId, 'accepted', $uri, $now)
   on conflict (collection_id, account_id) do update set state = 'accepted', activity_uri = excluded.activity_uri
   returning id`,
)

interface Pair {
  /** Who asks, elsewhere. */
  accountId: string
  targetAccountId: string
}

/** Whether somebody may put somebody here into a collection, as it looks before anything is locked. */
export async function mayFeature(read: Pick<Read, 'db'>, { accountId, targetAccountId }: Pair): Promise<boolean> {
  const [row] = await judge(read.db, { targetAccountId, accountId })
  return row?.approval === 'automatic'
}

/**
 * Answers somebody elsewhere who wants to put somebody here into their collection: yes, if they want to be discovered
 * and have not withdrawn from it; as often as they ask. `collectionId` is null where it was not worth looking.
 */
export async function receiveFeatureRequest(
  tx: Tx,
  {
    collectionId,
    collectionUri,
    uri,
    ...pair
  }: Pair & { collectionId: string | null; collectionUri: string; uri: string },
): Promise<'accepted' | 'rejected'> {
  const { accountId, targetAccountId } = pair
  await lockUris(tx, { uris: [uri] })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [collection] = collectionId === null ? [] : await holdCollection(tx.db, { collectionId, accountId })
  const [item] = collection ? await findItem(tx.db, { collectionId, targetAccountId }) : []
  const hasRoom = collection !== undefined && (item !== undefined || collection.items < REMOTE_COLLECTION_LIMITS.items)
  if (!hasRoom || item?.state === 'revoked' || !(await mayFeature(tx, pair))) {
    tx.emit('feature.rejected', { ...pair, uri, collectionUri })
    return 'rejected'
  }
  const [made] =
    item?.state === 'accepted' ? [item] : await upsert(tx.db, { collectionId, targetAccountId, uri, now: tx.now })
  if (item?.state !== 'accepted') tx.emit('collection.item_accepted', { itemId: made!.id })
  tx.emit('feature.authorised', { itemId: made!.id, uri })
  return 'accepted'
}
