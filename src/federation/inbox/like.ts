import type { Ctx, Tx } from '../../domain/context.ts'
import { favouriteStatus } from '../../domain/statuses/favourite.ts'
import { resolveActor } from '../remote/actor.ts'
import { idOf } from '../wire/read.ts'
import { findLocalStatus } from '../remote/known-status.ts'
import type { Incoming } from './incoming.ts'
import { applyInteraction } from './order-interactions.ts'

/** Somebody elsewhere likes a status of here. A reaction by some emoji, which comes in the same way, is a favourite too. */
export async function handleLike(ctx: Ctx, { activity, budget, interaction }: Incoming): Promise<void> {
  const statusId = await findLocalStatus(ctx, activity.object && idOf(activity.object))
  if (statusId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => favouriteStatus(tx, { accountId, statusId, uri: uri ?? undefined })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
