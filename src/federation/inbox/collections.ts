import { acceptFeatureRequest, rejectFeatureRequest } from '../../domain/collections/answer-request.ts'
import { takeBackApproval } from '../../domain/collections/end-item.ts'
import { mayFeature, receiveFeatureRequest } from '../../domain/collections/receive-request.ts'
import {
  hideRemoteCollection,
  removeRemoteCollection,
  removeRemoteItem,
} from '../../domain/collections/remove-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { isFeaturedCollection, isFeaturedItem, readFeaturedItem } from '../objects/read-collection.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { findKnownActor, resolveActor } from '../remote/actor.ts'
import { findKnownCollection, recordCollection, recordItem } from '../remote/collection.ts'
import { fetchDocument } from '../remote/document.ts'
import { isForeseen, isPassing, RemoteGone } from '../remote/refusals.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf } from '../wire/read.ts'
import { embedded, findLocalId, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

const isFollowed = statement<{ params: { knownId: string } }>(
  `select from follows f join accounts a on a.id = f.account_id where f.target_account_id = $knownId
    and a.domain is null limit 1`,
)
const hasOurs = statement<{ params: { collectionId: string } }>(
  `select from collection_items i join accounts t on t.id = i.account_id
   where i.collection_id = $collectionId and t.domain is null limit 1`,
)

const isOfCollections = statement<{ params: { uri: string; accountId: string } }>(
  `select from collections where uri = $uri and account_id = $accountId
   union all select from collection_items where account_id = $accountId and approval_uri = $uri limit 1`,
)

/** Somebody elsewhere wants to put somebody here into a collection of theirs. */
export async function handleFeatureRequest(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity, budget } = incoming
  const { id: uri, actor, object, instrument } = activity
  const targetAccountId = await findLocalId(ctx, object === null ? null : idOf(object))
  const collectionUri = ownId(activity, instrument)
  if (uri === null || targetAccountId === null || collectionUri === null) return
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  const pair = { accountId, targetAccountId }
  const collectionId = (await mayFeature(ctx, pair))
    ? await findRequested(ctx, { incoming, collectionUri, accountId })
    : null
  await ctx.write((tx) => receiveFeatureRequest(tx, { ...pair, collectionId, collectionUri, uri }))
}

/** The collection that somebody is asked to be in; null where there is none to be had, for now or for ever. */
async function findRequested(
  ctx: Ctx,
  { incoming, collectionUri, accountId }: { incoming: Incoming; collectionUri: string; accountId: string },
): Promise<string | null> {
  const { activity, budget } = incoming
  const known = await findKnownCollection(ctx, { uri: collectionUri, accountId })
  if (known !== null) return known
  const owner = { accountId, actor: activity.actor }
  const whole = embedded(activity.instrument)
  const find = async () => {
    const document =
      whole && isFeaturedCollection(whole) ? whole : await fetchDocument(ctx, { uri: collectionUri, budget })
    return recordCollection(ctx, { document, owner, budget })
  }
  return find().catch((err: unknown) => {
    if (!isForeseen(err) || isPassing(err)) throw err
    return null
  })
}

/** Somebody elsewhere agrees to be in a collection of somebody here. */
export async function acceptFeature(ctx: Ctx, { activity }: Incoming): Promise<void> {
  const answer = await findAnswer(ctx, activity)
  const approvalUri = ownId(activity, activity.result)
  if (answer && approvalUri !== null) await ctx.write((tx) => acceptFeatureRequest(tx, { ...answer, approvalUri }))
}

/** They do not, or no longer. */
export async function rejectFeature(ctx: Ctx, { activity }: Incoming): Promise<void> {
  const answer = await findAnswer(ctx, activity)
  if (answer) await ctx.write((tx) => rejectFeatureRequest(tx, answer))
}

async function findAnswer(
  ctx: Ctx,
  { actor, object }: ActivityFacts,
): Promise<{ uri: string; accountId: string } | null> {
  const uri = object === null ? null : idOf(object)
  const known = await findKnownActor(ctx, { uri: actor })
  return uri === null || !known || known.domain === null ? null : { uri, accountId: known.id }
}

/** Somebody elsewhere has a new collection, or somebody new in one. */
export async function addToCollections(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity, budget } = incoming
  const found = await findWhole(ctx, incoming)
  if (!found) return
  const { document, owner } = found
  if (isFeaturedCollection(document)) {
    await recordCollection(ctx, { document, owner, budget })
    return
  }
  const uri = ownId(activity, activity.target)
  if (uri === null || !isFeaturedItem(document)) return
  const id = await findKnownCollection(ctx, { uri, accountId: owner.accountId })
  if (id === null) {
    await recordCollection(ctx, { document: await fetchDocument(ctx, { uri, budget }), owner, budget })
    return
  }
  const item = readFeaturedItem(document, { collectionUri: uri, now: ctx.now() })
  if (item) await recordItem(ctx, { collection: { id, uri }, item, budget })
}

/** Somebody elsewhere says something else of a collection of theirs. False when it is about something else. */
export async function updateCollections(ctx: Ctx, incoming: Incoming): Promise<boolean> {
  const { object } = incoming.activity
  const whole = embedded(object)
  if (!whole || !isFeaturedCollection(whole)) return false
  const found = await findWhole(ctx, incoming)
  if (found) await recordCollection(ctx, { ...found, budget: incoming.budget })
  return true
}

/**
 * What an activity is about, from its own server, if it concerns anybody here: the owner is followed, or the collection
 * is known.
 */
async function findWhole(
  ctx: Ctx,
  { activity, budget }: Incoming,
): Promise<{ document: WireObject; owner: { accountId: string; actor: string } } | null> {
  const uri = ownId(activity, activity.object)
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (uri === null || !known || known.domain === null || known.suspendedBy !== null) return null
  const named = [uri, ownId(activity, activity.target)].filter((one) => one !== null)
  const collections = await Promise.all(named.map((one) => findKnownCollection(ctx, { uri: one, accountId: known.id })))
  const concerns =
    collections.some((one) => one !== null) || (await isFollowed(ctx.db, { knownId: known.id })).length > 0
  if (!concerns) return null
  const document = embedded(activity.object) ?? (await fetchDocument(ctx, { uri, budget }))
  return { document, owner: { accountId: known.id, actor: activity.actor } }
}

/** Somebody elsewhere takes a collection away, or somebody out of one. */
export async function removeFromCollections(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const uri = ownId(activity, activity.object)
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (uri === null || !known || known.domain === null) return
  const accountId = known.id
  if (await ctx.write((tx) => removeRemoteItem(tx, { uri, accountId }))) return
  const collectionId = await findKnownCollection(ctx, { uri, accountId })
  if (collectionId === null) return
  // Whoever is in it is to know whether it is gone, or only not shown to everybody any more.
  const isGone =
    (await hasOurs(ctx.db, { collectionId })).length > 0 &&
    (await fetchDocument(ctx, { uri, budget }).then(
      () => false,
      (err: unknown) => {
        if (err instanceof RemoteGone) return true
        throw err
      },
    ))
  await ctx.write(async (tx) => {
    if (isGone) await removeRemoteCollection(tx, { uri, accountId })
    else await hideRemoteCollection(tx, { uri, accountId })
  })
}

/** Somebody elsewhere deletes a collection, or their consent to be in one. False when it is neither. */
export async function deleteFromCollections(
  ctx: Ctx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  if ((await isOfCollections(ctx.db, { uri, accountId })).length === 0) return false
  return ctx.write(
    async (tx) =>
      (await takeBackApproval(tx, { uri, accountId })) || (await removeRemoteCollection(tx, { uri, accountId })),
  )
}
