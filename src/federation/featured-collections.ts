import type { FastifyInstance, FastifyRequest } from 'fastify'
import { approvalUri, collectionUri } from '../domain/collections/addresses.ts'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { toJson } from '../lib/json.ts'
import { statement } from '../platform/db/statement.ts'
import { redirect, sendDocument, wantsPage } from './answer.ts'
import { findShownAccount } from '../domain/accounts/find-local.ts'
import { actorUri } from './objects/uris.ts'
import { writeFeaturedCollection, writeFeaturedItem } from './objects/write-collections.ts'
import { writeAuthorization } from './objects/write-feature-activities.ts'
import type { Consent } from './objects/write-feature-activities.ts'
import { findSigner } from './signer.ts'
import { COLLECTION_CONTEXT, PLAIN_CONTEXT, withContext } from './wire/context.ts'

/** More of one person are not listed. */
const MAX_LISTED = 100

const isBlocked = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $targetAccountId`,
)
const findListed = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select ${collectionUri()} as uri from collections c join accounts o on o.id = c.account_id
   where c.account_id = $accountId and c.local and c.discoverable order by c.id desc limit ${MAX_LISTED}`,
)
const findCollection = statement<{ params: { collection: string; accountId: string } }>(
  `select from collections where id = $collection and account_id = $accountId and local`,
)
const findItem = statement<{ params: { item: string; accountId: string } }>(
  `select from collection_items i join collections c on c.id = i.collection_id
   where i.id = $item and c.account_id = $accountId and c.local`,
)
// The account that agreed is always local; the owner of the collection may be remote.
const findConsent = statement<{ params: { item: string; id: string }; row: Consent }>(
  `select ${approvalUri()} as uri, t.uri as actor, ${collectionUri()} as "collectionUri"
   from collection_items i join collections c on c.id = i.collection_id
     join accounts o on o.id = c.account_id join accounts t on t.id = i.account_id
   where i.id = $item and t.id = $id and t.domain is null and i.state = 'accepted' and o.suspended_at is null`,
)

type Named<Name extends string = never> = { Params: Record<'id' | Name, string> }

/** The collections of accounts that people of here made, and the consents that people of here gave. */
export async function featuredCollections(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<Named>('/ap/users/:id/featured_collections', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const items = (await findListed(ctx.db, { accountId: id })).map(({ uri }) => uri)
    const list = {
      id: `${actorUri(ctx.config, id)}/featured_collections`,
      type: 'OrderedCollection',
      totalItems: items.length,
      orderedItems: items,
    }
    return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, toJson(list)), shared })
  })

  server.get<Named<'collection'>>('/ap/users/:id/collections/:collection', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { collection } = request.params
    if (!isId(collection) || (await findCollection(ctx.db, { collection, accountId: id })).length === 0)
      throw new NotFound()
    if (wantsPage(request)) return redirect(reply, { to: `${ctx.config.origin}/collections/${collection}`, shared })
    const json = await writeFeaturedCollection(ctx, { id: collection })
    if (!json) throw new NotFound()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, json), shared })
  })

  server.get<Named<'item'>>('/ap/users/:id/collection_items/:item', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { item } = request.params
    if (!isId(item) || (await findItem(ctx.db, { item, accountId: id })).length === 0) throw new NotFound()
    const json = await writeFeaturedItem(ctx, { id: item })
    if (!json) throw new NotFound()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, json), shared })
  })

  server.get<Named<'item'>>('/ap/users/:id/feature_authorizations/:item', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { item } = request.params
    const [consent] = isId(item) ? await findConsent(ctx.db, { item, id }) : []
    if (!consent) throw new NotFound()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, writeAuthorization(consent)), shared })
  })

  /** @throws NotFound, also for who is blocked by the one whose it is · Forbidden while that one is suspended */
  async function findOwner(request: FastifyRequest<Named>): Promise<{ id: string; shared: boolean }> {
    const { accountId, isSigned } = await findSigner(ctx, request)
    const { id } = await ctx.read(findShownAccount, { id: request.params.id, now: ctx.now() })
    if (accountId !== null && (await isBlocked(ctx.db, { accountId: id, targetAccountId: accountId })).length > 0)
      throw new NotFound()
    return { id, shared: !isSigned }
  }
}
