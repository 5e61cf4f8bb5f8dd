import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { allowedOrigin } from '../../../domain/feeds/access.ts'
import { readHomeFeed } from '../../../domain/feeds/home.ts'
import { ensureFeeds } from '../../../domain/feeds/keep.ts'
import { findTrendingCard, readLinkTimeline } from '../../../domain/feeds/link.ts'
import { readListFeed } from '../../../domain/feeds/list.ts'
import { readPublicTimeline } from '../../../domain/feeds/public.ts'
import type { Origin } from '../../../domain/feeds/public.ts'
import { readTagTimeline } from '../../../domain/feeds/tag.ts'
import { findList } from '../../../domain/lists/find.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatusPage } from '../../../render/statuses/render-statuses.ts'
import type { ReadApi } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

/** What narrows a public timeline down. */
const PUBLIC = {
  ...PAGING,
  local: Type.Optional(Type.Boolean()),
  remote: Type.Optional(Type.Boolean()),
  only_media: Type.Optional(Type.Boolean()),
}
const KEPT = ['local', 'remote', 'only_media']

const Names = Type.Optional(Type.Array(Type.String(), { description: 'Further hashtags; the first four count.' }))

/** What people read: their own feed, and what everybody may see. */
export function timelines(api: ReadApi): void {
  const describe = (summary: string) => ({ tags: ['timelines'], summary, response: { 200: Type.Array(ref(Status)) } })

  const describeFeed = (summary: string) => {
    const described = describe(summary)
    const part = { ...described.response[200], description: 'Of somebody who was away for long: what is there so far.' }
    return { ...described, querystring: Type.Object(PAGING), response: { ...described.response, 206: part } }
  }

  api.get(
    '/home',
    { schema: describeFeed('Read the home timeline'), prepare: prepareFeeds },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const ids = await readHomeFeed(read, { accountId, page })
      linkPages(read, { request, reply, cursors: ids, page, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
    },
  )

  api.get(
    '/list/:id',
    { schema: { ...describeFeed('Read the timeline of a list'), params: ById }, prepare: prepareFeeds },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const list = await findList(read, { id: request.params.id, accountId })
      const ids = await readListFeed(read, { accountId, listId: list.id, page })
      linkPages(read, { request, reply, cursors: ids, page, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId: accountId }))
    },
  )

  api.get(
    '/public',
    { schema: { ...describe('Read the public timeline'), querystring: Type.Object(PUBLIC) } },
    async (read, request, reply) => {
      const viewer = request.viewer
      const page = readPage(request.query, STATUS_PAGE)
      const origin = await allowedOrigin(read, { viewer, subject: 'live', origin: originOf(request.query) })
      const viewerId = viewer?.accountId ?? null
      const onlyMedia = request.query.only_media ?? false
      const ids = origin === null ? [] : await readPublicTimeline(read, { viewerId, page, origin, onlyMedia })
      linkPages(read, { request, reply, cursors: ids, page, keep: KEPT, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  api.get(
    '/tag/:name',
    {
      schema: {
        ...describe('Read the statuses with a hashtag'),
        params: Type.Object({ name: Type.String() }),
        querystring: Type.Object({ ...PUBLIC, any: Names, all: Names, none: Names }),
      },
    },
    async (read, request, reply) => {
      const { query, viewer } = request
      const page = readPage(query, STATUS_PAGE)
      const origin = await allowedOrigin(read, { viewer, subject: 'topic', origin: originOf(query) })
      const viewerId = viewer?.accountId ?? null
      const { any, all, none } = query
      const wanted = { viewerId, page, name: request.params.name, any, all, none, onlyMedia: query.only_media }
      const ids = origin === null ? [] : await readTagTimeline(read, { ...wanted, origin })
      const keep = [...KEPT, 'any', 'all', 'none']
      linkPages(read, { request, reply, cursors: ids, page, keep, style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  api.get(
    '/link',
    {
      schema: {
        ...describe('Read the statuses that link to a page'),
        querystring: Type.Object({
          ...PAGING,
          url: Type.String({ description: 'One that trends.' }),
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
      linkPages(read, { request, reply, cursors: ids, page, keep: ['url'], style: 'timeline' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/**
 * Has the feeds of a viewer rebuilt who comes back after a long time. Answers 206 while they are incomplete. Returns whether
 * it wrote anything.
 */
async function prepareFeeds(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<boolean> {
  const { accountId, feedsKept } = viewerOf(request)
  if (feedsKept) return false
  if (!(await ensureFeeds(ctx, { accountId }))) reply.code(206)
  return true
}

function originOf({ local, remote }: { local?: boolean; remote?: boolean }): Origin {
  return local ? 'local' : remote ? 'remote' : 'all'
}
