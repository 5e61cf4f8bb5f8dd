import type { Ctx, Tx } from '../../../domain/context.ts'
import { recordRemoteFollow, rejectInstanceFollow } from '../../../domain/relationships/follows/record-remote-follow.ts'
import { instanceActorUri } from '../../objects/uris.ts'
import { idOf } from '../../wire/read-values.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { findLocalAccountId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { applyInteraction } from '../ordering/order-interactions.ts'

/** Follow: a remote account requests to follow a local account, or the instance actor, which rejects it. */
export async function handleFollow(ctx: Ctx, { activity, budget, interaction }: IncomingActivity): Promise<void> {
  const target = activity.object && idOf(activity.object)
  const targetAccountId = await findLocalAccountId(ctx, target)
  if (targetAccountId === null && target !== instanceActorUri(ctx.config)) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = async (tx: Tx) => {
    if (targetAccountId === null) await rejectInstanceFollow(tx, { accountId, uri })
    else await recordRemoteFollow(tx, { accountId, targetAccountId, uri })
  }
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
