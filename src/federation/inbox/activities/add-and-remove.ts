import type { Ctx } from '../../../domain/context.ts'
import { addRemotePin, removeRemotePin } from '../../../domain/statuses/remote/record-remote-pins.ts'
import { addRemoteFeaturedTags, removeRemoteFeaturedTag } from '../../../domain/tags/record-remote-featured-tags.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readIfHashtag } from '../../objects/read/read-tags.ts'
import type { ParsedHashtag } from '../../objects/read/read-tags.ts'
import { findKnownStatus } from '../../remote/statuses/find-known-status.ts'
import { resolveStatus } from '../../remote/statuses/resolve-status.ts'
import { idOf } from '../../wire/read-values.ts'
import { addToCollections, removeFromCollections } from '../collections/collection-activities.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { handleContainedActivity } from './contained-activity.ts'

// The owner of a collection of pinned statuses, if that is the actor.
const selectFeaturedOwner = statement<{ params: { actor: string; target: string }; row: { id: string } }>(
  `select id from accounts where uri = $actor and featured_url = $target and domain is not null
    and suspended_at is null`,
)

/** The types of whole activities that the author of a post adds to the collection of its thread (FEP-171b). */
const THREAD_TYPES = ['Create', 'Update', 'Delete'] as const

/**
 * Add: a remote account pins a status, features a hashtag, adds an account to a featured collection, or a reply, its
 * edit or its deletion to a thread. Other targets, and collections of other actors, are ignored.
 */
export async function handleAdd(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, budget } = incoming
  const accountId = await findFeaturedOwner(ctx, incoming)
  const uri = sameOriginId(activity, activity.object)
  if (accountId === null) {
    if (await handleContainedActivity(ctx, incoming, { types: THREAD_TYPES })) return
    return addToCollections(ctx, incoming)
  }
  const tag = readTag(incoming)
  if (tag !== null) await ctx.write((tx) => addRemoteFeaturedTags(tx, { accountId, tags: [tag] }))
  if (tag !== null || uri === null) return
  const statusId = await resolveStatus(ctx, { uri, budget })
  await ctx.write((tx) => addRemotePin(tx, { accountId, statusId }))
}

/**
 * Remove: a remote account unpins a status, stops featuring a hashtag, or removes an account from a featured collection
 * or the collection itself.
 */
export async function handleRemove(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity } = incoming
  const accountId = await findFeaturedOwner(ctx, incoming)
  if (accountId === null) return removeFromCollections(ctx, incoming)
  const tag = readTag(incoming)
  if (tag !== null) return ctx.write((tx) => removeRemoteFeaturedTag(tx, { accountId, name: tag.name }))
  const statusId = await findKnownStatus(ctx, sameOriginId(activity, activity.object))
  if (statusId === null) return
  await ctx.write((tx) => removeRemotePin(tx, { accountId, statusId }))
}

/** Returns the hashtag that an activity features: its target is the collection of pinned statuses, too. */
function readTag({ activity: { object } }: IncomingActivity): ParsedHashtag | null {
  const embedded = embeddedObject(object)
  return embedded && readIfHashtag(embedded)
}

async function findFeaturedOwner(ctx: Ctx, { activity }: IncomingActivity): Promise<string | null> {
  const target = activity.target === null ? null : idOf(activity.target)
  const [owner] = target === null ? [] : await selectFeaturedOwner(ctx.db, { actor: activity.actor, target })
  return owner?.id ?? null
}
