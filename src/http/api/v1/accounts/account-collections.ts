import { Type } from 'typebox'
import { listOwnedCollections, listFeaturingCollections } from '../../../../domain/collections/list-collections.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Collection } from '../../../../entities/accounts/collection.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ForbiddenError } from '../../../../lib/errors.ts'
import { entityJson } from '../../../../lib/json/entity-json.ts'
import { renderCollections } from '../../../../render/collections/render-collections.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import {
  setOffsetLinkHeader,
  OFFSET_LIST_PARAMS,
  readOffsetPage,
} from '../../../support/pagination/offset-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

const PAGE_SIZE = { default: 40, max: 80 }
const FIRST_PAGE_SIZE = { default: 40, max: 100 }

interface Collections {
  collections: Collection[]
}

const schemaOf = (summary: string) => ({
  tags: ['collections'],
  summary,
  params: IdParams,
  querystring: Type.Object(OFFSET_LIST_PARAMS),
  response: { 200: Type.Object({ collections: Type.Array(ref(Collection)) }) },
})

/** Mastodon: GET /api/v1/accounts/:id/collections. The collections that an account owns. */
export async function accountCollections(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get('/:id/collections', { schema: schemaOf('View the collections of an account') }, async (request, reply) => {
    const viewerId = request.viewer?.accountId ?? null
    const page = readOffsetPage(request.query, { first: FIRST_PAGE_SIZE, later: PAGE_SIZE })
    const ids = await listOwnedCollections(ctx, { accountId: request.params.id, viewerId, ...page })
    setOffsetLinkHeader(ctx, { request, reply, count: ids.length, page })
    const collections = await renderCollections(ctx, { ids, viewerId })
    return sendJson(reply, entityJson<Collections>({ collections }))
  })
}

/** Mastodon: GET /api/v1/accounts/:id/in_collections. The collections that feature the viewer's account. */
export async function inCollections(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/in_collections',
    {
      schema: {
        ...schemaOf('View the collections that feature you'),
        description: 'Only for your own account id; 403 for any other.',
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      if (request.params.id !== accountId) throw new ForbiddenError()
      const page = readOffsetPage(request.query, { first: PAGE_SIZE, later: PAGE_SIZE })
      const ids = await listFeaturingCollections(ctx, { accountId, ...page })
      setOffsetLinkHeader(ctx, { request, reply, count: ids.length, page })
      const collections = await renderCollections(ctx, { ids, viewerId: accountId })
      return sendJson(reply, entityJson<Collections>({ collections }))
    },
  )
}
