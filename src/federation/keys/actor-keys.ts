import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, instanceActorUri, keyIdOf } from '../objects/uris.ts'
import { decryptPrivateKey, encryptPrivateKey, generateActorKeyPair } from '../signatures/keys.ts'
import type { SigningKey } from '../signatures/keys.ts'

/** The key pair of a local actor. */
export interface ActorKey extends SigningKey {
  publicKeyPem: string
}

/** Decrypted keys that one process caches. */
const MAX_CACHED_KEYS = 1_000

const keyCache = new WeakMap<Config, LRUCache<string, Promise<ActorKey>>>()

const find = statement<{
  params: { keyId: string }
  row: { public_key_pem: string; private_key: Buffer }
  notNull: 'private_key'
}>(`select public_key_pem, private_key from actor_keys where key_id = $keyId and private_key is not null`)
const insertOfAccount = statement<{
  params: {
    keyId: string
    ownerUri: string
    accountId: string
    publicKeyPem: string
    encryptedPrivateKey: Buffer
    now: Date
  }
}>(
  `insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, private_key, fetched_at)
   select $keyId, $ownerUri, a.id, $publicKeyPem, $encryptedPrivateKey, $now from accounts a where a.id = $accountId
     and a.domain is null
   on conflict (key_id) do nothing`,
)
const insertOfInstance = statement<{
  params: { keyId: string; ownerUri: string; publicKeyPem: string; encryptedPrivateKey: Buffer; now: Date }
}>(
  `insert into actor_keys (key_id, owner_uri, public_key_pem, private_key, fetched_at) values ($keyId, $ownerUri,
    $publicKeyPem, $encryptedPrivateKey, $now)
   on conflict (key_id) do nothing`,
)

/**
 * Returns the key with which a local account or, for null, the instance actor signs. The key is created when it is
 * first needed, once for all processes.
 * @throws NotFoundError if there is no such local account
 */
export async function ensureActorKey(ctx: Ctx, { accountId }: { accountId: string | null }): Promise<ActorKey> {
  let cache = keyCache.get(ctx.config)
  if (!cache) keyCache.set(ctx.config, (cache = new LRUCache({ max: MAX_CACHED_KEYS })))
  const owner = accountId === null ? instanceActorUri(ctx.config) : actorUri(ctx.config, accountId)
  const cached = cache.get(owner)
  if (cached) return cached
  const key = loadOrCreateKey(ctx, { accountId, owner })
  cache.set(owner, key)
  key.catch(() => cache.delete(owner))
  return key
}

async function loadOrCreateKey(
  ctx: Ctx,
  { accountId, owner }: { accountId: string | null; owner: string },
): Promise<ActorKey> {
  const keyId = keyIdOf(owner)
  const row = (await find(ctx.db, { keyId }))[0] ?? (await createKey(ctx, { accountId, owner, keyId }))
  return { ...decryptPrivateKey(ctx.secrets, { keyId, encrypted: row.private_key }), publicKeyPem: row.public_key_pem }
}

/** Creates a key. If two processes create one at the same time, both use the one that was stored first. */
async function createKey(
  ctx: Ctx,
  { accountId, owner, keyId }: { accountId: string | null; owner: string; keyId: string },
): Promise<{ public_key_pem: string; private_key: Buffer }> {
  const { publicKeyPem, privateKey } = await generateActorKeyPair(ctx.secrets)
  const encryptedPrivateKey = encryptPrivateKey(ctx.secrets, { keyId, privateKey })
  return ctx.write(async (tx) => {
    if (accountId === null)
      await insertOfInstance(tx.db, { keyId, ownerUri: owner, publicKeyPem, encryptedPrivateKey, now: tx.now })
    else
      await insertOfAccount(tx.db, {
        keyId,
        ownerUri: owner,
        accountId,
        publicKeyPem,
        encryptedPrivateKey,
        now: tx.now,
      })
    const [row] = await find(tx.db, { keyId })
    if (!row) throw new NotFoundError()
    return row
  })
}
