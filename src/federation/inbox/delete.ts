import { removeRemoteAccount } from '../../domain/accounts/remove-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { lockUris } from '../../domain/lock-uris.ts'
import { removeRemoteStatus } from '../../domain/statuses/remove-remote.ts'
import { bury } from '../../domain/tombstones.ts'
import { findKnownActor } from '../remote/actor.ts'
import { findKnownStatus } from '../remote/known-status.ts'
import { deleteFromCollections } from './collections.ts'
import { ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { deleteConsent } from './quotes.ts'

/**
 * Somebody elsewhere deleted something of theirs, or themselves. What is not known here may still be on its way, so it
 * is remembered.
 */
export async function handleDelete(ctx: Ctx, { activity }: Incoming): Promise<void> {
  const { actor } = activity
  const uri = ownId(activity, activity.object)
  if (uri === null) return
  if (uri === actor) {
    await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
    return
  }
  const known = await findKnownActor(ctx, { uri: actor })
  if (known) {
    if (await deleteFromCollections(ctx, { uri, accountId: known.id })) return
    if (await deleteConsent(ctx, { uri, accountId: known.id })) return
    await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: known.id }))
  } else if ((await findKnownStatus(ctx, uri)) === null) {
    await ctx.write(async (tx) => {
      await lockUris(tx, { uris: [uri] })
      await bury(tx, { uri, ownerUri: actor })
    })
  }
}
