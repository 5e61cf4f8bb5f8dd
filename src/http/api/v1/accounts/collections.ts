import { Type } from 'typebox'
import { readCollectionsOf, readCollectionsWith } from '../../../../domain/collections/list.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Collection } from '../../../../entities/collection.ts'
import { ref } from '../../../../entities/ref.ts'
import { Forbidden } from '../../../../lib/errors.ts'
import { entityJson } from '../../../../lib/entity-json.ts'
import { renderCollections } from '../../../../render/collections/render-collections.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { linkOffsets, OFFSETS, readPart } from '../../../support/offsets.ts'
import { ById } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

const SIZE = { default: 40, max: 80 }
const FIRST_SIZE = { default: 40, max: 100 }

interface Collections {
  collections: Collection[]
}

const schema = (summary: string) => ({
  tags: ['collections'],
  summary,
  params: ById,
  querystring: Type.Object(OFFSETS),
  response: { 200: Type.Object({ collections: Type.Array(ref(Collection)) }) },
})

/** The collections that an account has made. */
export async function accountCollections(api: Api, ctx: Ctx): Promise<void> {
  api.get('/:id/collections', { schema: schema('See the collections of an account') }, async (request, reply) => {
    const viewerId = request.viewer?.accountId ?? null
    const part = readPart(request.query, { first: FIRST_SIZE, others: SIZE })
    const ids = await readCollectionsOf(ctx, { accountId: request.params.id, viewerId, ...part })
    linkOffsets(ctx, { request, reply, count: ids.length, part })
    const collections = await renderCollections(ctx, { ids, viewerId })
    return sendJson(reply, entityJson<Collections>({ collections }))
  })
}

/** The collections that an account is in. */
export async function inCollections(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/in_collections',
    { schema: { ...schema('See which collections I am in'), description: 'Only with one’s own id.' } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      if (request.params.id !== accountId) throw new Forbidden()
      const part = readPart(request.query, { first: SIZE, others: SIZE })
      const ids = await readCollectionsWith(ctx, { accountId, ...part })
      linkOffsets(ctx, { request, reply, count: ids.length, part })
      const collections = await renderCollections(ctx, { ids, viewerId: accountId })
      return sendJson(reply, entityJson<Collections>({ collections }))
    },
  )
}
