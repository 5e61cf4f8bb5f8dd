import { createHash } from 'node:crypto'
import { approvalUri, collectionUri, itemUri } from '../../domain/collections/collection-uris.ts'
import type { Ctx, Tx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Activity } from '../objects/write/write-activities.ts'
import { writeFeaturedCollection, writeFeaturedItem } from '../objects/write/write-collections.ts'
import {
  writeAddition,
  writeFeatureAuthorizationDelete,
  writeCollectionUpdate,
  writeFeatureAccept,
  writeFeatureReject,
  writeFeatureRequest,
  writeRemoval,
} from '../objects/write/write-feature-activities.ts'
import { actorUri } from '../objects/uris.ts'
import { cancelFormerUpdates } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

interface OwnCollection {
  id: string
  ownerId: string
  uri: string
  actor: string
  discoverable: boolean
  createdAt: Date
  updatedAt: Date
  /** Remote accounts that are in it or were requested. */
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

/** Returns the id of an actor's list of collections. */
const collectionsUriOf = (actor: string) => `${actor}/featured_collections`

/** Effect: sends the Add of a new collection to the remote followers, unless it is not discoverable. */
export async function deliverCollection(ctx: Ctx, { collectionId }: Events['collection.created']): Promise<void> {
  await withLockedCollection(ctx, collectionId, async (tx, row) => {
    if (row.discoverable) await sendCollectionAdded(tx, row, row.createdAt)
  })
}

/**
 * Effect: sends the Update of a collection to the remote accounts in it and, while it is discoverable, to the remote
 * followers; these get an Add or a Remove instead if it became discoverable or ceased to be.
 */
export async function deliverCollectionUpdate(
  ctx: Ctx,
  { collectionId, wasDiscoverable }: Events['collection.updated'],
): Promise<void> {
  await withLockedCollection(ctx, collectionId, async (tx, row) => {
    const json = await writeFeaturedCollection(tx, { id: row.id })
    if (!json) return
    const { uri, actor, ownerId: accountId, updatedAt: at } = row
    const followersOf = row.discoverable && wasDiscoverable ? [accountId] : []
    const activity = writeCollectionUpdate({ uri, actor, at, json })
    await sendActivity(tx, { activity, accountId, to: { followersOf, accountIds: row.featuredIds } })
    await cancelFormerUpdates(tx, { uri: activity.uri, object: uri })
    if (row.discoverable && !wasDiscoverable) await sendCollectionAdded(tx, row, at)
    if (wasDiscoverable && !row.discoverable) {
      const removal = writeRemoval({ uri, actor, at, target: collectionsUriOf(actor) })
      await sendActivity(tx, { activity: removal, accountId, to: { followersOf: [accountId] } })
    }
  })
}

async function sendCollectionAdded(tx: Tx, { id, uri, actor, ownerId }: OwnCollection, at: Date): Promise<void> {
  const json = await writeFeaturedCollection(tx, { id })
  if (!json) return
  const activity = writeAddition({ uri, actor, at, target: collectionsUriOf(actor), json })
  await sendActivity(tx, { activity, accountId: ownerId, to: { followersOf: [ownerId] } })
}

async function withLockedCollection(
  ctx: Ctx,
  id: string,
  work: (tx: Tx, row: OwnCollection) => Promise<void>,
): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await findCollection(tx.db, { id })
    if (row) await work(tx, row)
  })
}

/** Effect: sends the Remove of a deleted collection to the remote followers and the accounts that were in it. */
export async function deliverCollectionDelete(
  ctx: Ctx,
  { accountId, uri, discoverable, featuredIds }: Events['collection.deleted'],
): Promise<void> {
  await ctx.write(async (tx) => {
    const actor = actorUri(tx.config, accountId)
    const activity = writeRemoval({ uri, actor, at: 'end', target: collectionsUriOf(actor) })
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

async function withLockedItem(ctx: Ctx, id: string, work: (tx: Tx, row: ItemRow) => Promise<void>): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await findItem(tx.db, { id })
    if (row) await work(tx, row)
  })
}

/** Effect: asks a remote account for approval to be in a local account's collection. */
export async function deliverFeatureRequest(ctx: Ctx, { itemId }: Events['collection.item_requested']): Promise<void> {
  await withLockedItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'pending' || !item.isOwnerLocal || item.isTargetLocal || item.requestUri === null) return
    await sendToAccount(tx, { from: item.ownerId, to: item.targetId, activity: writeFeatureRequest(requestOf(item)) })
  })
}

