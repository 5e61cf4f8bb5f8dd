import { findLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import type { LocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import type { CachedRead, Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Json } from '../../lib/json/json.ts'
import { Cache } from '../../platform/db/cache.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { ACTOR_CONTEXT, withContext } from '../wire/context.ts'

/**
 * By account. The document of an account that moved has the URI of the new account, which never changes; if the new
 * account is deleted, that changes this one. A new key invalidates the account. A change of an emoji invalidates
 * everything.
 */
const cache = new Cache<Json<object>>({
  isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('account', key, since),
})

/** Returns a local account and, if it is cached, its document as an actor. @throws NotFoundError · GoneError */
export async function findActor(
  read: CachedRead,
  { id, now }: { id: string; now: Date },
): Promise<{ account: LocalAccount; document: Json<object> | undefined }> {
  const account = await findLocalAccount(read, { id, now })
  return { account, document: cache.get(read.invalidations, account.id) }
}

/** Returns the document of a local account as an actor, and creates its key if it has none. @throws NotFoundError */
export async function createActorDocument(ctx: Ctx, { accountId }: { accountId: string }): Promise<Json<object>> {
  await ensureActorKey(ctx, { accountId })
  return ctx.read(cacheActorDocument, { accountId })
}

async function cacheActorDocument(read: CachedRead, { accountId }: { accountId: string }): Promise<Json<object>> {
  const { invalidations } = read
  const since = invalidations.epoch
  const actor = await writeActor(read, { accountId })
  if (actor === null) throw new NotFoundError()
  const document = withContext(ACTOR_CONTEXT, actor)
  cache.set(invalidations, accountId, { value: document, since, bytes: 2 * document.length })
  return document
}
