import type { Ctx, Tx } from '../../../domain/context.ts'
import { favouriteStatus } from '../../../domain/statuses/interactions/favourite-status.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { idOf } from '../../wire/read-values.ts'
import { findLocalStatus } from '../../remote/statuses/find-known-status.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { applyInteraction } from '../ordering/order-interactions.ts'

/**
 * Like: a remote account favourites a local status. An emoji reaction, which some servers send as a Like, counts, too.
 */
export async function handleLike(ctx: Ctx, { activity, budget, interaction }: IncomingActivity): Promise<void> {
  const statusId = await findLocalStatus(ctx, activity.object && idOf(activity.object))
  if (statusId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => favouriteStatus(tx, { accountId, statusId, uri: uri ?? undefined })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
