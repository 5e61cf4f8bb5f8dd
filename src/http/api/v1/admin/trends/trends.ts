import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { hasPermission } from '../../../../../domain/access/permissions.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { listPublishers } from '../../../../../domain/trends/list-publishers.ts'
import { listTrends } from '../../../../../domain/trends/list-trends.ts'
import { listTrendingStatuses } from '../../../../../domain/trends/list-trending-statuses.ts'
import { listTrendingLinks, listTrendingTags } from '../../../../../domain/trends/read-trends.ts'
import { approveTrend, rejectTrend } from '../../../../../domain/trends/review-trend.ts'
import type { TrendKind } from '../../../../../domain/trends/review-trend.ts'
import { AdminTag } from '../../../../../entities/admin/content/admin-tag.ts'
import {
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
} from '../../../../../entities/admin/content/admin-trends.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { TrendsLink } from '../../../../../entities/statuses/card.ts'
import { Status } from '../../../../../entities/statuses/status.ts'
import { Tag } from '../../../../../entities/statuses/tag.ts'
import { NotFoundError } from '../../../../../lib/errors.ts'
import { listJson, valueJson } from '../../../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../../../lib/json/json-content.ts'
import { ADMIN_PAGE, STATUS_PAGE, TREND_PAGE } from '../../../../../lib/page.ts'
import type { PageSize } from '../../../../../lib/page.ts'
import { renderAdminTags } from '../../../../../render/admin/content/render-admin-tags.ts'
import {
  renderAdminTrendsLinks,
  renderAdminTrendsStatuses,
  renderTrendsPublishers,
} from '../../../../../render/admin/content/render-admin-trends.ts'
import { renderTrendingLinks } from '../../../../../render/cards/render-trending-links.ts'
import { renderStatuses } from '../../../../../render/statuses/render-statuses.ts'
import { renderTags } from '../../../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import {
  OFFSET_LIST_PARAMS,
  readOffsetPage,
  setOffsetLinkHeader,
} from '../../../../support/pagination/offset-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'
import { trendsReaderOf } from '../../trends/trends-reader.ts'

const TAGS = ['admin: trends']

type Rows = readonly (EntityJson<unknown> | object)[]

interface Kind {
  /** The last segment of the path. */
  path: string
  kind: TrendKind
  noun: string
  size: PageSize
  response: ReturnType<typeof ref>
  publicResponse: ReturnType<typeof ref>
  renderForStaff(ctx: Ctx, input: { ids: readonly string[]; viewerId: string }): Promise<Rows>
  /** Returns the ids and the entities of the public list. */
  readPublic(
    ctx: Ctx,
    input: { reader: ReturnType<typeof trendsReaderOf>; page: { limit: number; offset: number } },
  ): Promise<{ ids: readonly string[]; rows: Rows }>
}

const KINDS: readonly Kind[] = [
  {
    path: 'tags',
    kind: 'tag',
    noun: 'hashtag',
    size: TREND_PAGE,
    response: ref(AdminTag),
    publicResponse: ref(Tag),
    renderForStaff: (ctx, input) => renderAdminTags(ctx, { ...input, now: ctx.now() }),
    async readPublic(ctx, { reader: { viewerId }, page }) {
      const ids = await listTrendingTags(ctx, { page })
      return { ids, rows: await renderTags(ctx, { ids, viewerId, now: ctx.now() }) }
    },
  },
  {
    path: 'statuses',
    kind: 'status',
    noun: 'status',
    size: STATUS_PAGE,
    response: ref(AdminTrendsStatus),
    publicResponse: ref(Status),
    renderForStaff: (ctx, input) => ctx.read(renderAdminTrendsStatuses, input),
    async readPublic(ctx, { reader, page }) {
      const ids = await ctx.read(listTrendingStatuses, { ...reader, page })
      return { ids, rows: await ctx.read(renderStatuses, { ids, viewerId: reader.viewerId }) }
    },
  },
  {
    path: 'links',
    kind: 'link',
    noun: 'link',
    size: TREND_PAGE,
    response: ref(AdminTrendsLink),
    publicResponse: ref(TrendsLink),
    renderForStaff: (ctx, input) => ctx.read(renderAdminTrendsLinks, { ...input, now: ctx.now() }),
    async readPublic(ctx, { reader, page }) {
      const ids = await listTrendingLinks(ctx, { ...reader, page })
      const rows = await ctx.read(renderTrendingLinks, { ids, viewerId: reader.viewerId, now: ctx.now() })
      return { ids, rows }
    },
  },
]

