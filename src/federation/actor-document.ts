import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import type { Json } from '../lib/json.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { Kept } from '../platform/db/kept.ts'
import { ensureActorKey } from './keys.ts'
import { writeActor } from './objects/write-actor.ts'
import { ACTOR_CONTEXT, withContext } from './wire/context.ts'

/** How much memory the documents of actors may take in one process. */
const KEPT_BYTES = 16 * 1024 * 1024

/**
 * By accounts. Whoever moved shows the address of another account, which never changes; if that account goes, so does
 * the mention of it, which is a change of this one. Keys are made once. When an emoji changes, everything is asked anew.
 */
const kept = new Kept<Json<object>>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { key, since }) => changes.hasChanged('account', key, since),
})

/**
 * An account of here as an actor, as others ask for it. `asOf`: when the request looked for changes.
 * @throws NotFound when there is none
 */
export async function findActorDocument(
  ctx: Ctx,
  { accountId, asOf }: { accountId: string; asOf: Moment },
): Promise<Json<object>> {
  const changes = await lookForChanges(ctx.db, { asOf })
  const known = kept.get(changes, accountId)
  if (known !== undefined) return known
  const since = changes.moment
  const { publicKeyPem } = await ensureActorKey(ctx, { accountId })
  const actor = await writeActor(ctx, { accountId, publicKeyPem })
  if (actor === null) throw new NotFound()
  const document = withContext(ACTOR_CONTEXT, actor)
  kept.set(changes, accountId, { value: document, since, bytes: 2 * document.length })
  return document
}
