import { removeRemoteAccount } from '../../../domain/accounts/remote/remove-remote-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { lockUris } from '../../../domain/core/lock-uris.ts'
import { removeRemoteStatus } from '../../../domain/statuses/remote/remove-remote-status.ts'
import { recordTombstone } from '../../../domain/core/tombstones.ts'
import { findKnownActor } from '../../remote/actors/resolve-actor.ts'
import { findKnownStatus } from '../../remote/statuses/find-known-status.ts'
import { deleteFromCollections } from '../collections/collection-activities.ts'
import { sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { deleteQuoteApproval } from '../quotes/quote-activities.ts'

/**
 * Delete: a remote account deleted one of its objects, or itself. If the object is unknown, its Create may arrive
 * later, so a tombstone is recorded.
 */
export async function handleDelete(ctx: Ctx, { activity }: IncomingActivity): Promise<void> {
  const { actor } = activity
  const uri = sameOriginId(activity, activity.object)
  if (uri === null) return
  if (uri === actor) {
    await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
    return
  }
  const known = await findKnownActor(ctx, { uri: actor })
  if (known) {
    if (await deleteFromCollections(ctx, { uri, accountId: known.id })) return
    if (await deleteQuoteApproval(ctx, { uri, accountId: known.id })) return
  }
  await ctx.write(async (tx) => {
    await lockUris(tx, { uris: [uri] })
    // Another job may have recorded the actor and the object meanwhile.
    const owner = await findKnownActor(tx, { uri: actor })
    if (owner) await removeRemoteStatus(tx, { uri, accountId: owner.id })
    else if ((await findKnownStatus(tx, uri)) === null) await recordTombstone(tx, { uri, ownerUri: actor })
  })
}
