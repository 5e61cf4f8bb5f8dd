import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listTrendingStatuses } from '../../../../domain/trends/list-trending-statuses.ts'
import { listTrendingLinks, listTrendingTags } from '../../../../domain/trends/read-trends.ts'
import { TrendsLink } from '../../../../entities/statuses/card.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { Tag } from '../../../../entities/statuses/tag.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../../lib/json/json-content.ts'
import { STATUS_PAGE, TREND_PAGE } from '../../../../lib/page.ts'
import { renderStatuses } from '../../../../render/statuses/render-statuses.ts'
import { renderTags } from '../../../../render/tags/render-tags.ts'
import { renderTrendingLinks } from '../../../../render/cards/render-trending-links.ts'
import type { ReadApi, TypedFastify } from '../../../typed-fastify.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import {
  setOffsetLinkHeader,
  OFFSET_LIST_PARAMS,
  readOffsetPage,
} from '../../../support/pagination/offset-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'
import { trendsReaderOf } from './trends-reader.ts'

/** When Mastodon renamed /api/v1/trends to /api/v1/trends/tags. */
const TAGS_RENAMED_AT = '2022-03-30'

type OffsetQuery = { limit?: number; offset?: number }

const schemaOf = (summary: string) => ({
  tags: ['trends'],
  summary,
  description: 'Empty when trends are disabled. The response always has a Link header.',
  querystring: Type.Object(OFFSET_LIST_PARAMS),
})

/** Mastodon: GET /api/v1/trends/statuses */
export function trendingStatuses(api: ReadApi): void {
  api.get(
    '/statuses',
    { schema: { ...schemaOf('View trending statuses'), response: { 200: Type.Array(ref(Status)) } } },
    async (read, request, reply) => {
      const page = readOffsetPage(request.query, { first: STATUS_PAGE, later: STATUS_PAGE })
      const reader = trendsReaderOf(read, request)
      const ids = await listTrendingStatuses(read, { ...reader, page })
      const rows = await renderStatuses(read, { ids, viewerId: reader.viewerId })
      return sendTrends(read, { request, reply, page, ids, rows })
    },
  )
}

/** Mastodon: GET /api/v1/trends/{tags,links} and the deprecated GET /api/v1/trends */
export async function trends(api: TypedFastify, ctx: Ctx): Promise<void> {
  const sendTags = async (request: FastifyRequest<{ Querystring: OffsetQuery }>, reply: FastifyReply) => {
    const page = readOffsetPage(request.query, { first: TREND_PAGE, later: TREND_PAGE })
    const ids = await listTrendingTags(ctx, { page })
    const rows = await renderTags(ctx, { ids, viewerId: request.viewer?.accountId ?? null, now: ctx.now() })
    return sendTrends(ctx, { request, reply, page, ids, rows })
  }

  const tags = { ...schemaOf('View trending hashtags'), response: { 200: Type.Array(ref(Tag)) } }
  api.get('/tags', { schema: tags }, sendTags)
  api.get('', { schema: { ...tags, ...deprecatedSince(TAGS_RENAMED_AT) } }, sendTags)

  api.get(
    '/links',
    { schema: { ...schemaOf('View trending links'), response: { 200: Type.Array(ref(TrendsLink)) } } },
    async (request, reply) => {
      const page = readOffsetPage(request.query, { first: TREND_PAGE, later: TREND_PAGE })
      const scope = trendsReaderOf(ctx, request)
      const ids = await listTrendingLinks(ctx, { ...scope, page })
      const rows = await ctx.read(renderTrendingLinks, { ids, viewerId: scope.viewerId, now: ctx.now() })
      return sendTrends(ctx, { request, reply, page, ids, rows })
    },
  )
}

interface TrendPage<T> {
  request: FastifyRequest
  reply: FastifyReply
  page: { limit: number; offset: number }
  ids: readonly string[]
  rows: readonly (EntityJson<T> | T)[]
}

function sendTrends<T>(read: Pick<Ctx, 'config'>, { request, reply, page, ids, rows }: TrendPage<T>): FastifyReply {
  setOffsetLinkHeader(read, { request, reply, count: ids.length, page, alwaysLinkPrevious: true })
  return sendJson(reply, listJson(rows))
}
