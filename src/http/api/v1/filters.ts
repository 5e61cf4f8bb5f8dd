import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findKeyword } from '../../../domain/filters/find.ts'
import { createPhrase, removePhrase, updatePhrase } from '../../../domain/filters/phrases.ts'
import type { PhraseTraits } from '../../../domain/filters/phrases.ts'
import { FilterContext, V1Filter } from '../../../entities/filter.ts'
import { ref } from '../../../entities/ref.ts'
import { renderV1Filter, renderV1Filters } from '../../../render/filters/render-filters.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { deprecatedSince } from '../../support/deprecated.ts'
import { ById } from '../../support/params.ts'

const Traits = Type.Object({
  phrase: Type.Optional(Type.String({ description: 'At most 256 characters. A new filter needs one.' })),
  context: Type.Optional(
    Type.Array(FilterContext, { description: 'Where it counts. A new filter needs at least one.' }),
  ),
  irreversible: Type.Optional(Type.Boolean({ description: 'Posts that it catches are left out, not folded.' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Not as a part of other words. True by default.' })),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0, or nothing: it does not expire.' }),
  ),
})

/** The viewer's filters as older clients know them: each keyword is one, and goes by its own id. */
export async function phrases(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['filters']
  const deprecated = deprecatedSince('2022-11-14')

  api.get(
    '',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'See my filters by keyword',
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
        summary: 'Make a filter of one keyword',
        body: Traits,
        response: { 200: ref(V1Filter) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const ids = await ctx.write((tx) => createPhrase(tx, { accountId, traits: traitsOf(request.body) }))
      return renderV1Filter(ctx, { accountId, ...ids })
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'See a filter by its keyword',
        params: ById,
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
        summary: 'Change a filter by its keyword',
        params: ById,
        body: Traits,
        response: { 200: ref(V1Filter) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: keywordId } = request.params
      const traits = traitsOf(request.body)
      const { filterId } = await ctx.write((tx) => updatePhrase(tx, { accountId, id: keywordId, traits }))
      return renderV1Filter(ctx, { accountId, filterId, keywordId })
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        ...deprecated,
        summary: 'Remove a filter by its keyword',
        params: ById,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removePhrase(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}

function traitsOf(body: Static<typeof Traits>): PhraseTraits {
  return {
    phrase: body.phrase,
    contexts: body.context,
    irreversible: body.irreversible,
    wholeWord: body.whole_word,
    expiresInSeconds: body.expires_in,
  }
}
