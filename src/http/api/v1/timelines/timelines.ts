import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../../domain/context.ts'
import { allowedOrigin } from '../../../../domain/timelines/public/timeline-access.ts'
import { readHomeFeed } from '../../../../domain/timelines/feeds/read-home-feed.ts'
import { ensureFeeds } from '../../../../domain/timelines/feeds/rebuild-feeds.ts'
import { findTrendingCard, readLinkTimeline } from '../../../../domain/trends/read-link-timeline.ts'
import { readListFeed } from '../../../../domain/timelines/feeds/read-list-feed.ts'
import { readPublicTimeline } from '../../../../domain/timelines/public/read-public-timeline.ts'
import type { Origin } from '../../../../domain/timelines/public/read-public-timeline.ts'
import { readTagTimeline } from '../../../../domain/timelines/public/read-tag-timeline.ts'
import { findList } from '../../../../domain/lists/find-list.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Parameters that filter a public timeline. */
const PUBLIC_TIMELINE_PARAMS = {
  ...CURSOR_PAGINATION_PARAMS,
  local: Type.Optional(Type.Boolean()),
  remote: Type.Optional(Type.Boolean()),
  only_media: Type.Optional(Type.Boolean()),
}
const CARRIED_PARAMS = ['local', 'remote', 'only_media']

const hashtagNames = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** Mastodon: GET /api/v1/timelines/{home,list/:id,public,tag/:name,link} */
export function timelines(api: ReadApi): void {
  const schemaOf = (summary: string) => ({ tags: ['timelines'], summary, response: { 200: Type.Array(ref(Status)) } })

  const feedSchemaOf = (summary: string) => {
    const base = schemaOf(summary)
    const partialResponse = {
      ...base.response[200],
      description: 'The feed is being rebuilt after a long absence: the statuses that it has so far.',
    }
    return {
      ...base,
      querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
      response: { ...base.response, 206: partialResponse },
    }
  }

  api.get(
    '/home',
    { schema: feedSchemaOf('View your home timeline'), prepare: prepareFeeds },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const ids = await readHomeFeed(read, { accountId, page })
      setLinkHeader(read, { request, reply, cursors: ids, page, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
    },
  )

  api.get(
    '/list/:id',
    { schema: { ...feedSchemaOf('View a list timeline'), params: IdParams }, prepare: prepareFeeds },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const list = await findList(read, { id: request.params.id, accountId })
      const ids = await readListFeed(read, { accountId, listId: list.id, page })
      setLinkHeader(read, { request, reply, cursors: ids, page, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
    },
  )

  api.get(
    '/public',
    { schema: { ...schemaOf('View the public timeline'), querystring: Type.Object(PUBLIC_TIMELINE_PARAMS) } },
    async (read, request, reply) => {
      const viewer = request.viewer
      const page = readPage(request.query, STATUS_PAGE)
      const origin = await allowedOrigin(read, { viewer, subject: 'live', origin: originOf(request.query) })
      const viewerId = viewer?.accountId ?? null
      const onlyMedia = request.query.only_media ?? false
      const ids = origin === null ? [] : await readPublicTimeline(read, { viewerId, page, origin, onlyMedia })
      setLinkHeader(read, { request, reply, cursors: ids, page, carriedParams: CARRIED_PARAMS, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  api.get(
    '/tag/:name',
    {
      schema: {
        ...schemaOf('View a hashtag timeline'),
        params: Type.Object({ name: Type.String() }),
        querystring: Type.Object({
          ...PUBLIC_TIMELINE_PARAMS,
          any: hashtagNames('More hashtags, of which a status has at least one; only the first three are used.'),
          all: hashtagNames('More hashtags, of which a status has all; only the first four are used.'),
          none: hashtagNames('Hashtags of which a status has none; only the first four are used.'),
        }),
      },
    },
    async (read, request, reply) => {
      const { query, viewer } = request
      const page = readPage(query, STATUS_PAGE)
      const origin = await allowedOrigin(read, { viewer, subject: 'topic', origin: originOf(query) })
      const viewerId = viewer?.accountId ?? null
      const { any, all, none } = query
      const timelineQuery = { viewerId, page, name: request.params.name, any, all, none, onlyMedia: query.only_media }
      const ids = origin === null ? [] : await readTagTimeline(read, { ...timelineQuery, origin })
      const carriedParams = [...CARRIED_PARAMS, 'any', 'all', 'none']
      setLinkHeader(read, { request, reply, cursors: ids, page, carriedParams, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  api.get(
    '/link',
    {
      schema: {
        ...schemaOf('View the statuses that link to a page'),
        querystring: Type.Object({
          ...CURSOR_PAGINATION_PARAMS,
          url: Type.String({ description: 'The URL of a trending link.' }),
        }),
      },
    },
    async (read, request, reply) => {
      const { query, viewer } = request
      const page = readPage(query, STATUS_PAGE)
      const origin = await allowedOrigin(read, { viewer, subject: 'topic', origin: 'all' })
      const cardId = await findTrendingCard(read, { url: query.url })
      const viewerId = viewer?.accountId ?? null
      const ids = origin === null ? [] : await readLinkTimeline(read, { viewerId, page, cardId, origin })
      setLinkHeader(read, { request, reply, cursors: ids, page, carriedParams: ['url'], style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/**
 * Rebuilds the feeds of a viewer who returns after a long absence. Sets the status code 206 while they are incomplete.
 * Returns whether it wrote anything.
 */
async function prepareFeeds(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<boolean> {
  const { accountId, feedsComplete } = viewerOf(request)
  if (feedsComplete) return false
  if (!(await ensureFeeds(ctx, { accountId }))) reply.code(206)
  return true
}

function originOf({ local, remote }: { local?: boolean; remote?: boolean }): Origin {
  return local ? 'local' : remote ? 'remote' : 'all'
}
