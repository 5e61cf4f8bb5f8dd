import {
  acceptFeatureRequest,
  rejectFeatureRequest,
} from '../../../domain/collections/remote/answer-feature-request.ts'
import { recordApprovalRevocation } from '../../../domain/collections/remove-items.ts'
import { canFeature, receiveFeatureRequest } from '../../../domain/collections/remote/receive-feature-request.ts'
import {
  hideRemoteCollection,
  removeRemoteCollection,
  removeRemoteCollectionItem,
} from '../../../domain/collections/remote/remove-remote-collection.ts'
import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { isFeaturedCollection, isFeaturedItem, readFeaturedItem } from '../../objects/read/read-collection.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { findKnownActor, resolveActor } from '../../remote/actors/resolve-actor.ts'
import { findKnownCollection, recordCollection, recordItem } from '../../remote/statuses/record-collection.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { isExpectedFailure, isTemporary, RemoteGoneError } from '../../remote/fetch/remote-errors.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf } from '../../wire/read-values.ts'
import { embeddedObject, findLocalAccountId, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'

const isFollowed = statement<{ params: { knownId: string } }>(
  `select from follows f join accounts a on a.id = f.account_id where f.target_account_id = $knownId
    and a.domain is null limit 1`,
)
const hasLocalItems = statement<{ params: { collectionId: string } }>(
  `select from collection_items i join accounts t on t.id = i.account_id
   where i.collection_id = $collectionId and t.domain is null limit 1`,
)

const isCollectionOrApproval = statement<{ params: { uri: string; accountId: string } }>(
  `select from collections where uri = $uri and account_id = $accountId
   union all select from collection_items where account_id = $accountId and approval_uri = $uri limit 1`,
)

/** FeatureRequest (FEP-7aa9): a remote account requests to add a local account to a featured collection. */
export async function handleFeatureRequest(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, budget } = incoming
  const { id: uri, actor, object, instrument } = activity
  const targetAccountId = await findLocalAccountId(ctx, object === null ? null : idOf(object))
  const collectionUri = sameOriginId(activity, instrument)
  if (uri === null || targetAccountId === null || collectionUri === null) return
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  const pair = { accountId, targetAccountId }
  const collectionId = (await canFeature(ctx, pair))
    ? await findRequestedCollection(ctx, { incoming, collectionUri, accountId })
    : null
  await ctx.write((tx) => receiveFeatureRequest(tx, { ...pair, collectionId, collectionUri, uri }))
}

/** Returns the collection of a feature request; null if it is unavailable. @throws temporary failures */
async function findRequestedCollection(
  ctx: Ctx,
  { incoming, collectionUri, accountId }: { incoming: IncomingActivity; collectionUri: string; accountId: string },
): Promise<string | null> {
  const { activity, budget } = incoming
  const known = await findKnownCollection(ctx, { uri: collectionUri, accountId })
  if (known !== null) return known
  const owner = { accountId, actor: activity.actor }
  const embeddedCollection = embeddedObject(activity.instrument)
  const find = async () => {
    const document =
      embeddedCollection && isFeaturedCollection(embeddedCollection)
        ? embeddedCollection
        : await fetchDocument(ctx, { uri: collectionUri, budget })
    return recordCollection(ctx, { document, owner, budget })
  }
  return find().catch((err: unknown) => {
    if (!isExpectedFailure(err) || isTemporary(err)) throw err
    return null
  })
}

/** Accept: a remote account approves to be in a local account's collection. */
export async function acceptFeatureRequestByActivity(ctx: Ctx, { activity }: IncomingActivity): Promise<void> {
  const request = await findAnsweredRequest(ctx, activity)
  const approvalUri = sameOriginId(activity, activity.result)
  if (request && approvalUri !== null) await ctx.write((tx) => acceptFeatureRequest(tx, { ...request, approvalUri }))
}

/** Reject: a remote account rejects a feature request, or revokes its approval. */
export async function rejectFeatureRequestByActivity(ctx: Ctx, { activity }: IncomingActivity): Promise<void> {
  const request = await findAnsweredRequest(ctx, activity)
  if (request) await ctx.write((tx) => rejectFeatureRequest(tx, request))
}

