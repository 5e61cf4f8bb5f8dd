import { Type } from 'typebox'
import { addToCollection } from '../../../../domain/collections/add-to-collection.ts'
import type { CollectionTexts } from '../../../../domain/collections/check-collection.ts'
import { createCollection } from '../../../../domain/collections/create-collection.ts'
import { deleteCollection } from '../../../../domain/collections/delete-collection.ts'
import { removeFromCollection, withdrawFromCollection } from '../../../../domain/collections/remove-items.ts'
import { findCollection } from '../../../../domain/collections/find-collection.ts'
import { updateCollection } from '../../../../domain/collections/update-collection.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Collection, CollectionItem, CollectionWithAccounts } from '../../../../entities/accounts/collection.ts'
import { CollectionError, ErrorBody } from '../../../../entities/schema/error.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { NestedValidationError, ValidationError } from '../../../../lib/errors.ts'
import { entityJson } from '../../../../lib/json/entity-json.ts'
import {
  renderCollection,
  renderCollectionItem,
  renderCollectionWithAccounts,
} from '../../../../render/collections/render-collections.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson, sendEmpty } from '../../../support/response/send.ts'

const COLLECTION_PARAMS = {
  name: Type.Optional(Type.String({ description: 'At most 40 characters.' })),
  description: Type.Optional(Type.String({ description: 'At most 100 characters.' })),
  language: Type.Optional(Type.String({ description: 'ISO 639. Empty: none.' })),
  sensitive: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean({ description: 'Show the collection on the profile and in lists.' })),
  tag_name: Type.Optional(Type.String({ description: 'A hashtag. Empty: none.' })),
}

interface CollectionBody {
  name?: string
  description?: string
  language?: string
  sensitive?: boolean
  discoverable?: boolean
  tag_name?: string
}

const ItemParams = Type.Object({ ...IdParams.properties, item: IdParams.properties.id })

const CollectionResponse = Type.Object({ collection: ref(Collection) })
const CollectionItemResponse = Type.Object({ collection_item: ref(CollectionItem) })
const EmptyResponse = { description: 'Empty.', content: { 'text/html': { schema: Type.String({ maxLength: 0 }) } } }

/** Mastodon: /api/v1/collections and the routes below it. Curated collections of accounts. */
export async function collections(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['collections']

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Create a collection',
        description: '`name`, `sensitive` and `discoverable` are required.',
        body: Type.Object({
          ...COLLECTION_PARAMS,
          account_ids: Type.Optional(Type.Array(Type.String(), { description: 'At most 25.' })),
        }),
        response: { 200: CollectionResponse, 422: ref(CollectionError) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { account_ids: targetAccountIds = [], ...body } = request.body
      const input = { accountId, texts: readCollectionParams(body), targetAccountIds }
      const id = await asCollectionError(ctx.write((tx) => createCollection(tx, input)))
      return sendJson(
        reply,
        entityJson<{ collection: Collection }>({
          collection: await renderCollection(ctx, { id, viewerId: accountId }),
        }),
      )
    },
  )

  api.get(
    '/:id',
    {
      schema: { tags, summary: 'View a collection', params: IdParams, response: { 200: ref(CollectionWithAccounts) } },
    },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id } = await findCollection(ctx, { id: request.params.id, viewerId })
      return sendJson(reply, await ctx.read(renderCollectionWithAccounts, { id, viewerId }))
    },
  )

  for (const method of ['patch', 'put'] as const) {
    api[method](
      '/:id',
      {
        schema: {
          tags,
          summary: 'Update a collection',
          description: 'Omitted fields stay unchanged.',
          params: IdParams,
          body: Type.Object(COLLECTION_PARAMS),
          response: { 200: CollectionResponse, 422: ref(CollectionError) },
        },
      },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        const input = { id, accountId, texts: readCollectionParams(request.body) }
        await asCollectionError(ctx.write((tx) => updateCollection(tx, input)))
        return sendJson(
          reply,
          entityJson<{ collection: Collection }>({
            collection: await renderCollection(ctx, { id, viewerId: accountId }),
          }),
        )
      },
    )
  }

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a collection', params: IdParams, response: { 200: EmptyResponse } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => deleteCollection(tx, { id: request.params.id, accountId }))
      return sendEmpty(reply)
    },
  )

  api.post(
    '/:id/items',
    {
      schema: {
        tags,
        summary: 'Add an account to a collection',
        params: IdParams,
        body: Type.Object({ account_id: Type.Optional(Type.String({ description: 'Required.' })) }),
        response: { 200: CollectionItemResponse, 422: Type.Union([ref(CollectionError), ref(ErrorBody)]) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const input = { id: request.params.id, accountId, targetAccountId: request.body.account_id }
      const id = await asCollectionError(ctx.write((tx) => addToCollection(tx, input)))
      const item = await renderCollectionItem(ctx, { id, viewerId: accountId })
      return sendJson(reply, entityJson<{ collection_item: CollectionItem }>({ collection_item: item }))
    },
  )

  api.delete(
    '/:id/items/:item',
    {
      schema: {
        tags,
        summary: 'Remove an account from a collection',
        params: ItemParams,
        response: { 200: EmptyResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, item: itemId } = request.params
      await ctx.write((tx) => removeFromCollection(tx, { id, itemId, accountId }))
      return sendEmpty(reply)
    },
  )

  api.post(
    '/:id/items/:item/revoke',
    {
      schema: {
        tags,
        summary: 'Remove yourself from a collection',
        params: ItemParams,
        response: { 200: EmptyResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, item: itemId } = request.params
      await ctx.write((tx) => withdrawFromCollection(tx, { id, itemId, accountId }))
      return sendEmpty(reply)
    },
  )
}

function readCollectionParams({ tag_name: tagName, ...texts }: CollectionBody): CollectionTexts {
  return { ...texts, tagName }
}

/**
 * Converts a ValidationError to the form that clients expect for collections: nested in an object of its own, and
 * without the names of the fields in the texts.
 */
async function asCollectionError<T>(work: Promise<T>): Promise<T> {
  return work.catch((err: unknown) => {
    if (!(err instanceof ValidationError)) throw err
    throw new NestedValidationError(err)
  })
}
