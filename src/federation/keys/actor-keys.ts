import type { CachedRead, Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { actorUri, instanceActorUri, keyIdOf } from '../objects/uris.ts'
import { decryptPrivateKey, encryptPrivateKey, generateActorKeyPair } from '../signatures/keys.ts'
import type { SigningKey } from '../signatures/keys.ts'

/** The key pair of a local actor. */
export interface ActorKey extends SigningKey {
  publicKeyPem: string
}

const KEY_BYTES = 4_096

/** By account. A new key invalidates the account. */
const keyCache = new Cache<ActorKey>({
  isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('account', key, since),
})

/** The key of the instance actor, which never changes. */
const instanceKeys = new WeakMap<Config, Promise<ActorKey>>()

/** The keys that this process is creating, by account. */
const createdKeys = new WeakMap<Config, Map<string, Promise<ActorKey>>>()

interface KeyRow {
  public_key_pem: string
  /** Encrypted. */
  private_key: Buffer
}

const find = statement<{ params: { keyId: string }; row: KeyRow; notNull: 'private_key' }>(
  `select public_key_pem, private_key from actor_keys where key_id = $keyId and private_key is not null`,
)
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
  if (accountId === null) return ensureInstanceKey(ctx)
  const key = await ctx.read(findAccountKey, { accountId, secrets: ctx.secrets })
  if (key) return key
  let creating = createdKeys.get(ctx.config)
  if (!creating) createdKeys.set(ctx.config, (creating = new Map()))
  let created = creating.get(accountId)
  if (!created) {
    created = loadOrCreateKey(ctx, { accountId, owner: actorUri(ctx.config, accountId) })
    creating.set(accountId, created)
    const remove = () => void creating.delete(accountId)
    created.then(remove, remove)
  }
  return created
}

/** Decrypts a key that an account had before its present one. */
export function decryptFormerKey(
  { config, secrets }: Pick<Ctx, 'config' | 'secrets'>,
  { accountId, encrypted }: { accountId: string; encrypted: Buffer },
): SigningKey {
  return decryptPrivateKey(secrets, { keyId: keyIdOf(actorUri(config, accountId)), encrypted })
}

async function findAccountKey(
  { db, config, invalidations }: CachedRead,
  { accountId, secrets }: { accountId: string; secrets: Secrets },
): Promise<ActorKey | null> {
  const cached = keyCache.get(invalidations, accountId)
  if (cached) return cached
  const since = invalidations.epoch
  const keyId = keyIdOf(actorUri(config, accountId))
  const [row] = await find(db, { keyId })
  if (!row) return null
  const key = decryptKey(secrets, { keyId, row })
  keyCache.set(invalidations, accountId, { value: key, since, bytes: KEY_BYTES })
  return key
}

async function ensureInstanceKey(ctx: Ctx): Promise<ActorKey> {
  const cached = instanceKeys.get(ctx.config)
  if (cached) return cached
  const key = loadOrCreateKey(ctx, { accountId: null, owner: instanceActorUri(ctx.config) })
  instanceKeys.set(ctx.config, key)
  key.catch(() => instanceKeys.delete(ctx.config))
  return key
}

async function loadOrCreateKey(
  ctx: Ctx,
  { accountId, owner }: { accountId: string | null; owner: string },
): Promise<ActorKey> {
  const keyId = keyIdOf(owner)
  const row = (await find(ctx.db, { keyId }))[0] ?? (await createKey(ctx, { accountId, owner, keyId }))
  return decryptKey(ctx.secrets, { keyId, row })
}

function decryptKey(secrets: Secrets, { keyId, row }: { keyId: string; row: KeyRow }): ActorKey {
  return { ...decryptPrivateKey(secrets, { keyId, encrypted: row.private_key }), publicKeyPem: row.public_key_pem }
}

/** Creates a key. If two processes create one at the same time, both use the one that was stored first. */
async function createKey(
  ctx: Ctx,
  { accountId, owner, keyId }: { accountId: string | null; owner: string; keyId: string },
): Promise<KeyRow> {
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
