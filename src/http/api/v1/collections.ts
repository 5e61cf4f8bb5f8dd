import { Type } from 'typebox'
import { addToCollection } from '../../../domain/collections/add-item.ts'
import type { CollectionTexts } from '../../../domain/collections/check.ts'
import { createCollection } from '../../../domain/collections/create.ts'
import { deleteCollection } from '../../../domain/collections/delete.ts'
import { removeFromCollection, withdrawFromCollection } from '../../../domain/collections/end-item.ts'
import { findCollection } from '../../../domain/collections/find.ts'
import { updateCollection } from '../../../domain/collections/update.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Collection, CollectionItem, CollectionWithAccounts } from '../../../entities/collection.ts'
import { CollectionError, ErrorBody } from '../../../entities/error.ts'
import { ref } from '../../../entities/ref.ts'
import { Refusal, ValidationFailed } from '../../../lib/errors.ts'
import { entityJson } from '../../../lib/entity-json.ts'
import {
  renderCollection,
  renderCollectionItem,
  renderCollectionWithAccounts,
} from '../../../render/collections/render-collections.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { ById } from '../../support/params.ts'
import { sendJson, sendNothing } from '../../support/send.ts'

const TEXTS = {
  name: Type.Optional(Type.String({ description: 'At most 40 characters.' })),
  description: Type.Optional(Type.String({ description: 'At most 100 characters.' })),
  language: Type.Optional(Type.String({ description: 'ISO 639. Empty: none.' })),
  sensitive: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean({ description: 'Show it on the profile and in lists.' })),
  tag_name: Type.Optional(Type.String({ description: 'One hashtag. Empty: none.' })),
}

interface Body {
  name?: string
  description?: string
  language?: string
  sensitive?: boolean
  discoverable?: boolean
  tag_name?: string
}

const ByItem = Type.Object({ ...ById.properties, item: ById.properties.id })

const Wrapped = Type.Object({ collection: ref(Collection) })
const WrappedItem = Type.Object({ collection_item: ref(CollectionItem) })
const Nothing = { description: 'Empty.', content: { 'text/html': { schema: Type.String({ maxLength: 0 }) } } }

/** Accounts that people recommend together. */
export async function collections(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['collections']

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Make a collection',
        description: 'The name and both switches are needed.',
        body: Type.Object({
          ...TEXTS,
          account_ids: Type.Optional(Type.Array(Type.String(), { description: 'At most 25.' })),
        }),
        response: { 200: Wrapped, 422: ref(CollectionError) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { account_ids: targetAccountIds = [], ...body } = request.body
      const input = { accountId, texts: textsOf(body), targetAccountIds }
      const id = await nested(ctx.write((tx) => createCollection(tx, input)))
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
    { schema: { tags, summary: 'See a collection', params: ById, response: { 200: ref(CollectionWithAccounts) } } },
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
          summary: 'Change a collection',
          description: 'What is left out stays as it is.',
          params: ById,
          body: Type.Object(TEXTS),
          response: { 200: Wrapped, 422: ref(CollectionError) },
        },
      },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        const input = { id, accountId, texts: textsOf(request.body) }
        await nested(ctx.write((tx) => updateCollection(tx, input)))
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
    { schema: { tags, summary: 'Delete a collection', params: ById, response: { 200: Nothing } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => deleteCollection(tx, { id: request.params.id, accountId }))
      return sendNothing(reply)
    },
  )

  api.post(
    '/:id/items',
    {
      schema: {
        tags,
        summary: 'Put an account into a collection',
        params: ById,
        body: Type.Object({ account_id: Type.Optional(Type.String({ description: 'Needed.' })) }),
        response: { 200: WrappedItem, 422: Type.Union([ref(CollectionError), ref(ErrorBody)]) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const input = { id: request.params.id, accountId, targetAccountId: request.body.account_id }
      const id = await nested(ctx.write((tx) => addToCollection(tx, input)))
      const item = await renderCollectionItem(ctx, { id, viewerId: accountId })
      return sendJson(reply, entityJson<{ collection_item: CollectionItem }>({ collection_item: item }))
    },
  )

  api.delete(
    '/:id/items/:item',
    { schema: { tags, summary: 'Take an account out of a collection', params: ByItem, response: { 200: Nothing } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, item: itemId } = request.params
      await ctx.write((tx) => removeFromCollection(tx, { id, itemId, accountId }))
      return sendNothing(reply)
    },
  )

  api.post(
    '/:id/items/:item/revoke',
    { schema: { tags, summary: "Withdraw from somebody's collection", params: ByItem, response: { 200: Nothing } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, item: itemId } = request.params
      await ctx.write((tx) => withdrawFromCollection(tx, { id, itemId, accountId }))
      return sendNothing(reply)
    },
  )
}

function textsOf({ tag_name: tagName, ...texts }: Body): CollectionTexts {
  return { ...texts, tagName }
}

/** Clients expect what is wrong with a collection in an object of its own, with the rules without the fields' names. */
async function nested<T>(work: Promise<T>): Promise<T> {
  return work.catch((err: unknown) => {
    if (!(err instanceof ValidationFailed)) throw err
    const details = Map.groupBy(err.fields, ({ attribute }) => attribute)
      .entries()
      .map(([attribute, fields]) => [attribute, fields.map(({ code, text }) => ({ error: code, description: text }))])
    throw new Refusal(422, err.message, { error: { error: err.message, details: Object.fromEntries(details) } })
  })
}
