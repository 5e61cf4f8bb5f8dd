import { createHash } from 'node:crypto'
import { approvalUri, collectionUri, itemUri } from '../../domain/collections/addresses.ts'
import type { Ctx, Tx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Activity } from '../objects/write-activities.ts'
import { writeFeaturedCollection, writeFeaturedItem } from '../objects/write-collections.ts'
import {
  writeAddition,
  writeAuthorizationDelete,
  writeCollectionUpdate,
  writeFeatureAccept,
  writeFeatureReject,
  writeFeatureRequest,
  writeRemoval,
} from '../objects/write-feature-activities.ts'
import { actorUri } from '../objects/uris.ts'
import { sendActivity } from './send.ts'

interface OwnCollection {
  id: string
  ownerId: string
  uri: string
  actor: string
  discoverable: boolean
  createdAt: Date
  updatedAt: Date
  /** People elsewhere who are in it, or asked. */
  featuredIds: string[]
}

const findCollection = statement<{ params: { id: string }; row: OwnCollection }>(
  `select c.id, c.account_id as "ownerId", ${collectionUri()} as uri, o.uri as actor, c.discoverable,
     c.created_at as "createdAt", c.updated_at as "updatedAt", array(
       select i.account_id::text from collection_items i join accounts t on t.id = i.account_id
       where i.collection_id = c.id and i.state in ('pending', 'accepted') and t.domain is not null
     ) as "featuredIds"
   from collections c join accounts o on o.id = c.account_id where c.id = $id and c.local for key share of c`,
)

/** The list of somebody's collections, as other servers find it. */
const listOf = (actor: string) => `${actor}/featured_collections`

/** Effect: tells the followers elsewhere of a new collection, unless it is not to be found. */
export async function deliverCollection(ctx: Ctx, { collectionId }: Events['collection.created']): Promise<void> {
  await withCollection(ctx, collectionId, async (tx, row) => {
    if (row.discoverable) await tellAdded(tx, row, row.createdAt)
  })
}

/**
 * Effect: tells the followers elsewhere what a collection says now, or that it is there or not there for them any more;
 * and whoever is in it, in any case.
 */
export async function deliverCollectionUpdate(
  ctx: Ctx,
  { collectionId, wasDiscoverable }: Events['collection.updated'],
): Promise<void> {
  await withCollection(ctx, collectionId, async (tx, row) => {
    const json = await writeFeaturedCollection(tx, { id: row.id })
    if (!json) return
    const { uri, actor, ownerId: accountId, updatedAt: at } = row
    const followersOf = row.discoverable && wasDiscoverable ? [accountId] : []
    const activity = writeCollectionUpdate({ uri, actor, at, json })
    await sendActivity(tx, { activity, accountId, to: { followersOf, accountIds: row.featuredIds } })
    if (row.discoverable && !wasDiscoverable) await tellAdded(tx, row, at)
    if (wasDiscoverable && !row.discoverable) {
      const removal = writeRemoval({ uri, actor, at, target: listOf(actor) })
      await sendActivity(tx, { activity: removal, accountId, to: { followersOf: [accountId] } })
    }
  })
}

async function tellAdded(tx: Tx, { id, uri, actor, ownerId }: OwnCollection, at: Date): Promise<void> {
  const json = await writeFeaturedCollection(tx, { id })
  if (!json) return
  const activity = writeAddition({ uri, actor, at, target: listOf(actor), json })
  await sendActivity(tx, { activity, accountId: ownerId, to: { followersOf: [ownerId] } })
}

async function withCollection(
  ctx: Ctx,
  id: string,
  work: (tx: Tx, row: OwnCollection) => Promise<void>,
): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await findCollection(tx.db, { id })
    if (row) await work(tx, row)
  })
}

/** Effect: tells the followers elsewhere, and whoever was in it, that a collection is gone. */
export async function deliverCollectionDelete(
  ctx: Ctx,
  { accountId, uri, discoverable, featuredIds }: Events['collection.deleted'],
): Promise<void> {
  await ctx.write(async (tx) => {
    const actor = actorUri(tx.config, accountId)
    const activity = writeRemoval({ uri, actor, at: 'end', target: listOf(actor) })
    const followersOf = discoverable ? [accountId] : []
    await sendActivity(tx, { activity, accountId, to: { followersOf, accountIds: featuredIds } })
  })
}

interface ItemRow {
  id: string
  uri: string
  state: 'pending' | 'accepted' | 'rejected' | 'revoked'
  collectionUri: string
  discoverable: boolean
  ownerId: string
  owner: string
  isOwnerLocal: boolean
  targetId: string
  target: string
  isTargetLocal: boolean
  requestUri: string | null
  approvalUri: string | null
  createdAt: Date
}

