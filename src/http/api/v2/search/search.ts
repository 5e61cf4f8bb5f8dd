import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { searchAll } from '../../../../domain/search/search-all.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Search } from '../../../../entities/statuses/search.ts'
import { isId } from '../../../../lib/ids.ts'
import { entityJson } from '../../../../lib/json/entity-json.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderCollections } from '../../../../render/collections/render-collections.ts'
import { renderStatuses } from '../../../../render/statuses/render-statuses.ts'
import { renderTags } from '../../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { readLimit, readOffset } from '../../../support/pagination/cursor-pagination.ts'
import { readIdFilter } from '../../../support/request/id-filter.ts'
import { sendJson } from '../../../support/response/send.ts'

const SearchQuery = Type.Object({
  q: Type.String(),
  type: Type.Optional(oneOf(['accounts', 'hashtags', 'statuses'])),
  resolve: Type.Optional(Type.Boolean({ description: 'Resolve a handle or a URL at its server.' })),
  following: Type.Optional(Type.Boolean({ description: 'Only accounts that you follow.' })),
  exclude_unreviewed: Type.Optional(Type.Boolean({ description: 'Only hashtags that staff have reviewed.' })),
  account_id: Type.Optional(Type.String({ description: 'Only statuses of this account.' })),
  max_id: Type.Optional(Type.String({ description: 'Only statuses older than this id.' })),
  min_id: Type.Optional(Type.String({ description: 'Only statuses newer than this id.' })),
  limit: Type.Optional(Type.Integer({ description: 'Per type. Defaults to 20, at most 40.' })),
  offset: Type.Optional(Type.Integer({ description: 'Only with `type`.' })),
})

/** Mastodon: GET /api/v2/search. Finds accounts, hashtags and statuses, or resolves a URL or a handle. */
export async function search(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/search',
    {
      schema: {
        tags: ['search'],
        summary: 'Search',
        description: [
          'A URL with `resolve` returns only the account or status at that URL.',
          'Statuses are searched by their words, newest first. A status must contain all words; `"a phrase"` must',
          'occur literally, `-word` must not occur. Operators: `from:me`, `from:@name@host`, `has:media` (image,',
          'video, audio, poll, link, embed, quote), `is:reply`, `is:sensitive`, `language:en`, `before:2026-01-31`,',
          '`after:`, `during:` (also a month or a year, in your time zone); `-` negates each of them. `in:library`',
          'searches statuses that you wrote, interacted with or were mentioned in, `in:public` statuses that all users',
          'may search.',
        ].join(' '),
        querystring: SearchQuery,
        response: { 200: ref(Search) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { q, type, resolve = false, following, exclude_unreviewed: reviewedOnly, limit, offset } = request.query
      const { account_id: accountId, min_id: minId, max_id: maxId } = request.query
      const found = await searchAll(ctx, {
        viewerId,
        query: q.trim(),
        type,
        resolve,
        following,
        reviewedOnly,
        accountId: readIdFilter(accountId) ?? undefined,
        minId: isId(minId) ? minId : undefined,
        maxId: isId(maxId) ? maxId : undefined,
        limit: readLimit(limit, STATUS_PAGE),
        offset: type === undefined ? 0 : readOffset(offset),
      })
      const [accounts, statuses, hashtags, collections] = await Promise.all([
        ctx.read(renderAccounts, { ids: found.accounts, viewerId }),
        ctx.read(renderStatuses, { ids: found.statuses, viewerId }),
        renderTags(ctx, { ids: found.hashtags, viewerId, now: ctx.now() }),
        renderCollections(ctx, { ids: found.collections, viewerId }),
      ])
      return sendJson(
        reply,
        entityJson<Search>({
          accounts,
          statuses,
          hashtags,
          collections,
        }),
      )
    },
  )
}
