import type { Ctx } from '../../domain/context.ts'
import { blockAccount } from '../../domain/relationships/block.ts'
import { resolveActor } from '../remote/actor.ts'
import { idOf } from '../wire/read.ts'
import { findLocalId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

/** Somebody elsewhere blocks somebody here. */
export async function handleBlock(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const targetAccountId = await findLocalId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  await ctx.write((tx) => blockAccount(tx, { accountId, targetAccountId, uri: activity.id ?? undefined }))
}
