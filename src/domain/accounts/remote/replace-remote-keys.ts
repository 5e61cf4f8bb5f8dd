import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/** A public key of a remote actor. */
export interface RemoteKeyFacts {
  id: string
  pem: string
}

// A row, if the account has keys and none of them is among the new ones.
const findReplacement = statement<{ params: { accountId: string; pems: readonly string[] } }>(
  `select from actor_keys where account_id = $accountId and private_key is null
   having count(*) > 0 and not bool_or(public_key_pem = any($pems))`,
)
const remove = statement<{ params: { accountId: string; keyIds: readonly string[] } }>(
  `delete from actor_keys where account_id = $accountId and not key_id = any($keyIds)`,
)
const upsert = statement<{
  params: { accountId: string; ownerUri: string; ids: readonly string[]; pems: readonly string[]; now: Date }
}>(
  `insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, fetched_at)
   select k.id, $ownerUri, $accountId, k.pem, $now from unnest($ids::text[], $pems::text[]) as k (id, pem)
     order by k.id
   on conflict (key_id) do update set account_id = excluded.account_id, public_key_pem = excluded.public_key_pem,
     fetched_at = excluded.fetched_at
   where actor_keys.owner_uri = excluded.owner_uri and actor_keys.private_key is null`,
)

/**
 * Replaces the public keys of a remote account. A key id that is stored for another actor stays with that actor.
 * `signed`: one of the former keys signed the change.
 */
export async function replaceRemoteKeys(
  tx: Tx,
  {
    accountId,
    ownerUri,
    keys,
    signed,
  }: { accountId: string; ownerUri: string; keys: readonly RemoteKeyFacts[]; signed: boolean },
): Promise<void> {
  const byId = new Map(keys.map((key) => [key.id, key.pem]))
  const [ids, pems] = [[...byId.keys()], [...byId.values()]]
  const isReplaced = ids.length > 0 && !signed && (await findReplacement(tx.db, { accountId, pems })).length > 0
  await remove(tx.db, { accountId, keyIds: ids })
  if (ids.length > 0) await upsert(tx.db, { accountId, ownerUri, ids, pems, now: tx.now })
  if (isReplaced) tx.emit('account.key_replaced', { accountId })
}
