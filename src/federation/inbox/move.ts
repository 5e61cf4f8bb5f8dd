import { receiveMove } from '../../domain/accounts/move.ts'
import type { Ctx } from '../../domain/context.ts'
import { fetchActor, findKnownActor } from '../remote/actor.ts'
import { idOf } from '../wire/read.ts'
import { findLocalId, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

/**
 * Somebody elsewhere has moved to another account. Only they can say so, and only if that account says at this moment
 * that it is theirs. Of people who were never heard of here nothing can follow from it.
 */
export async function handleMove(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const { actor, target } = activity
  const uri = target && idOf(target)
  if (ownId(activity, activity.object) !== actor || uri === null || uri === actor) return
  const known = await findKnownActor(ctx, { uri: actor })
  if (!known || known.domain === null || known.suspendedBy !== null) return
  const targetAccountId = (await findLocalId(ctx, uri)) ?? (await fetchActor(ctx, { uri, budget }))
  await ctx.write((tx) => receiveMove(tx, { accountId: known.id, targetAccountId }))
}
