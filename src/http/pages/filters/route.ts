import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import type { KeywordChange } from '../../../domain/filters/change-keywords.ts'
import { createFilter, removeFilter, updateFilter } from '../../../domain/filters/write-filter.ts'
import type { FilterAttributes } from '../../../domain/filters/write-filter.ts'
import { renderFilter, renderFilters } from '../../../render/filters/render-filters.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { codeOf, requireUser, problemsOf } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { ACTIONS, CONTEXTS, EXPIRIES, filterPage, filterPath, filtersPage } from './template.ts'
import type { FilterInput } from './template.ts'

const Body = formOf({
  title: Field,
  filter_action: Field,
  expires_in: Field,
  contexts: Type.Optional(Type.Array(Type.String())),
  keywords: Type.Optional(Type.Array(Type.Object({ id: Field, keyword: Field, whole_word: Field }))),
})

const EMPTY = {
  id: null,
  title: '',
  contexts: CONTEXTS,
  action: 'warn',
  expiresAt: null,
  keywords: [],
  statuses: 0,
} as const

/** The user's filters (Mastodon: /filters). */
export async function filterPages(api: TypedFastify, ctx: Ctx): Promise<void> {
  const send = (request: FastifyRequest, reply: FastifyReply, input: Omit<FilterInput, 'now'>) =>
    sendPage(ctx, { request, reply, page: (frame) => filterPage(frame, { ...input, now: ctx.now() }) })

  api.get(paths.filters, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.filters })
    if (!user) return reply
    const filters = await renderFilters(ctx, { accountId: user.accountId })
    return sendPage(ctx, { request, reply, page: (frame) => filtersPage(frame, { filters, now: ctx.now() }) })
  })

  api.get(paths.newFilter, { schema: { hide: true } }, async (request, reply) => {
    return requireUser(request, { reply, page: paths.filters, path: paths.newFilter })
      ? send(request, reply, EMPTY)
      : reply
  })

  api.post(paths.filters, { schema: { hide: true, body: Body } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.filters, path: paths.newFilter })
    if (!user) return reply
    const { accountId } = user
    const attributes = readForm(request.body)
    const errors = await problemsOf(ctx.write((tx) => createFilter(tx, { accountId, attributes })))
    if (errors.length === 0) return reply.redirect(paths.filters, 303)
    return send(request, codeOf(reply, errors), { ...EMPTY, ...entered(attributes), errors })
  })

  api.get(`${paths.filters}/:id/edit`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.filters, path: filterPath(id) })
    return user ? send(request, reply, await findInput(ctx, { accountId: user.accountId, id })) : reply
  })

  api.post(`${paths.filters}/:id`, { schema: { hide: true, params: IdParams, body: Body } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.filters, path: filterPath(id) })
    if (!user) return reply
    const { accountId } = user
    const attributes = readForm(request.body)
    const errors = await problemsOf(ctx.write((tx) => updateFilter(tx, { accountId, id, attributes })))
    if (errors.length === 0) return reply.redirect(paths.filters, 303)
    const stored = await findInput(ctx, { accountId, id })
    return send(request, codeOf(reply, errors), { ...stored, ...entered(attributes), errors })
  })

  api.post(
    `${paths.filters}/:id/delete`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.filters, path: filterPath(id) })
      if (!user) return reply
      const { accountId } = user
      await ctx.write((tx) => removeFilter(tx, { accountId, id }))
      return reply.redirect(paths.filters, 303)
    },
  )
}

/** Returns what the form of a stored filter shows. @throws NotFoundError */
async function findInput(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<Omit<FilterInput, 'now'>> {
  const filter = await renderFilter(ctx, { accountId, id })
  return {
    id,
    title: filter.title,
    contexts: filter.context,
    action: filter.filter_action,
    expiresAt: filter.expires_at === null ? null : new Date(filter.expires_at),
    keywords: filter.keywords,
    statuses: filter.statuses.length,
  }
}

/** Returns what the user entered, to show it again. */
function entered({ title = '', contexts = [], action = 'warn', expiresInSeconds, keywords = [] }: FilterAttributes) {
  return {
    title,
    contexts,
    action,
    expiresInSeconds,
    // A row that was emptied stays empty, so that its keyword is still removed when the form is sent again.
    keywords: keywords.map(({ id = '', keyword = '', wholeWord = true }) => ({ id, keyword, whole_word: wholeWord })),
  }
}

function readForm(body: Static<typeof Body>): FilterAttributes {
  const { title = '', contexts = [], keywords = [] } = body
  return {
    title: title.trim(),
    contexts: CONTEXTS.filter((one) => contexts.includes(one)),
    action: ACTIONS.find((one) => one === body.filter_action) ?? 'warn',
    // `keep`: the stored time stays.
    expiresInSeconds: EXPIRIES.find((seconds) => String(seconds) === body.expires_in),
    keywords: keywords.flatMap(readKeyword),
  }
}

/** An emptied row removes its keyword. An empty row without a keyword changes nothing. */
function readKeyword({
  id = '',
  keyword: text = '',
  whole_word: wholeWord,
}: NonNullable<Static<typeof Body>['keywords']>[number]): KeywordChange[] {
  const keyword = text.trim()
  if (id === '') return keyword === '' ? [] : [{ keyword, wholeWord: wholeWord !== undefined }]
  return [keyword === '' ? { id, remove: true } : { id, keyword, wholeWord: wholeWord !== undefined }]
}
