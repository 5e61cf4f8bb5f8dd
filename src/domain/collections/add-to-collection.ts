import { ForbiddenError, UnprocessableError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { confirmedAccount } from '../access/usable-account.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { featureApproval } from './feature-approval.ts'
import type { FeatureApproval } from './feature-approval.ts'
import { lockOwnCollection } from './find-collection.ts'
import { COLLECTION_LIMITS } from './limits.ts'

const selectApprovals = statement<{
  params: { targetIds: readonly string[]; ownerId: string }
  row: { approval: FeatureApproval }
}>(
  `select ${featureApproval('$ownerId')} as approval
   from accounts a left join users u on u.account_id = a.id where a.id = any($targetIds::bigint[])
     and ${confirmedAccount()}`,
)
const count = statement<{ params: { collectionId: string }; row: { n: number } }>(
  `select count(*)::int as n from collection_items where collection_id = $collectionId
    and state in ('pending', 'accepted')`,
)
// Discoverable local accounts agree implicitly. Remote accounts are asked by a request, again also after a rejection.
const insert = statement<{
  params: { collectionId: string; ownerId: string; targetIds: readonly string[]; now: Date }
  row: { id: string; state: 'pending' | 'accepted' }
}>(
  `insert into collection_items (collection_id, account_id, state, activity_uri, created_at)
   select $collectionId, t.id, case when t.domain is null then 'accepted' else 'pending' end,
     case when t.domain is not null then o.uri || '/feature_requests/' || gen_random_uuid() end, $now
   from unnest($targetIds::bigint[]) with ordinality as target (id, position)
     join accounts t on t.id = target.id join accounts o on o.id = $ownerId
   order by target.position
   on conflict (collection_id, account_id) do update
     set state = excluded.state, activity_uri = excluded.activity_uri, created_at = excluded.created_at
     where collection_items.state = 'rejected'
   returning id, state`,
)
const findState = statement<{ params: { collectionId: string; targetId: string }; row: { state: string } }>(
  `select state from collection_items where collection_id = $collectionId and account_id = $targetId`,
)

/**
 * Adds an account to a collection of `accountId` and returns the id of the item. A remote account has to accept first.
 * @throws NotFoundError
 * @throws ForbiddenError for a collection of another account, and for an account that does not allow it
 * @throws UnprocessableError if there is no such account
 * @throws ValidationError if the account is in the collection already, or the collection is full
 */
export async function addToCollection(
  tx: Tx,
  { id, accountId, targetAccountId }: { id: string; accountId: string; targetAccountId: string | undefined },
): Promise<string> {
  if (targetAccountId === undefined || !isId(targetAccountId)) {
    await lockOwnCollection(tx, { id, accountId })
    throw new UnprocessableError('`account_id` parameter is missing')
  }
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  await lockOwnCollection(tx, { id, accountId })
  const [item] = await insertItems(tx, { collectionId: id, ownerId: accountId, targetIds: [targetAccountId] })
  return item!
}

/**
 * Inserts items into a collection and returns their ids. The caller has locked the collection and the accounts.
 * @throws the errors of `addToCollection`
 */
export async function insertItems(
  tx: Tx,
  { collectionId, ownerId, targetIds }: { collectionId: string; ownerId: string; targetIds: readonly string[] },
): Promise<string[]> {
  const approvals = await selectApprovals(tx.db, { targetIds, ownerId })
  if (approvals.length < targetIds.length) throw new UnprocessableError('`account_id` parameter is missing')
  if (approvals.some(({ approval }) => approval !== 'automatic' && approval !== 'manual')) throw new ForbiddenError()
  const items = await insert(tx.db, { collectionId, ownerId, targetIds, now: tx.now })
  if (items.length < targetIds.length) await rejectExistingItem(tx, { collectionId, targetId: targetIds[0]! })
  const [counted] = await count(tx.db, { collectionId })
  if (counted!.n > COLLECTION_LIMITS.items) {
    throw validationError('ERR_TOO_LONG', `are limited to ${COLLECTION_LIMITS.items} in a collection`)
  }
  for (const { id, state } of items) {
    if (state === 'accepted') tx.emit('collection.item_accepted', { itemId: id })
    else tx.emit('collection.item_requested', { itemId: id })
  }
  return items.map(({ id }) => id)
}

/** @throws ForbiddenError if the account has withdrawn from the collection. @throws ValidationError otherwise */
async function rejectExistingItem(
  tx: Tx,
  { collectionId, targetId }: { collectionId: string; targetId: string },
): Promise<never> {
  const [item] = await findState(tx.db, { collectionId, targetId })
  if (item?.state === 'revoked') throw new ForbiddenError()
  throw validationError('ERR_TAKEN', 'has already been taken', 'account')
}

function validationError(code: string, text: string, attribute = 'accounts'): ValidationError {
  return new ValidationError([{ attribute, code, text }], { details: true })
}
