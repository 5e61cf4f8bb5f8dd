import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A key with which somebody of another server signs. */
export interface RemoteKeyFacts {
  id: string
  pem: string
}

const remove = statement<{ params: { accountId: string; keyIds: readonly string[] } }>(
  `delete from actor_keys where account_id = $accountId and not key_id = any($keyIds)`,
)
const upsert = statement<{
  params: { accountId: string; ownerUri: string; ids: readonly string[]; fetchedAt: readonly string[]; now: Date }
}>(
  `insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, fetched_at)
   select k.id, $ownerUri, $accountId, k.pem, $now from unnest($ids::text[], $fetchedAt::text[]) as k (id, pem)
     order by k.id
   on conflict (key_id) do update set account_id = excluded.account_id, public_key_pem = excluded.public_key_pem,
     fetched_at = excluded.fetched_at
   where actor_keys.owner_uri = excluded.owner_uri and actor_keys.private_key is null`,
)

/** Keeps the public keys of an account of another server, and no others. A key that is known as another's stays so. */
export async function keepKeys(
  tx: Tx,
  { accountId, ownerUri, keys }: { accountId: string; ownerUri: string; keys: readonly RemoteKeyFacts[] },
): Promise<void> {
  const byId = new Map(keys.map((key) => [key.id, key.pem]))
  const ids = [...byId.keys()]
  await remove(tx.db, { accountId, keyIds: ids })
  if (ids.length > 0) await upsert(tx.db, { accountId, ownerUri, ids, fetchedAt: [...byId.values()], now: tx.now })
}
