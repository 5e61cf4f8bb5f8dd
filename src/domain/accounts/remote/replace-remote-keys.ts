import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/** A public key of a remote actor. */
export interface RemoteKeyFacts {
  id: string
  pem: string
}

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

/** Replaces the public keys of a remote account. A key id that is stored for another actor stays with that actor. */
export async function replaceRemoteKeys(
  tx: Tx,
  { accountId, ownerUri, keys }: { accountId: string; ownerUri: string; keys: readonly RemoteKeyFacts[] },
): Promise<void> {
  const byId = new Map(keys.map((key) => [key.id, key.pem]))
  const ids = [...byId.keys()]
  await remove(tx.db, { accountId, keyIds: ids })
  if (ids.length > 0) await upsert(tx.db, { accountId, ownerUri, ids, pems: [...byId.values()], now: tx.now })
}
