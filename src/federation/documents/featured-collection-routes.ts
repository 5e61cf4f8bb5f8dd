import type { FastifyInstance, FastifyRequest } from 'fastify'
import { blocksDomainOfId } from '../../domain/access/user-domain-blocks.ts'
import { approvalUri, collectionUri } from '../../domain/collections/collection-uris.ts'
import type { Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { toJson } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { redirectTo, sendDocument, prefersPage } from './send-document.ts'
import { findActiveLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import { actorUri } from '../objects/uris.ts'
import { writeFeaturedCollection, writeFeaturedItem } from '../objects/write/write-collections.ts'
import { writeFeatureAuthorization } from '../objects/write/write-feature-activities.ts'
import type { FeatureApproval } from '../objects/write/write-feature-activities.ts'
import { COLLECTION_CONTEXT, BASE_CONTEXT, withContext } from '../wire/context.ts'

/** The number of collections of one account that are listed. */
const MAX_LISTED = 100

const isBlocked = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `select where exists (select from blocks where account_id = $accountId and target_account_id = $targetAccountId)
     or ${blocksDomainOfId('$accountId', '$targetAccountId')}`,
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
const findApproval = statement<{ params: { item: string; id: string }; row: FeatureApproval }>(
  `select ${approvalUri()} as uri, t.uri as actor, ${collectionUri()} as "collectionUri"
   from collection_items i join collections c on c.id = i.collection_id
     join accounts o on o.id = c.account_id join accounts t on t.id = i.account_id
   where i.id = $item and t.id = $id and t.domain is null and i.state = 'accepted' and o.suspended_at is null`,
)

type ByOwner<Name extends string = never> = { Params: Record<'id' | Name, string> }

/** Registers the featured collections of local accounts, their items, and feature authorizations (FEP-7aa9). */
export async function registerFeaturedCollectionRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ByOwner>('/ap/users/:id/featured_collections', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const items = (await findListed(ctx.db, { accountId: id })).map(({ uri }) => uri)
    const list = {
      id: `${actorUri(ctx.config, id)}/featured_collections`,
      type: 'OrderedCollection',
      totalItems: items.length,
      orderedItems: items,
    }
    return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(list)), shared })
  })

  const page = { config: { redirectsToPage: true } }
  server.get<ByOwner<'collection'>>('/ap/users/:id/collections/:collection', page, async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { collection } = request.params
    if (!isId(collection) || (await findCollection(ctx.db, { collection, accountId: id })).length === 0)
      throw new NotFoundError()
    if (prefersPage(request)) return redirectTo(reply, { to: `${ctx.config.origin}/collections/${collection}`, shared })
    const json = await writeFeaturedCollection(ctx, { id: collection })
    if (!json) throw new NotFoundError()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, json), shared })
  })

  server.get<ByOwner<'item'>>('/ap/users/:id/collection_items/:item', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { item } = request.params
    if (!isId(item) || (await findItem(ctx.db, { item, accountId: id })).length === 0) throw new NotFoundError()
    const json = await writeFeaturedItem(ctx, { id: item })
    if (!json) throw new NotFoundError()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, json), shared })
  })

  server.get<ByOwner<'item'>>('/ap/users/:id/feature_authorizations/:item', async (request, reply) => {
    const { id, shared } = await findOwner(request)
    const { item } = request.params
    const [approval] = isId(item) ? await findApproval(ctx.db, { item, id }) : []
    if (!approval) throw new NotFoundError()
    return sendDocument(reply, { json: withContext(COLLECTION_CONTEXT, writeFeatureAuthorization(approval)), shared })
  })

  /**
   * Returns the owner.
   * @throws NotFoundError, also if the owner blocks the signer or its domain · ForbiddenError while the owner is suspended
   */
  async function findOwner(request: FastifyRequest<ByOwner>): Promise<{ id: string; shared: boolean }> {
    const { accountId, isSigned } = request.signer
    const { id } = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
    if (accountId !== null && (await isBlocked(ctx.db, { accountId: id, targetAccountId: accountId })).length > 0)
      throw new NotFoundError()
    return { id, shared: !isSigned }
  }
}
