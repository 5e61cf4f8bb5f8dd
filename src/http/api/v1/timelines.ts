import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readHomeFeed } from '../../../domain/feeds/home.ts'
import { readPublicTimeline } from '../../../domain/feeds/public.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { jsonArray } from '../../../lib/json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderStatuses } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** What people read: their own feed, and what everybody may see. */
export async function timelines(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({ tags: ['timelines'], summary, response: { 200: Type.Array(ref(Status)) } })

  api.get(
    '/home',
    { schema: { ...describe('Read the home timeline'), querystring: Type.Object(PAGING) } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const ids = await readHomeFeed(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: ids, page, style: 'timeline' })
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
