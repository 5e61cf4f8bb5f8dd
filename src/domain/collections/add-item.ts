import { Forbidden, Unprocessable, ValidationFailed } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { revealedAccount } from '../accounts/usable.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { featureApproval } from './feature-approval.ts'
import type { FeatureApproval } from './feature-approval.ts'
import { holdOwnCollection } from './find.ts'
import { COLLECTION_LIMITS } from './limits.ts'

const judge = statement<{
  params: { targetIds: readonly string[]; ownerId: string }
  row: { approval: FeatureApproval }
}>(
  `select ${featureApproval('$ownerId')} as approval
   from accounts a left join users u on u.account_id = a.id where a.id = any($targetIds::bigint[])
     and ${revealedAccount()}`,
)
const count = statement<{ params: { collectionId: string }; row: { n: number } }>(
  `select count(*)::int as n from collection_items where collection_id = $collectionId
    and state in ('pending', 'accepted')`,
)
// Who is of here has agreed already, by wanting to be discovered. Who is elsewhere is asked, also after a refusal.
const insert = statement<{
  params: { collectionId: string; ownerId: string; targetIds: readonly string[]; now: Date }
  row: { id: string; state: 'pending' | 'accepted' }
}>(
  `insert into collection_items (collection_id, account_id, state, activity_uri, created_at)
   select $collectionId, t.id, case when t.domain is null then 'accepted' else 'pending' end,
     case when t.domain is not null then o.uri || '/feature_requests/' || gen_random_uuid() end, $now
   from unnest($targetIds::bigint[]) with ordinality as wanted (id, place)
     join accounts t on t.id = wanted.id join accounts o on o.id = $ownerId
   order by wanted.place
   on conflict (collection_id, account_id) do update
     set state = excluded.state, activity_uri = excluded.activity_uri, created_at = excluded.created_at
     where collection_items.state = 'rejected'
   returning id, state`,
)
const findState = statement<{ params: { collectionId: string; targetId: string }; row: { state: string } }>(
  `select state from collection_items where collection_id = $collectionId and account_id = $targetId`,
)

/**
 * Puts somebody into one's collection; gives the id of the item. Somebody elsewhere is asked first.
 * @throws NotFound · Forbidden when it is another's collection, or they don't want to be in it · Unprocessable when
 *   there is no such account · ValidationFailed when they are in it, or it is full
 */
export async function addToCollection(
  tx: Tx,
  { id, accountId, targetAccountId }: { id: string; accountId: string; targetAccountId: string | undefined },
): Promise<string> {
  if (targetAccountId === undefined || !isId(targetAccountId)) {
    await holdOwnCollection(tx, { id, accountId })
    throw new Unprocessable('`account_id` parameter is missing')
  }
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  await holdOwnCollection(tx, { id, accountId })
  const [item] = await insertItems(tx, { collectionId: id, ownerId: accountId, targetIds: [targetAccountId] })
  return item!
}

/**
 * The items of a collection that is held, as are these accounts. Gives the ids of the items.
 * @throws as `addToCollection`
 */
export async function insertItems(
  tx: Tx,
  { collectionId, ownerId, targetIds }: { collectionId: string; ownerId: string; targetIds: readonly string[] },
): Promise<string[]> {
  const judged = await judge(tx.db, { targetIds, ownerId })
  if (judged.length < targetIds.length) throw new Unprocessable('`account_id` parameter is missing')
  if (judged.some(({ approval }) => approval !== 'automatic' && approval !== 'manual')) throw new Forbidden()
  const made = await insert(tx.db, { collectionId, ownerId, targetIds, now: tx.now })
  if (made.length < targetIds.length) await refuseTaken(tx, { collectionId, targetId: targetIds[0]! })
  const [counted] = await count(tx.db, { collectionId })
  if (counted!.n > COLLECTION_LIMITS.items) {
    throw refuse('ERR_TOO_LONG', `are limited to ${COLLECTION_LIMITS.items} in a collection`)
  }
  for (const { id, state } of made) {
    if (state === 'accepted') tx.emit('collection.item_accepted', { itemId: id })
    else tx.emit('collection.item_requested', { itemId: id })
  }
  return made.map(({ id }) => id)
}

/** Who withdrew from a collection is not put into it again. @throws ValidationFailed · Forbidden */
async function refuseTaken(
  tx: Tx,
  { collectionId, targetId }: { collectionId: string; targetId: string },
): Promise<never> {
  const [item] = await findState(tx.db, { collectionId, targetId })
  if (item?.state === 'revoked') throw new Forbidden()
  throw refuse('ERR_TAKEN', 'has already been taken', 'account')
}

function refuse(code: string, text: string, attribute = 'accounts'): ValidationFailed {
  return new ValidationFailed([{ attribute, code, text }], { details: true })
}
