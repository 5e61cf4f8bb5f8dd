import { recordRemoteCollection, recordRemoteItem } from '../../domain/collections/record-remote.ts'
import { keepRemoteItems } from '../../domain/collections/remove-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { isConsent, readFeaturedCollection } from '../objects/read-collection.ts'
import type { FeaturedItemFacts } from '../objects/read-collection.ts'
import type { WireObject } from '../wire/normalise.ts'
import { hostOf, isSameHost } from '../wire/read.ts'
import { findKnownActor, resolveActor } from './actor.ts'
import { isOurs } from './ask.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { isForeseen, RemoteRefusal } from './refusals.ts'

const find = statement<{ params: { uri: string; accountId: string }; row: { id: string } }>(
  `select id from collections where uri = $uri and account_id = $accountId and not local`,
)
const findProven = statement<{
  params: { collectionId: string }
  row: { uri: string; approval_uri: string }
  notNull: 'approval_uri' | 'uri'
}>(
  `select uri, approval_uri from collection_items
   where collection_id = $collectionId and state = 'accepted' and uri is not null and approval_uri is not null`,
)

/** Whoever made a collection, or says so: their account here, and their address. */
interface Owner {
  accountId: string
  actor: string
}

/** A collection of somebody elsewhere that is known here; null for none. */
export async function findKnownCollection(
  ctx: Pick<Ctx, 'db'>,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<string | null> {
  const [row] = await find(ctx.db, { uri, accountId })
  return row?.id ?? null
}

/**
 * Records a collection whose document comes from its owner's server, with everybody in it who agreed, as far as that
 * can be found out within the budget; gives its id.
 * @throws Unreadable · RemoteRefusal for one of somebody else · what `recordRemoteCollection` throws
 */
export async function recordCollection(
  ctx: Ctx,
  { document, owner, budget }: { document: WireObject; owner: Owner; budget: Budget },
): Promise<string> {
  const { items, attributedTo, ...facts } = readFeaturedCollection(document, { now: ctx.now() })
  if (attributedTo !== owner.actor || !isSameHost(facts.uri, owner.actor)) {
    throw new RemoteRefusal(`${facts.uri} is not a collection of ${owner.actor}`)
  }
  const collectionId = await ctx.write((tx) => recordRemoteCollection(tx, { accountId: owner.accountId, facts }))
  if (items === null) return collectionId
  const proven = new Map((await findProven(ctx.db, { collectionId })).map((row) => [row.uri, row.approval_uri]))
  const uris: string[] = []
  for (const item of items) {
    const isProven = proven.get(item.uri) === item.approvalUri
    const collection = { id: collectionId, uri: facts.uri }
    if (isProven || (await recordItem(ctx, { collection, item, budget }))) uris.push(item.uri)
  }
  await ctx.write((tx) => keepRemoteItems(tx, { collectionId, uris }))
  return collectionId
}

/** Records somebody's place in a collection, if they agreed. False when that can't be found out. */
export async function recordItem(
  ctx: Ctx,
  { collection, item, budget }: { collection: { id: string; uri: string }; item: FeaturedItemFacts; budget: Budget },
): Promise<boolean> {
  const accountId = await proveItem(ctx, { collectionUri: collection.uri, item, budget }).catch((err: unknown) => {
    if (!isForeseen(err)) throw err
    ctx.log.debug({ err }, 'feature authorization could not be fetched')
    return null
  })
  if (accountId === null) return false
  await ctx.write((tx) => recordRemoteItem(tx, { collectionId: collection.id, item: { ...item, accountId } }))
  return true
}

/** Who is featured, when their own server says that they agree; null when it does not. Of people here we know it. */
async function proveItem(
  ctx: Ctx,
  { collectionUri, item, budget }: { collectionUri: string; item: FeaturedItemFacts; budget: Budget },
): Promise<string | null> {
  const { featuredUri, approvalUri } = item
  if (!isSameHost(approvalUri, featuredUri)) return null
  if (isOurs(ctx, hostOf(featuredUri) ?? '')) {
    const person = await findKnownActor(ctx, { uri: featuredUri })
    return person?.domain === null ? person.id : null
  }
  const consent = await fetchDocument(ctx, { uri: approvalUri, budget })
  return isConsent(consent, { featuredUri, collectionUri }) ? resolveActor(ctx, { uri: featuredUri, budget }) : null
}
