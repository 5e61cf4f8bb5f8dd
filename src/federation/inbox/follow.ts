import type { Ctx, Tx } from '../../domain/context.ts'
import { receiveFollow } from '../../domain/relationships/receive-follow.ts'
import { idOf } from '../wire/read.ts'
import { resolveActor } from '../remote/actor.ts'
import { findLocalId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { applyInteraction } from './order-interactions.ts'

/** Somebody elsewhere wants to follow somebody here. */
export async function handleFollow(ctx: Ctx, { activity, budget, interaction }: Incoming): Promise<void> {
  const targetAccountId = await findLocalId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => receiveFollow(tx, { accountId, targetAccountId, uri })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