const findItem = statement<{ params: { id: string }; row: ItemRow }>(
  `select i.id, ${itemUri()} as uri, i.state, ${collectionUri()} as "collectionUri", c.discoverable,
     o.id as "ownerId", o.uri as owner, o.domain is null as "isOwnerLocal",
     t.id as "targetId", t.uri as target, t.domain is null as "isTargetLocal",
     i.activity_uri as "requestUri", ${approvalUri()} as "approvalUri", i.created_at as "createdAt"
   from collection_items i join collections c on c.id = i.collection_id
     join accounts o on o.id = c.account_id join accounts t on t.id = i.account_id
   where i.id = $id for key share of c, i`,
)

async function withItem(ctx: Ctx, id: string, work: (tx: Tx, row: ItemRow) => Promise<void>): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await findItem(tx.db, { id })
    if (row) await work(tx, row)
  })
}

/** Effect: asks somebody elsewhere whether they want to be in a collection of somebody here. */
export async function deliverFeatureRequest(ctx: Ctx, { itemId }: Events['collection.item_requested']): Promise<void> {
  await withItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'pending' || !item.isOwnerLocal || item.isTargetLocal || item.requestUri === null) return
    await sendTo(tx, { from: item.ownerId, to: item.targetId, activity: writeFeatureRequest(requestOf(item)) })
  })
}

/** Effect: tells the followers elsewhere, and themselves, that somebody is in a collection now. */
export async function deliverFeatured(ctx: Ctx, { itemId }: Events['collection.item_accepted']): Promise<void> {
  await withItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'accepted' || !item.isOwnerLocal) return
    const json = await writeFeaturedItem(tx, { id: item.id })
    if (!json) return
    const { uri, owner: actor, ownerId: accountId, collectionUri: target, createdAt: at } = item
    const followersOf = item.discoverable ? [accountId] : []
    const activity = writeAddition({ uri, actor, at, target, json })
    await sendActivity(tx, { activity, accountId, to: { followersOf, accountIds: [item.targetId] } })
  })
}

/** Effect: tells whom it concerns elsewhere that somebody is in a collection no longer. */
export async function deliverUnfeatured(ctx: Ctx, ended: Events['collection.item_ended']): Promise<void> {
  const { accountId, ownerId } = ended
  const sides = accountId === null ? [ownerId] : [ownerId, accountId]
  const locals = new Set((await findLocals(ctx.db, { sides })).map(({ id }) => id))
  await ctx.write(async (tx) => {
    if (locals.has(ownerId)) {
      const { uri, collectionUri: target } = ended
      const activity = writeRemoval({ uri, actor: actorUri(tx.config, ownerId), at: 'end', target })
      const followersOf = ended.wasAccepted && ended.discoverable ? [ownerId] : []
      const accountIds = accountId === null ? [] : [accountId]
      await sendActivity(tx, { activity, accountId: ownerId, to: { followersOf, accountIds } })
    } else if (accountId !== null && locals.has(accountId) && ended.approvalUri !== null) {
      const actor = actorUri(tx.config, accountId)
      const { approvalUri: uri, collectionUri: ofCollection } = ended
      const activity = writeAuthorizationDelete({ uri, actor, collectionUri: ofCollection })
      await sendTo(tx, { from: accountId, to: ownerId, activity })
    }
  })
}

const findLocals = statement<{ params: { sides: readonly string[] }; row: { id: string } }>(
  `select id from accounts where id = any($sides::bigint[]) and domain is null`,
)

/** Effect: tells somebody elsewhere that somebody here may be in their collection, as often as they ask. */
export async function deliverFeatureAccept(ctx: Ctx, { itemId, uri }: Events['feature.authorised']): Promise<void> {
  await withItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'accepted' || item.approvalUri === null) return
    const answer = { id: nameOf(uri), result: item.approvalUri }
    const activity = writeFeatureAccept(requestOf({ ...item, requestUri: uri }), answer)
    await sendTo(tx, { from: item.targetId, to: item.ownerId, activity, again: true })
  })
}

const findUri = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/** Effect: tells somebody elsewhere that somebody here may not. */
export async function deliverFeatureReject(
  ctx: Ctx,
  { accountId, targetAccountId, uri, collectionUri: instrument }: Events['feature.rejected'],
): Promise<void> {
  const [asker] = await findUri(ctx.db, { accountId })
  if (!asker) return
  await ctx.write(async (tx) => {
    const request = { uri, actor: asker.uri, object: actorUri(tx.config, targetAccountId), instrument }
    const activity = writeFeatureReject(request, { id: nameOf(uri) })
    await sendTo(tx, { from: targetAccountId, to: accountId, activity, again: true })
  })
}

function requestOf({ requestUri, owner, target, collectionUri: instrument }: ItemRow) {
  return { uri: requestUri!, actor: owner, object: target, instrument }
}

async function sendTo(
  tx: Tx,
  { from, to, ...outgoing }: { from: string; to: string; activity: Activity; again?: boolean },
): Promise<void> {
  await sendActivity(tx, { ...outgoing, accountId: from, to: { accountIds: [to] }, personally: true })
}

/** A short name for a request, which is known by its address only. */
function nameOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
