import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { createFilter, removeFilter, updateFilter } from '../../../../domain/filters/write-filter.ts'
import type { FilterAttributes } from '../../../../domain/filters/write-filter.ts'
import { Filter, FilterAction, FilterContext } from '../../../../entities/accounts/filter.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderFilter, renderFilters } from '../../../../render/filters/render-filters.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'

const KeywordParams = Type.Object({
  id: Type.Optional(Type.String({ description: 'The id of a keyword to change. Omitted for a new keyword.' })),
  keyword: Type.Optional(Type.String({ description: 'At most 512 characters.' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Match whole words only. Defaults to true.' })),
  _destroy: Type.Optional(Type.Boolean({ description: 'Remove this keyword.' })),
})

const FilterBody = Type.Object({
  title: Type.Optional(Type.String({ description: 'At most 256 characters. Required for a new filter.' })),
  context: Type.Optional(
    Type.Array(FilterContext, { description: 'Where the filter applies. Required for a new filter.' }),
  ),
  filter_action: Type.Optional(
    Type.With(FilterAction, { description: 'What clients do with matching posts. Defaults to `warn`.' }),
  ),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0 or empty: the filter does not expire.' }),
  ),
  keywords_attributes: Type.Optional(Type.Array(KeywordParams, { description: 'Keywords to add, change or remove.' })),
})

/** Mastodon: /api/v2/filters, /api/v2/filters/:id. The viewer's filters of keywords and statuses. */
export async function filters(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['filters']

  api.get(
    '',
    { schema: { tags, summary: 'View your filters', response: { 200: Type.Array(ref(Filter)) } } },
    (request) => renderFilters(ctx, { accountId: viewerOf(request).accountId }),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create a filter', body: FilterBody, response: { 200: ref(Filter) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const id = await ctx.write((tx) => createFilter(tx, { accountId, attributes: readFilter(request.body) }))
      return renderFilter(ctx, { accountId, id })
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a filter', params: IdParams, response: { 200: ref(Filter) } } },
    async (request) => renderFilter(ctx, { accountId: viewerOf(request).accountId, id: request.params.id }),
  )

  api.put(
    '/:id',
    {
      schema: { tags, summary: 'Update a filter', params: IdParams, body: FilterBody, response: { 200: ref(Filter) } },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      await ctx.write((tx) => updateFilter(tx, { accountId, id, attributes: readFilter(request.body) }))
      return renderFilter(ctx, { accountId, id })
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a filter', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeFilter(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}

function readFilter(body: Static<typeof FilterBody>): FilterAttributes {
  return {
    title: body.title,
    contexts: body.context,
    action: body.filter_action,
    expiresInSeconds: body.expires_in,
    keywords: body.keywords_attributes?.map(({ id, keyword, whole_word: wholeWord, _destroy: remove }) => ({
      id,
      keyword,
      wholeWord,
      remove,
    })),
  }
}
