import type { Ctx } from '../../domain/context.ts'
import { addRemotePin, removeRemotePin } from '../../domain/statuses/record-pins.ts'
import { statement } from '../../platform/db/statement.ts'
import { findKnownStatus } from '../remote/known-status.ts'
import { resolveStatus } from '../remote/status.ts'
import { idOf } from '../wire/read.ts'
import { addToCollections, removeFromCollections } from './collections.ts'
import { ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

// Whose list it is, if it is the actor's own.
const findOwner = statement<{ params: { actor: string; target: string }; row: { id: string } }>(
  `select id from accounts where uri = $actor and featured_url = $target and domain is not null
    and suspended_at is null`,
)

/**
 * Somebody elsewhere puts a status of theirs on top of their profile, or somebody into a collection. Lists of others, and
 * other lists, mean nothing.
 */
export async function handleAdd(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity, budget } = incoming
  const accountId = await findOwnerOf(ctx, incoming)
  const uri = ownId(activity, activity.object)
  if (accountId === null) return addToCollections(ctx, incoming)
  if (uri === null) return
  const statusId = await resolveStatus(ctx, { uri, budget })
  await ctx.write((tx) => addRemotePin(tx, { accountId, statusId }))
}

/** Somebody elsewhere takes one down, or out. */
export async function handleRemove(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity } = incoming
  const accountId = await findOwnerOf(ctx, incoming)
  if (accountId === null) return removeFromCollections(ctx, incoming)
  const statusId = await findKnownStatus(ctx, ownId(activity, activity.object))
  if (statusId === null) return
  await ctx.write((tx) => removeRemotePin(tx, { accountId, statusId }))
}

async function findOwnerOf(ctx: Ctx, { activity }: Incoming): Promise<string | null> {
  const target = activity.target === null ? null : idOf(activity.target)
  const [owner] = target === null ? [] : await findOwner(ctx.db, { actor: activity.actor, target })
  return owner?.id ?? null
}