async function findAnsweredRequest(
  ctx: Ctx,
  { actor, object }: ParsedActivity,
): Promise<{ uri: string; accountId: string } | null> {
  const uri = object === null ? null : idOf(object)
  const known = await findKnownActor(ctx, { uri: actor })
  return uri === null || !known || known.domain === null ? null : { uri, accountId: known.id }
}

/** Add: a remote account created a featured collection, or added an item to one. */
export async function addToCollections(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, budget } = incoming
  const relevant = await findRelevantDocument(ctx, incoming)
  if (!relevant) return
  const { document, owner } = relevant
  if (isFeaturedCollection(document)) {
    await recordCollection(ctx, { document, owner, budget })
    return
  }
  const uri = sameOriginId(activity, activity.target)
  if (uri === null || !isFeaturedItem(document)) return
  const id = await findKnownCollection(ctx, { uri, accountId: owner.accountId })
  if (id === null) {
    await recordCollection(ctx, { document: await fetchDocument(ctx, { uri, budget }), owner, budget })
    return
  }
  // Loops embeds only the id and the type of the item.
  const item = readFeaturedItem(document, { collectionUri: uri, now: ctx.now() }) ?? idOf(document)
  if (item !== null) await recordItem(ctx, { collection: { id, uri }, item, budget })
}

/** Update: a remote account edited a featured collection. Returns false if the object is not a collection. */
export async function updateCollections(ctx: Ctx, incoming: IncomingActivity): Promise<boolean> {
  const { object } = incoming.activity
  const document = embeddedObject(object)
  if (!document || !isFeaturedCollection(document)) return false
  const relevant = await findRelevantDocument(ctx, incoming)
  if (relevant) await recordCollection(ctx, { ...relevant, budget: incoming.budget })
  return true
}

/**
 * Returns the object of an activity from its own server, if it is relevant: a local account follows the owner, or the
 * collection is stored. Else null.
 */
async function findRelevantDocument(
  ctx: Ctx,
  { activity, budget }: IncomingActivity,
): Promise<{ document: WireObject; owner: { accountId: string; actor: string } } | null> {
  const uri = sameOriginId(activity, activity.object)
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (uri === null || !known || known.domain === null || known.suspendedBy !== null) return null
  const uris = [uri, sameOriginId(activity, activity.target)].filter((one) => one !== null)
  const collections = await Promise.all(uris.map((one) => findKnownCollection(ctx, { uri: one, accountId: known.id })))
  const isRelevant =
    collections.some((one) => one !== null) || (await isFollowed(ctx.db, { knownId: known.id })).length > 0
  if (!isRelevant) return null
  const document = embeddedObject(activity.object) ?? (await fetchDocument(ctx, { uri, budget }))
  return { document, owner: { accountId: known.id, actor: activity.actor } }
}

/** Remove: a remote account removes a featured collection from its profile, or an item from a collection. */
export async function removeFromCollections(ctx: Ctx, { activity, budget }: IncomingActivity): Promise<void> {
  const uri = sameOriginId(activity, activity.object)
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (uri === null || !known || known.domain === null) return
  const accountId = known.id
  if (await ctx.write((tx) => removeRemoteCollectionItem(tx, { uri, accountId }))) return
  const collectionId = await findKnownCollection(ctx, { uri, accountId })
  if (collectionId === null) return
  // For local accounts in it, the collection must remain visible unless it is deleted rather than just not
  // discoverable.
  const isGone =
    (await hasLocalItems(ctx.db, { collectionId })).length > 0 &&
    (await fetchDocument(ctx, { uri, budget }).then(
      () => false,
      (err: unknown) => {
        if (err instanceof RemoteGoneError) return true
        throw err
      },
    ))
  await ctx.write(async (tx) => {
    if (isGone) await removeRemoteCollection(tx, { uri, accountId })
    else await hideRemoteCollection(tx, { uri, accountId })
  })
}

/** Delete: a remote account deletes a collection or a feature authorization. Returns false if the object is neither. */
export async function deleteFromCollections(
  ctx: Ctx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  if ((await isCollectionOrApproval(ctx.db, { uri, accountId })).length === 0) return false
  return ctx.write(
    async (tx) =>
      (await recordApprovalRevocation(tx, { uri, accountId })) ||
      (await removeRemoteCollection(tx, { uri, accountId })),
  )
}
