import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { featureApproval } from '../feature-approval.ts'
import { REMOTE_COLLECTION_LIMITS } from '../limits.ts'

const selectApproval = statement<{ params: { targetAccountId: string; accountId: string }; row: { approval: string } }>(
  `select ${featureApproval('$accountId')} as approval
   from accounts a left join users u on u.account_id = a.id where a.id = $targetAccountId and a.domain is null`,
)
const lockCollection = statement<{ params: { collectionId: string; accountId: string }; row: { items: number } }>(
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

interface FeaturePair {
  /** The remote account that owns the collection. */
  accountId: string
  targetAccountId: string
}

/** Returns whether a remote account may add a local account to a collection. Takes no locks. */
export async function canFeature(
  read: Pick<Read, 'db'>,
  { accountId, targetAccountId }: FeaturePair,
): Promise<boolean> {
  const [row] = await selectApproval(read.db, { targetAccountId, accountId })
  return row?.approval === 'automatic'
}

/**
 * Answers the request of a remote account to add a local account to its collection, also if the request is repeated.
 * Accepts it if the local account is discoverable and has not withdrawn from the collection. `collectionId`: null if
 * the collection was not resolved, which rejects the request.
 */
export async function receiveFeatureRequest(
  tx: Tx,
  {
    collectionId,
    collectionUri,
    uri,
    ...pair
  }: FeaturePair & { collectionId: string | null; collectionUri: string; uri: string },
): Promise<'accepted' | 'rejected'> {
  const { accountId, targetAccountId } = pair
  await lockUris(tx, { uris: [uri] })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [collection] = collectionId === null ? [] : await lockCollection(tx.db, { collectionId, accountId })
  const [item] = collection ? await findItem(tx.db, { collectionId, targetAccountId }) : []
  const hasRoom = collection !== undefined && (item !== undefined || collection.items < REMOTE_COLLECTION_LIMITS.items)
  if (!hasRoom || item?.state === 'revoked' || !(await canFeature(tx, pair))) {
    tx.emit('collection.feature_request_rejected', { ...pair, uri, collectionUri })
    return 'rejected'
  }
  const [created] =
    item?.state === 'accepted' ? [item] : await upsert(tx.db, { collectionId, targetAccountId, uri, now: tx.now })
  if (item?.state !== 'accepted') tx.emit('collection.item_accepted', { itemId: created!.id })
  tx.emit('collection.feature_request_accepted', { itemId: created!.id, uri })
  return 'accepted'
}
