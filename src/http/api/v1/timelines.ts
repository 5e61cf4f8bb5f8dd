import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readHomeFeed } from '../../../domain/feeds/home.ts'
import { askForFeeds } from '../../../domain/feeds/keep.ts'
import { readListFeed } from '../../../domain/feeds/list.ts'
import { readPublicTimeline } from '../../../domain/feeds/public.ts'
import { findList } from '../../../domain/lists/find.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { jsonArray } from '../../../lib/json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatuses } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

/** What people read: their own feed, and what everybody may see. */
export async function timelines(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({ tags: ['timelines'], summary, response: { 200: Type.Array(ref(Status)) } })

  const describeFeed = (summary: string) => {
    const described = describe(summary)
    const part = { ...described.response[200], description: 'Of somebody who was away for long: what is there so far.' }
    return { ...described, querystring: Type.Object(PAGING), response: { ...described.response, 206: part } }
  }
  /** Whoever comes back after long finds their feeds empty at first, and is told so. */
  const statusOf = async ({ accountId, feedsKept }: Viewer): Promise<200 | 206> => {
    if (feedsKept) return 200
    await askForFeeds(ctx, { accountId })
    return 206
  }

  api.get('/home', { schema: describeFeed('Read the home timeline') }, async (request, reply) => {
    const viewer = viewerOf(request)
    const { accountId } = viewer
    const page = readPage(request.query, STATUS_PAGE)
    const ids = await readHomeFeed(ctx, { accountId, page })
    linkPages(ctx, { request, reply, cursors: ids, page, style: 'timeline' })
    reply.code(await statusOf(viewer))
    return sendJson(reply, jsonArray(await renderStatuses(ctx, { ids, viewerId: accountId })))
  })

  api.get(
    '/list/:id',
    { schema: { ...describeFeed('Read the timeline of a list'), params: ById } },
    async (request, reply) => {
      const viewer = viewerOf(request)
      const { accountId } = viewer
      const page = readPage(request.query, STATUS_PAGE)
      const list = await findList(ctx, { id: request.params.id, accountId })
      const ids = await readListFeed(ctx, { accountId, listId: list.id, page })
      linkPages(ctx, { request, reply, cursors: ids, page, style: 'timeline' })
      reply.code(await statusOf(viewer))
      return sendJson(reply, jsonArray(await renderStatuses(ctx, { ids, viewerId: accountId })))
    },
  )

  const PublicQuery = Type.Object({
    ...PAGING,
    local: Type.Optional(Type.Boolean()),
    remote: Type.Optional(Type.Boolean()),
    only_media: Type.Optional(Type.Boolean()),
  })
  api.get(
    '/public',
    { schema: { ...describe('Read the public timeline'), querystring: PublicQuery } },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const { local, remote, only_media: onlyMedia = false } = request.query
      const page = readPage(request.query, STATUS_PAGE)
      const origin = local ? 'local' : remote ? 'remote' : 'all'
      const ids = await readPublicTimeline(ctx, { viewerId, page, origin, onlyMedia })
      const keep = ['local', 'remote', 'only_media']
      linkPages(ctx, { request, reply, cursors: ids, page, keep, style: 'timeline' })
      return sendJson(reply, jsonArray(await renderStatuses(ctx, { ids, viewerId })))
    },
  )
}
