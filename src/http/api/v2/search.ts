import { Type } from 'typebox'
import { searchAccounts } from '../../../domain/accounts/search.ts'
import type { Ctx } from '../../../domain/context.ts'
import type { Resolved } from '../../../domain/ports.ts'
import { searchTags } from '../../../domain/tags/search.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { ref } from '../../../entities/ref.ts'
import { Search } from '../../../entities/search.ts'
import { jsonArray, jsonObject } from '../../../lib/json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts.ts'
import { renderStatuses } from '../../../render/statuses.ts'
import { renderTags } from '../../../render/tags.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { readLimit } from '../../support/paginate.ts'
import { resolveQuery } from '../../support/resolve-query.ts'
import { sendJson } from '../../support/send.ts'

/** Nobody pages further than this through what a search found. */
const MAX_OFFSET = 10_000

const URL_QUERY = /^https?:\/\//i

const SearchQuery = Type.Object({
  q: Type.String(),
  type: Type.Optional(oneOf(['accounts', 'hashtags', 'statuses'])),
  resolve: Type.Optional(Type.Boolean({ description: 'Ask other servers for the handle or the address.' })),
  following: Type.Optional(Type.Boolean({ description: 'Only accounts that the viewer follows.' })),
  exclude_unreviewed: Type.Optional(Type.Boolean({ description: 'Only hashtags that were looked at by the staff.' })),
  account_id: Type.Optional(Type.String({ description: 'Only statuses of this account.' })),
  max_id: Type.Optional(Type.String()),
  min_id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ description: 'Of each kind; 20, at most 40.' })),
  offset: Type.Optional(Type.Integer({ description: 'Only with a type.' })),
})

interface Found {
  accounts: readonly string[]
  statuses: readonly string[]
  hashtags: readonly string[]
}

const NOTHING: Found = { accounts: [], statuses: [], hashtags: [] }

/** Finding accounts and hashtags by their names, and whatever lies at an address. */
export async function search(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/search',
    {
      schema: {
        tags: ['search'],
        summary: 'Search',
        description: 'An address, with `resolve`, gives what lies there and nothing else.',
        querystring: SearchQuery,
        response: { 200: ref(Search) },
      },
    },
    async (request, reply) => {
      const viewerId = viewerOf(request).accountId
      const { type, resolve = false, following, exclude_unreviewed: reviewedOnly, limit, offset } = request.query
      const query = request.query.q.trim()
      const terms = {
        query,
        type,
        resolve,
        following,
        reviewedOnly,
        limit: readLimit(limit, STATUS_PAGE),
        offset: type === undefined ? 0 : Math.min(Math.abs(offset ?? 0), MAX_OFFSET),
      }
      const found = await find(ctx, { viewerId, terms })
      const [accounts, statuses, hashtags] = await Promise.all([
        renderAccounts(ctx, { ids: found.accounts, viewerId }),
        renderStatuses(ctx, { ids: found.statuses, viewerId }),
        renderTags(ctx, { ids: found.hashtags, viewerId, now: ctx.now() }),
      ])
      return sendJson(
        reply,
        jsonObject<Search>({
          accounts: jsonArray(accounts),
          statuses: jsonArray(statuses),
          hashtags: jsonArray(hashtags),
          collections: jsonArray([]),
        }),
      )
    },
  )
}

interface Terms {
  query: string
  type: 'accounts' | 'hashtags' | 'statuses' | undefined
  resolve: boolean
  following: boolean | undefined
  reviewedOnly: boolean | undefined
  limit: number
  offset: number
}

async function find(ctx: Ctx, { viewerId, terms }: { viewerId: string; terms: Terms }): Promise<Found> {
  const { query, type, resolve, following, reviewedOnly, limit, offset } = terms
  if (limit === 0) return NOTHING
  if (resolve && URL_QUERY.test(query)) {
    const resolved = offset === 0 ? await ctx.remote.resolve({ uri: query, viewerId }) : null
    return resolved ? only(resolved, type) : NOTHING
  }
  const wants = (kind: Terms['type']) => type === undefined || type === kind
  if (resolve && offset === 0 && wants('accounts')) await resolveQuery(ctx, { query })
  const isTag = /^[#＃]/.test(query)
  const [accounts, hashtags] = await Promise.all([
    wants('accounts') && !isTag ? searchAccounts(ctx, { query, viewerId, following, limit, offset }) : [],
    wants('hashtags') && !query.includes('@')
      ? searchTags(ctx, { query, viewerId, now: ctx.now(), reviewedOnly, limit, offset })
      : [],
  ])
  return { accounts, statuses: [], hashtags }
}

function only({ kind, id }: Resolved, type: Terms['type']): Found {
  if (kind === 'account') return type === undefined || type === 'accounts' ? { ...NOTHING, accounts: [id] } : NOTHING
  return type === undefined || type === 'statuses' ? { ...NOTHING, statuses: [id] } : NOTHING
}
