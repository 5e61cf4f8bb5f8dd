import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findKeyword } from '../../../../domain/filters/find.ts'
import { addKeyword, removeKeyword, updateKeyword } from '../../../../domain/filters/keywords.ts'
import { FilterKeyword } from '../../../../entities/filter.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderFilter } from '../../../../render/filters/render-filters.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { ById } from '../../../support/params.ts'

const Body = Type.Object({
  keyword: Type.Optional(Type.String({ description: 'At most 512 characters. A new one needs some.' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Not as a part of other words. True by default.' })),
})

/** The keywords of the viewer's filters, one by one. */
export async function filterKeywords(api: Api, ctx: Ctx): Promise<void> {
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
        summary: 'See the keywords of a filter',
        params: ById,
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
        params: ById,
        body: Body,
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
    { schema: { tags, summary: 'See a keyword', params: ById, response: { 200: ref(FilterKeyword) } } },
    async (request) => render({ id: request.params.id, accountId: viewerOf(request).accountId }),
  )

  api.put(
    '/keywords/:id',
    { schema: { tags, summary: 'Change a keyword', params: ById, body: Body, response: { 200: ref(FilterKeyword) } } },
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
    { schema: { tags, summary: 'Remove a keyword', params: ById, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeKeyword(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}
