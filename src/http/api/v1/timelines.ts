import { Type } from 'typebox'
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
import type { Viewer } from '../../../domain/auth/viewer.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatusPage } from '../../../render/statuses.ts'
import { lookForChanges } from '../../../platform/db/changes.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendParts } from '../../support/send.ts'

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
export async function timelines(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({ tags: ['timelines'], summary, response: { 200: Type.Array(ref(Status)) } })

  const describeFeed = (summary: string) => {
    const described = describe(summary)
    const part = { ...described.response[200], description: 'Of somebody who was away for long: what is there so far.' }
    return { ...described, querystring: Type.Object(PAGING), response: { ...described.response, 206: part } }
  }
  /**
   * Has the feeds of a viewer who comes back after long rebuilt. While they are incomplete the status is 206, and after a
   * rebuild the request has to check for invalidations again.
   */
  const prepareFeeds = async ({ accountId, feedsKept, asOf }: Viewer) =>
    feedsKept
      ? { status: 200 as const, asOf }
      : { status: (await ensureFeeds(ctx, { accountId })) ? (200 as const) : (206 as const), asOf: undefined }

  api.get('/home', { schema: describeFeed('Read the home timeline') }, async (request, reply) => {
    const viewer = viewerOf(request)
    const { accountId } = viewer
    const page = readPage(request.query, STATUS_PAGE)
    const { status, asOf } = await prepareFeeds(viewer)
    const ids = await readHomeFeed(ctx, { accountId, page, asOf })
    linkPages(ctx, { request, reply, cursors: ids, page, style: 'timeline' })
    reply.code(status)
    return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId: accountId, asOf }))
  })

  api.get(
    '/list/:id',
    { schema: { ...describeFeed('Read the timeline of a list'), params: ById } },
    async (request, reply) => {
      const viewer = viewerOf(request)
      const { accountId } = viewer
      const page = readPage(request.query, STATUS_PAGE)
      const list = await findList(ctx, { id: request.params.id, accountId })
      const { status, asOf } = await prepareFeeds(viewer)
      const ids = await readListFeed(ctx, { accountId, listId: list.id, page, asOf })
      linkPages(ctx, { request, reply, cursors: ids, page, style: 'timeline' })
      reply.code(status)
      return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId: accountId, asOf }))
    },
  )

  api.get(
    '/public',
    { schema: { ...describe('Read the public timeline'), querystring: Type.Object(PUBLIC) } },
    async (request, reply) => {
      const viewer = request.viewer
      const page = readPage(request.query, STATUS_PAGE)
      const { moment: asOf } = await lookForChanges(ctx.db, { asOf: viewer?.asOf })
      const origin = await allowedOrigin(ctx, { viewer, subject: 'live', origin: originOf(request.query), asOf })
      const viewerId = viewer?.accountId ?? null
      const onlyMedia = request.query.only_media ?? false
      const ids = origin === null ? [] : await readPublicTimeline(ctx, { viewerId, page, origin, onlyMedia })
      linkPages(ctx, { request, reply, cursors: ids, page, keep: KEPT, style: 'timeline' })
      return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId, asOf }))
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
    async (request, reply) => {
      const { query, viewer } = request
      const page = readPage(query, STATUS_PAGE)
      const { moment: asOf } = await lookForChanges(ctx.db, { asOf: viewer?.asOf })
      const origin = await allowedOrigin(ctx, { viewer, subject: 'topic', origin: originOf(query), asOf })
      const viewerId = viewer?.accountId ?? null
      const { any, all, none } = query
      const wanted = { viewerId, page, name: request.params.name, any, all, none, onlyMedia: query.only_media }
      const ids = origin === null ? [] : await readTagTimeline(ctx, { ...wanted, origin })
      const keep = [...KEPT, 'any', 'all', 'none']
      linkPages(ctx, { request, reply, cursors: ids, page, keep, style: 'timeline' })
      return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId, asOf }))
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
    async (request, reply) => {
      const { query, viewer } = request
      const page = readPage(query, STATUS_PAGE)
      const { moment: asOf } = await lookForChanges(ctx.db, { asOf: viewer?.asOf })
      const origin = await allowedOrigin(ctx, { viewer, subject: 'topic', origin: 'all', asOf })
      const cardId = await findTrendingCard(ctx, { url: query.url })
      const viewerId = viewer?.accountId ?? null
      const ids = origin === null ? [] : await readLinkTimeline(ctx, { viewerId, page, cardId, origin })
      linkPages(ctx, { request, reply, cursors: ids, page, keep: ['url'], style: 'timeline' })
      return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId, asOf }))
    },
  )
}

function originOf({ local, remote }: { local?: boolean; remote?: boolean }): Origin {
  return local ? 'local' : remote ? 'remote' : 'all'
}
