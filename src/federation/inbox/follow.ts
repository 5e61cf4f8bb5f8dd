import type { Ctx } from '../../domain/context.ts'
import { receiveFollow } from '../../domain/relationships/receive-follow.ts'
import { idOf } from '../wire/read.ts'
import { resolveActor } from '../remote/actor.ts'
import { findLocalId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

/** Somebody elsewhere wants to follow somebody here. */
export async function handleFollow(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const targetAccountId = await findLocalId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  await ctx.write((tx) => receiveFollow(tx, { accountId, targetAccountId, uri: activity.id }))
}