const REVIEWS = [
  ['approve', 'Allow', approveTrend],
  ['reject', 'Disallow', rejectTrend],
] as const

/**
 * Mastodon: GET /api/v1/admin/trends/{tags,statuses,links,links/publishers} and POST
 * /api/v1/admin/trends/{tags,statuses,links,links/publishers}/:id/{approve,reject}
 */
export async function adminTrends(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const kind of KINDS) trendsOfKind(api, ctx, kind)

  const sendPublisher = async (reply: FastifyReply, id: string) => {
    const [publisher] = await renderTrendsPublishers(ctx, { ids: [id] })
    if (publisher === undefined) throw new NotFoundError()
    return reply.send(publisher)
  }
  api.get(
    '/links/publishers',
    {
      schema: {
        tags: TAGS,
        summary: 'View the publishers of trending links',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminTrendsPublisher)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, ADMIN_PAGE)
      const ids = await listPublishers(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, style: 'posts' })
      return sendJson(reply, listJson(await renderTrendsPublishers(ctx, { ids })))
    },
  )
  for (const [path, verb, review] of REVIEWS) {
    const summary = `${verb} the links of a publisher to trend`
    const schema = { tags: TAGS, summary, params: IdParams, response: { 200: ref(AdminTrendsPublisher) } }
    api.post(`/links/publishers/:id/${path}`, { schema }, async (request, reply) => {
      const { id } = request.params
      await ctx.write((tx) => review(tx, { kind: 'publisher', id, by: staffOf(request) }))
      return sendPublisher(reply, id)
    })
  }
}

function trendsOfKind(api: TypedFastify, ctx: Ctx, { path, kind, noun, size, ...parts }: Kind): void {
  const { response, publicResponse, renderForStaff, readPublic } = parts

  const readForStaff = async (request: FastifyRequest, page: { limit: number; offset: number }) => {
    const ids = (await listTrends(ctx, { kind, page })).map(({ id }) => id)
    return { ids, rows: await renderForStaff(ctx, { ids, viewerId: staffOf(request).accountId }) }
  }
  api.get(
    `/${path}`,
    {
      schema: {
        tags: TAGS,
        summary: `View trending ${path}`,
        description:
          'Includes trends that are rejected or not reviewed, also while trends are disabled. ' +
          'Users who may not manage taxonomies get the public list.',
        querystring: Type.Object(OFFSET_LIST_PARAMS),
        response: { 200: Type.Array(Type.Union([response, publicResponse])) },
      },
    },
    async (request, reply) => {
      const page = readOffsetPage(request.query, { first: size, later: size })
      const { ids, rows } = hasPermission(staffOf(request).permissions, 'manageTaxonomies')
        ? await readForStaff(request, page)
        : await readPublic(ctx, { reader: trendsReaderOf(ctx, request), page })
      setOffsetLinkHeader(ctx, { request, reply, count: ids.length, page, alwaysLinkPrevious: true })
      return sendJson(reply, listJson<unknown>(rows))
    },
  )

  for (const [action, verb, review] of REVIEWS) {
    const schema = { tags: TAGS, summary: `${verb} a ${noun} to trend`, params: IdParams, response: { 200: response } }
    api.post(`/${path}/:id/${action}`, { schema }, async (request, reply) => {
      const { id } = request.params
      const staff = staffOf(request)
      await ctx.write((tx) => review(tx, { kind, id, by: staff }))
      const [row] = await renderForStaff(ctx, { ids: [id], viewerId: staff.accountId })
      if (row === undefined) throw new NotFoundError()
      return sendJson(reply, valueJson<unknown>(row))
    })
  }
}
