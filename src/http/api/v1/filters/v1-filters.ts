import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findKeyword } from '../../../../domain/filters/find-filter.ts'
import { createV1Filter, removeV1Filter, updateV1Filter } from '../../../../domain/filters/v1-filters.ts'
import type { V1FilterAttributes } from '../../../../domain/filters/v1-filters.ts'
import { FilterContext, V1Filter } from '../../../../entities/accounts/filter.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderV1Filter, renderV1Filters } from '../../../../render/filters/render-filters.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import { IdParams } from '../../../support/request/path-params.ts'

const V1FilterBody = Type.Object({
  phrase: Type.Optional(Type.String({ description: 'At most 256 characters. Required for a new filter.' })),
  context: Type.Optional(
    Type.Array(FilterContext, { description: 'Where the filter applies. Required for a new filter.' }),
  ),
  irreversible: Type.Optional(
    Type.Boolean({ description: 'Matching posts are hidden completely instead of behind a warning.' }),
  ),
  whole_word: Type.Optional(Type.Boolean({ description: 'Match whole words only. Defaults to true.' })),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0 or empty: the filter does not expire.' }),
  ),
})

/** Mastodon: /api/v1/filters and /api/v1/filters/:id. In version 1, each keyword is a filter with the keyword's id. */
export async function v1Filters(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['filters']
  const deprecated = deprecatedSince('2022-11-14')

  api.get(
    '',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'View your filters (version 1)',
        response: { 200: Type.Array(ref(V1Filter)) },
      },
    },
    async (request) => renderV1Filters(ctx, { accountId: viewerOf(request).accountId }),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'Create a filter (version 1)',
        body: V1FilterBody,
        response: { 200: ref(V1Filter) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const ids = await ctx.write((tx) => createV1Filter(tx, { accountId, attributes: readV1Filter(request.body) }))
      return renderV1Filter(ctx, { accountId, ...ids })
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'View a filter (version 1)',
        params: IdParams,
        response: { 200: ref(V1Filter) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: keywordId, filter_id: filterId } = await findKeyword(ctx, { id: request.params.id, accountId })
      return renderV1Filter(ctx, { accountId, filterId, keywordId })
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'Update a filter (version 1)',
        params: IdParams,
        body: V1FilterBody,
        response: { 200: ref(V1Filter) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: keywordId } = request.params
      const attributes = readV1Filter(request.body)
      const { filterId } = await ctx.write((tx) => updateV1Filter(tx, { accountId, id: keywordId, attributes }))
      return renderV1Filter(ctx, { accountId, filterId, keywordId })
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'Delete a filter (version 1)',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeV1Filter(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}

function readV1Filter(body: Static<typeof V1FilterBody>): V1FilterAttributes {
  return {
    phrase: body.phrase,
    contexts: body.context,
    irreversible: body.irreversible,
    wholeWord: body.whole_word,
    expiresInSeconds: body.expires_in,
  }
}
