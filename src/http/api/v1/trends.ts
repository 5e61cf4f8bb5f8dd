import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readTrendingLinks, readTrendingStatuses, readTrendingTags } from '../../../domain/trends/read.ts'
import { TrendsLink } from '../../../entities/card.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { Tag } from '../../../entities/tag.ts'
import { jsonArray } from '../../../lib/json.ts'
import type { Json } from '../../../lib/json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import type { PageSize } from '../../../lib/page.ts'
import { renderStatuses } from '../../../render/statuses.ts'
import { renderTags } from '../../../render/tags.ts'
import { renderTrendingLinks } from '../../../render/trends.ts'
import type { Api } from '../../api.ts'
import { deprecatedSince } from '../../support/deprecated.ts'
import { linkOffsets, OFFSETS, readPart } from '../../support/offsets.ts'
import { languageOf } from '../../support/page.ts'
import { sendJson } from '../../support/send.ts'

/** So many hashtags, or links, are on a page. */
const TREND_PAGE: PageSize = { default: 10, max: 20 }

/** Since when the list of hashtags has its present name. */
const RENAMED = '2022-03-30'

type Query = { limit?: number; offset?: number }

/** What many people take part in just now. */
export async function trends(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({
    tags: ['trends'],
    summary,
    description: 'Empty where the server tells of no trends. There is always a Link header.',
    querystring: Type.Object(OFFSETS),
  })
  const readerOf = (request: FastifyRequest) => ({
    viewerId: request.viewer?.accountId ?? null,
    language: languageOf(ctx, request).split('-')[0]!.toLowerCase(),
  })
  const send = <T>(request: FastifyRequest, reply: FastifyReply, { part, ids, rows }: Found<T>) => {
    linkOffsets(ctx, { request, reply, count: ids.length, part, always: true })
    return sendJson(reply, jsonArray(rows))
  }
  const sendTags = async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    const part = readPart(request.query, { first: TREND_PAGE, others: TREND_PAGE })
    const ids = await readTrendingTags(ctx, { part })
    const rows = await renderTags(ctx, { ids, viewerId: request.viewer?.accountId ?? null, now: ctx.now() })
    return send(request, reply, { part, ids, rows })
  }

  const tags = { ...describe('See which hashtags trend'), response: { 200: Type.Array(ref(Tag)) } }
  api.get('/tags', { schema: tags }, sendTags)
  api.get('', { schema: { ...tags, ...deprecatedSince(RENAMED) } }, sendTags)

  api.get(
    '/statuses',
    { schema: { ...describe('See which statuses trend'), response: { 200: Type.Array(ref(Status)) } } },
    async (request, reply) => {
      const part = readPart(request.query, { first: STATUS_PAGE, others: STATUS_PAGE })
      const reader = readerOf(request)
      const ids = await readTrendingStatuses(ctx, { ...reader, part })
      const rows = await renderStatuses(ctx, { ids, viewerId: reader.viewerId })
      return send(request, reply, { part, ids, rows })
    },
  )

  api.get(
    '/links',
    { schema: { ...describe('See which pages many link to'), response: { 200: Type.Array(ref(TrendsLink)) } } },
    async (request, reply) => {
      const part = readPart(request.query, { first: TREND_PAGE, others: TREND_PAGE })
      const reader = readerOf(request)
      const ids = await readTrendingLinks(ctx, { ...reader, part })
      const rows = await renderTrendingLinks(ctx, { ids, viewerId: reader.viewerId, now: ctx.now() })
      return send(request, reply, { part, ids, rows })
    },
  )
}

interface Found<T> {
  part: { limit: number; offset: number }
  ids: readonly string[]
  rows: readonly Json<T>[]
}
