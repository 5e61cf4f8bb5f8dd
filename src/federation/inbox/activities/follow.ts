import type { Ctx, Tx } from '../../../domain/context.ts'
import { recordRemoteFollow } from '../../../domain/relationships/follows/record-remote-follow.ts'
import { idOf } from '../../wire/read-values.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { findLocalAccountId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { applyInteraction } from '../ordering/order-interactions.ts'

/** Follow: a remote account requests to follow a local account. */
export async function handleFollow(ctx: Ctx, { activity, budget, interaction }: IncomingActivity): Promise<void> {
  const targetAccountId = await findLocalAccountId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => recordRemoteFollow(tx, { accountId, targetAccountId, uri })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