/** Effect: sends the Add of an approved item to the remote followers and to the featured account. */
export async function deliverFeatured(ctx: Ctx, { itemId }: Events['collection.item_accepted']): Promise<void> {
  await withLockedItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'accepted' || !item.isOwnerLocal) return
    const json = await writeFeaturedItem(tx, { id: item.id })
    if (!json) return
    const { uri, owner: actor, ownerId: accountId, collectionUri: target, createdAt: at } = item
    const followersOf = item.discoverable ? [accountId] : []
    const activity = writeAddition({ uri, actor, at, target, json })
    await sendActivity(tx, { activity, accountId, to: { followersOf, accountIds: [item.targetId] } })
  })
}

/**
 * Effect: sends the Remove of an item or, if a local account left a remote collection, the revocation of its approval.
 */
export async function deliverUnfeatured(ctx: Ctx, item: Events['collection.item_removed']): Promise<void> {
  const { accountId, ownerId } = item
  const partyIds = accountId === null ? [ownerId] : [ownerId, accountId]
  const localIds = new Set((await findLocalAccounts(ctx.db, { accountIds: partyIds })).map(({ id }) => id))
  await ctx.write(async (tx) => {
    if (localIds.has(ownerId)) {
      const { uri, collectionUri: target } = item
      const activity = writeRemoval({ uri, actor: actorUri(tx.config, ownerId), at: 'end', target })
      const followersOf = item.wasAccepted && item.discoverable ? [ownerId] : []
      const accountIds = accountId === null ? [] : [accountId]
      await sendActivity(tx, { activity, accountId: ownerId, to: { followersOf, accountIds } })
    } else if (accountId !== null && localIds.has(accountId) && item.approvalUri !== null) {
      const actor = actorUri(tx.config, accountId)
      const activity = writeFeatureAuthorizationDelete({
        uri: item.approvalUri,
        actor,
        collectionUri: item.collectionUri,
      })
      await sendToAccount(tx, { from: accountId, to: ownerId, activity })
    }
  })
}

const findLocalAccounts = statement<{ params: { accountIds: readonly string[] }; row: { id: string } }>(
  `select id from accounts where id = any($accountIds::bigint[]) and domain is null`,
)

/** Effect: sends the Accept of a remote feature request, again for each repeated request. */
export async function deliverFeatureAccept(
  ctx: Ctx,
  { itemId, uri }: Events['collection.feature_request_accepted'],
): Promise<void> {
  await withLockedItem(ctx, itemId, async (tx, item) => {
    if (item.state !== 'accepted' || item.approvalUri === null) return
    const response = { id: requestKeyOf(uri), result: item.approvalUri }
    const activity = writeFeatureAccept(requestOf({ ...item, requestUri: uri }), response)
    await sendToAccount(tx, { from: item.targetId, to: item.ownerId, activity, resend: true })
  })
}

const findUri = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/** Effect: sends the Reject of a remote feature request, again for each repeated request. */
export async function deliverFeatureReject(
  ctx: Ctx,
  { accountId, targetAccountId, uri, collectionUri: instrument }: Events['collection.feature_request_rejected'],
): Promise<void> {
  const [requester] = await findUri(ctx.db, { accountId })
  if (!requester) return
  await ctx.write(async (tx) => {
    const request = { uri, actor: requester.uri, object: actorUri(tx.config, targetAccountId), instrument }
    const activity = writeFeatureReject(request, { id: requestKeyOf(uri) })
    await sendToAccount(tx, { from: targetAccountId, to: accountId, activity, resend: true })
  })
}

function requestOf({ requestUri, owner, target, collectionUri: instrument }: ItemRow) {
  return { uri: requestUri!, actor: owner, object: target, instrument }
}

async function sendToAccount(
  tx: Tx,
  { from, to, ...outgoing }: { from: string; to: string; activity: Activity; resend?: boolean },
): Promise<void> {
  await sendActivity(tx, { ...outgoing, accountId: from, to: { accountIds: [to] }, toPersonalInboxes: true })
}

/** Returns a short key for a request, which has no row with an id on this server. */
function requestKeyOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
