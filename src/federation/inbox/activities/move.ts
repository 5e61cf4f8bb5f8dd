import { receiveMove } from '../../../domain/accounts/migration/move-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { fetchActor, findKnownActor } from '../../remote/actors/resolve-actor.ts'
import { idOf } from '../../wire/read-values.ts'
import { findLocalAccountId, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'

/**
 * Move: a remote account migrated to another account. It counts only if the actor itself sent it and the freshly
 * fetched target lists the actor in `alsoKnownAs`. The Move of an unknown account has no effect.
 */
export async function handleMove(ctx: Ctx, { activity, budget }: IncomingActivity): Promise<void> {
  const { actor, target } = activity
  const uri = target && idOf(target)
  if (sameOriginId(activity, activity.object) !== actor || uri === null || uri === actor) return
  const known = await findKnownActor(ctx, { uri: actor })
  if (!known || known.domain === null || known.suspendedBy !== null) return
  const targetAccountId = (await findLocalAccountId(ctx, uri)) ?? (await fetchActor(ctx, { uri, budget }))
  await ctx.write((tx) => receiveMove(tx, { accountId: known.id, targetAccountId }))
}
