import {
  recordRemoteCollection,
  recordRemoteCollectionItem,
} from '../../../domain/collections/remote/record-remote-collection.ts'
import { pruneRemoteItems } from '../../../domain/collections/remote/remove-remote-collection.ts'
import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { isFeatureAuthorization, readFeaturedCollection, readFeaturedItem } from '../../objects/read/read-collection.ts'
import type { ParsedFeaturedItem } from '../../objects/read/read-collection.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { hostOf, isSameHost } from '../../wire/read-values.ts'
import { findKnownActor, resolveActor } from '../actors/resolve-actor.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { isExpectedFailure, RemoteError } from '../fetch/remote-errors.ts'

const find = statement<{ params: { uri: string; accountId: string }; row: { id: string } }>(
  `select id from collections where uri = $uri and account_id = $accountId and not local`,
)
const findVerifiedItems = statement<{
  params: { collectionId: string }
  row: { uri: string; approval_uri: string | null }
  notNull: 'uri'
}>(
  `select uri, approval_uri from collection_items
   where collection_id = $collectionId and state = 'accepted' and uri is not null`,
)

/** The owner of a collection: the id of the account, and its id as an actor. */
interface Owner {
  accountId: string
  actor: string
}

/** Returns the id of a stored remote collection of an account; null if there is none. */
export async function findKnownCollection(
  ctx: Pick<Ctx, 'db'>,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<string | null> {
  const [row] = await find(ctx.db, { uri, accountId })
  return row?.id ?? null
}

/**
 * Records a collection whose document comes from its owner's server, with the items whose approval can be verified
 * within the budget. Returns its id.
 * @throws InvalidDocumentError · RemoteError if it has another owner · what `recordRemoteCollection` throws
 */
export async function recordCollection(
  ctx: Ctx,
  { document, owner, budget }: { document: WireObject; owner: Owner; budget: FetchBudget },
): Promise<string> {
  const { items, attributedTo, ...collectionData } = readFeaturedCollection(document, { now: ctx.now() })
  if (attributedTo !== owner.actor || !isSameHost(collectionData.uri, owner.actor)) {
    throw new RemoteError(`${collectionData.uri} is not a collection of ${owner.actor}`)
  }
  const collectionId = await ctx.write((tx) =>
    recordRemoteCollection(tx, { accountId: owner.accountId, facts: collectionData }),
  )
  if (items === null) return collectionId
  const verified = new Map(
    (await findVerifiedItems(ctx.db, { collectionId })).map((row) => [row.uri, row.approval_uri]),
  )
  const uris: string[] = []
  const collection = { id: collectionId, uri: collectionData.uri }
  for (const item of items) {
    const uri = typeof item === 'string' ? item : item.uri
    const isVerified = typeof item === 'string' ? verified.has(uri) : verified.get(uri) === item.approvalUri
    if (isVerified || (await recordItem(ctx, { collection, item, budget }))) uris.push(uri)
  }
  await ctx.write((tx) => pruneRemoteItems(tx, { collectionId, uris }))
  return collectionId
}

/**
 * Records an item of a collection, if its approval can be verified. `item`: the item, or its id. Returns whether it was.
 */
export async function recordItem(
  ctx: Ctx,
  {
    collection,
    item: itemOrUri,
    budget,
  }: { collection: { id: string; uri: string }; item: ParsedFeaturedItem | string; budget: FetchBudget },
): Promise<boolean> {
  const collectionUri = collection.uri
  const verify = async () => {
    const isUri = typeof itemOrUri === 'string'
    const item = isUri ? await fetchItem(ctx, { uri: itemOrUri, collectionUri, budget }) : itemOrUri
    if (!item) return null
    const accountId = await verifyItem(ctx, { collectionUri, item, budget })
    return accountId === null ? null : { ...item, accountId }
  }
  const item = await verify().catch((err: unknown) => {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Item of a collection could not be verified')
    return null
  })
  if (!item) return false
  await ctx.write((tx) => recordRemoteCollectionItem(tx, { collectionId: collection.id, item }))
  return true
}

/** Fetches an item that a collection lists by its id only. Returns null if it is not an item of that collection. */
async function fetchItem(
  ctx: Ctx,
  { uri, collectionUri, budget }: { uri: string; collectionUri: string; budget: FetchBudget },
): Promise<ParsedFeaturedItem | null> {
  if (!isSameHost(uri, collectionUri)) return null
  const item = readFeaturedItem(await fetchDocument(ctx, { uri, budget }), { collectionUri, now: ctx.now() })
  return item?.uri === uri ? item : null
}

/**
 * Returns the id of the featured account, if its own server confirms the approval; else null. The approval of a local
 * account is not fetched, since it is in this server's database.
 */
async function verifyItem(
  ctx: Ctx,
  { collectionUri, item, budget }: { collectionUri: string; item: ParsedFeaturedItem; budget: FetchBudget },
): Promise<string | null> {
  const { featuredUri, approvalUri } = item
  if (!isSameHost(approvalUri, featuredUri)) return null
  if (isLocalDomain(ctx, hostOf(featuredUri) ?? '')) {
    const account = await findKnownActor(ctx, { uri: featuredUri })
    return account?.domain === null ? account.id : null
  }
  // The document may come from another server, to which the one of the account redirects; then it has another id.
  const approval = await fetchDocument(ctx, { uri: approvalUri, budget })
  return isFeatureAuthorization(approval, { approvalUri, featuredUri, collectionUri })
    ? resolveActor(ctx, { uri: featuredUri, budget })
    : null
}
