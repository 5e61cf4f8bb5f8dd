import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { createFilter, removeFilter, updateFilter } from '../../../../domain/filters/write.ts'
import type { FilterTraits } from '../../../../domain/filters/write.ts'
import { Filter, FilterAction, FilterContext } from '../../../../entities/filter.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderFilter, renderFilters } from '../../../../render/filters/render-filters.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { ById } from '../../../support/params.ts'

const Keyword = Type.Object({
  id: Type.Optional(Type.String({ description: 'Of a keyword that is changed; a new one has none.' })),
  keyword: Type.Optional(Type.String({ description: 'At most 512 characters.' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Not as a part of other words. True by default.' })),
  _destroy: Type.Optional(Type.Boolean({ description: 'Remove this keyword.' })),
})

const Traits = Type.Object({
  title: Type.Optional(Type.String({ description: 'At most 256 characters. A new filter needs one.' })),
  context: Type.Optional(
    Type.Array(FilterContext, { description: 'Where it counts. A new filter needs at least one.' }),
  ),
  filter_action: Type.Optional(
    Type.With(FilterAction, { description: 'What clients do with posts that it catches. `warn` by default.' }),
  ),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0, or nothing: it does not expire.' }),
  ),
  keywords_attributes: Type.Optional(Type.Array(Keyword, { description: 'Keywords to add, change or remove.' })),
})

/** The viewer's filters: words and posts that clients are to keep from them. */
export async function filters(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['filters']

  api.get('', { schema: { tags, summary: 'See my filters', response: { 200: Type.Array(ref(Filter)) } } }, (request) =>
    renderFilters(ctx, { accountId: viewerOf(request).accountId }),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Make a filter', body: Traits, response: { 200: ref(Filter) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const id = await ctx.write((tx) => createFilter(tx, { accountId, traits: traitsOf(request.body) }))
      return renderFilter(ctx, { accountId, id })
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'See a filter', params: ById, response: { 200: ref(Filter) } } },
    async (request) => renderFilter(ctx, { accountId: viewerOf(request).accountId, id: request.params.id }),
  )

  api.put(
    '/:id',
    { schema: { tags, summary: 'Change a filter', params: ById, body: Traits, response: { 200: ref(Filter) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      await ctx.write((tx) => updateFilter(tx, { accountId, id, traits: traitsOf(request.body) }))
      return renderFilter(ctx, { accountId, id })
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Remove a filter', params: ById, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeFilter(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}

function traitsOf(body: Static<typeof Traits>): FilterTraits {
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
