import type { Ctx, Tx } from '../../domain/context.ts'
import { blockAccount } from '../../domain/relationships/block.ts'
import { resolveActor } from '../remote/actor.ts'
import { idOf } from '../wire/read.ts'
import { findLocalId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { applyInteraction } from './order-interactions.ts'

/** Somebody elsewhere blocks somebody here. */
export async function handleBlock(ctx: Ctx, { activity, budget, interaction }: Incoming): Promise<void> {
  const targetAccountId = await findLocalId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => blockAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
