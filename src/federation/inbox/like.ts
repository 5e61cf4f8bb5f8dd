import type { Ctx } from '../../domain/context.ts'
import { favouriteStatus } from '../../domain/statuses/favourite.ts'
import { resolveActor } from '../remote/actor.ts'
import { idOf } from '../wire/read.ts'
import { findLocalStatus } from '../remote/known-status.ts'
import type { Incoming } from './incoming.ts'

/** Somebody elsewhere likes a status of here. A reaction by some emoji, which comes in the same way, is a favourite too. */
export async function handleLike(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const statusId = await findLocalStatus(ctx, activity.object && idOf(activity.object))
  if (statusId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  await ctx.write((tx) => favouriteStatus(tx, { accountId, statusId, uri: activity.id ?? undefined }))
}
