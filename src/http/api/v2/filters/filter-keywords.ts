import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findKeyword } from '../../../../domain/filters/find-filter.ts'
import { addKeyword, removeKeyword, updateKeyword } from '../../../../domain/filters/change-keywords.ts'
import { FilterKeyword } from '../../../../entities/accounts/filter.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderFilter } from '../../../../render/filters/render-filters.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'

const KeywordBody = Type.Object({
  keyword: Type.Optional(Type.String({ description: 'At most 512 characters. Required for a new keyword.' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Match whole words only. Defaults to true.' })),
})

/** Mastodon: GET and POST /api/v2/filters/:id/keywords; GET, PUT and DELETE /api/v2/filters/keywords/:id */
export async function filterKeywords(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['filters']
  const render = async ({ id, accountId }: { id: string; accountId: string }): Promise<FilterKeyword> => {
    const { keyword, whole_word } = await findKeyword(ctx, { id, accountId })
    return { id, keyword, whole_word }
  }

  api.get(
    '/:id/keywords',
    {
      schema: {
        tags,
        summary: 'View the keywords of a filter',
        params: IdParams,
        response: { 200: Type.Array(ref(FilterKeyword)) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      return (await renderFilter(ctx, { accountId, id: request.params.id })).keywords
    },
  )

  api.post(
    '/:id/keywords',
    {
      schema: {
        tags,
        summary: 'Add a keyword to a filter',
        params: IdParams,
        body: KeywordBody,
        response: { 200: ref(FilterKeyword) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { keyword = '', whole_word: wholeWord } = request.body
      const filterId = request.params.id
      const id = await ctx.write((tx) => addKeyword(tx, { accountId, filterId, keyword, wholeWord }))
      return render({ id, accountId })
    },
  )

  api.get(
    '/keywords/:id',
    { schema: { tags, summary: 'View a keyword', params: IdParams, response: { 200: ref(FilterKeyword) } } },
    async (request) => render({ id: request.params.id, accountId: viewerOf(request).accountId }),
  )

  api.put(
    '/keywords/:id',
    {
      schema: {
        tags,
        summary: 'Update a keyword',
        params: IdParams,
        body: KeywordBody,
        response: { 200: ref(FilterKeyword) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { keyword, whole_word: wholeWord } = request.body
      await ctx.write((tx) => updateKeyword(tx, { accountId, id, change: { keyword, wholeWord } }))
      return render({ id, accountId })
    },
  )

  api.delete(
    '/keywords/:id',
    {
      schema: { tags, summary: 'Remove a keyword from a filter', params: IdParams, response: { 200: Type.Object({}) } },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeKeyword(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}
