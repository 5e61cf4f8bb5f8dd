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
    await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: known.id }))
  } else if ((await findKnownStatus(ctx, uri)) === null) {
    await ctx.write(async (tx) => {
      await lockUris(tx, { uris: [uri] })
      await recordTombstone(tx, { uri, ownerUri: actor })
    })
  }
}
