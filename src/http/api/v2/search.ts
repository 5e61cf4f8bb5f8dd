import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findAnything } from '../../../domain/search/find-anything.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { ref } from '../../../entities/ref.ts'
import { Search } from '../../../entities/search.ts'
import { isId } from '../../../lib/ids.ts'
import { entityJson } from '../../../lib/entity-json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import { renderCollections } from '../../../render/collections/render-collections.ts'
import { renderStatuses } from '../../../render/statuses/render-statuses.ts'
import { renderTags } from '../../../render/tags/render-tags.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { readLimit, readOffset } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

const SearchQuery = Type.Object({
  q: Type.String(),
  type: Type.Optional(oneOf(['accounts', 'hashtags', 'statuses'])),
  resolve: Type.Optional(Type.Boolean({ description: 'Ask other servers for the handle or the address.' })),
  following: Type.Optional(Type.Boolean({ description: 'Only accounts that the viewer follows.' })),
  exclude_unreviewed: Type.Optional(Type.Boolean({ description: 'Only hashtags that were looked at by the staff.' })),
  account_id: Type.Optional(Type.String({ description: 'Only statuses of this account.' })),
  max_id: Type.Optional(Type.String({ description: 'Only statuses that are older.' })),
  min_id: Type.Optional(Type.String({ description: 'Only statuses that are newer.' })),
  limit: Type.Optional(Type.Integer({ description: 'Of each kind; 20, at most 40.' })),
  offset: Type.Optional(Type.Integer({ description: 'Only with a type.' })),
})

/** The id of no account. */
const NOBODY = '0'

/** Finding accounts and hashtags by their names, statuses by their words, and whatever lies at an address. */
export async function search(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/search',
    {
      schema: {
        tags: ['search'],
        summary: 'Search',
        description: [
          'An address, with `resolve`, gives what lies there and nothing else.',
          'Statuses are found by their words, newest first. Several words must all be there; `"a phrase"` as it is',
          'written, `-word` not at all. `from:me`, `from:@name@host`, `has:media` (image, video, audio, poll, link, embed,',
          'quote), `is:reply`, `is:sensitive`, `language:en`, `before:2026-01-31`, `after:`, `during:` (also a month or a',
          'year, in the time zone of whoever asks) narrow it down, and `-` turns each of them round. `in:library` is what',
          'one has to do with, `in:public` what everybody may search.',
        ].join(' '),
        querystring: SearchQuery,
        response: { 200: ref(Search) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { q, type, resolve = false, following, exclude_unreviewed: reviewedOnly, limit, offset } = request.query
      const { account_id: accountId, min_id: minId, max_id: maxId } = request.query
      const found = await findAnything(ctx, {
        viewerId,
        query: q.trim(),
        type,
        resolve,
        following,
        reviewedOnly,
        accountId: accountId === undefined || isId(accountId) ? accountId : NOBODY,
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
