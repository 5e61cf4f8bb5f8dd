import { LRUCache } from 'lru-cache'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/statement.ts'
import { actorUri, instanceActorUri, keyIdOf } from './objects/uris.ts'
import { makeKeyPair, openPrivateKey, sealPrivateKey } from './signatures/keys.ts'
import type { SigningKey } from './signatures/keys.ts'

/** The key of an actor of here, with the half that everybody may see. */
export interface ActorKey extends SigningKey {
  publicKeyPem: string
}

/** Opened keys that one process holds at once. */
const MAX_KEPT = 1_000

const opened = new WeakMap<Config, LRUCache<string, Promise<ActorKey>>>()

const find = statement<{
  params: { keyId: string }
  row: { public_key_pem: string; private_key: Buffer }
  notNull: 'private_key'
}>(`select public_key_pem, private_key from actor_keys where key_id = $keyId and private_key is not null`)
const insertOfAccount = statement<{
  params: { keyId: string; owner: string; accountId: string; publicKeyPem: string; sealed: Buffer; now: Date }
}>(
  `insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, private_key, fetched_at)
   select $keyId, $owner, a.id, $publicKeyPem, $sealed, $now from accounts a where a.id = $accountId
     and a.domain is null
   on conflict (key_id) do nothing`,
)
const insertOfInstance = statement<{
  params: { keyId: string; owner: string; publicKeyPem: string; sealed: Buffer; now: Date }
}>(
  `insert into actor_keys (key_id, owner_uri, public_key_pem, private_key, fetched_at) values ($keyId, $owner,
    $publicKeyPem, $sealed, $now)
   on conflict (key_id) do nothing`,
)

/**
 * The key with which an account of here signs, or, for null, the server itself. It is made when it is first needed, once
 * for all processes.
 * @throws NotFound when there is no such account here
 */
export async function ensureActorKey(ctx: Ctx, { accountId }: { accountId: string | null }): Promise<ActorKey> {
  let kept = opened.get(ctx.config)
  if (!kept) opened.set(ctx.config, (kept = new LRUCache({ max: MAX_KEPT })))
  const owner = accountId === null ? instanceActorUri(ctx.config) : actorUri(ctx.config, accountId)
  const known = kept.get(owner)
  if (known) return known
  const key = open(ctx, { accountId, owner })
  kept.set(owner, key)
  key.catch(() => kept.delete(owner))
  return key
}

async function open(ctx: Ctx, { accountId, owner }: { accountId: string | null; owner: string }): Promise<ActorKey> {
  const keyId = keyIdOf(owner)
  const row = (await find(ctx.db, { keyId }))[0] ?? (await make(ctx, { accountId, owner, keyId }))
  return { ...openPrivateKey(ctx.secrets, { keyId, sealed: row.private_key }), publicKeyPem: row.public_key_pem }
}

/** Of two that make one at the same time, both take the one that is stored. */
async function make(
  ctx: Ctx,
  { accountId, owner, keyId }: { accountId: string | null; owner: string; keyId: string },
): Promise<{ public_key_pem: string; private_key: Buffer }> {
  const { publicKeyPem, privateKey } = await makeKeyPair()
  const sealed = sealPrivateKey(ctx.secrets, { keyId, privateKey })
  return ctx.write(async (tx) => {
    if (accountId === null) await insertOfInstance(tx.db, { keyId, owner, publicKeyPem, sealed, now: tx.now })
    else await insertOfAccount(tx.db, { keyId, owner, accountId, publicKeyPem, sealed, now: tx.now })
    const [row] = await find(tx.db, { keyId })
    if (!row) throw new NotFound()
    return row
  })
}
