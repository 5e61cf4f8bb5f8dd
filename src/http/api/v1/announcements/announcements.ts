import { Type } from 'typebox'
import { dismissAnnouncement } from '../../../../domain/announcements/dismiss-announcement.ts'
import { listActiveAnnouncements } from '../../../../domain/announcements/list-announcements.ts'
import { reactToAnnouncement, removeReaction } from '../../../../domain/announcements/react-to-announcement.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Announcement } from '../../../../entities/instance/announcement.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { renderAnnouncements } from '../../../../render/announcements/render-announcements.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { sendJson } from '../../../support/response/send.ts'
import { IdParams, PathId } from '../../../support/request/path-params.ts'

const EmptyResponse = Type.Object({}, { description: 'Done.' })

const ReactionParams = Type.Object({
  id: PathId,
  name: Type.String({ description: 'A Unicode emoji, or the shortcode of a custom emoji.' }),
})

/**
 * Mastodon: GET /api/v1/announcements, POST /api/v1/announcements/:id/dismiss,
 * PUT and DELETE /api/v1/announcements/:id/reactions/:name
 */
export async function announcements(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['announcements']

  api.get(
    '',
    { schema: { tags, summary: 'View active announcements', response: { 200: Type.Array(ref(Announcement)) } } },
    async (request, reply) => {
      const { accountId: viewerId } = viewerOf(request)
      const ids = await listActiveAnnouncements(ctx, { now: ctx.now() })
      return sendJson(reply, listJson(await ctx.read(renderAnnouncements, { ids, viewerId })))
    },
  )

  api.post(
    '/:id/dismiss',
    { schema: { tags, summary: 'Dismiss an announcement', params: IdParams, response: { 200: EmptyResponse } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissAnnouncement(tx, { accountId, announcementId: request.params.id }))
      return {}
    },
  )

  api.put(
    '/:id/reactions/:name',
    {
      schema: {
        tags,
        summary: 'Add a reaction to an announcement',
        params: ReactionParams,
        response: { 200: EmptyResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: announcementId, name } = request.params
      await ctx.write((tx) => reactToAnnouncement(tx, { accountId, announcementId, name }))
      return {}
    },
  )

  api.delete(
    '/:id/reactions/:name',
    {
      schema: {
        tags,
        summary: 'Remove a reaction from an announcement',
        params: ReactionParams,
        response: { 200: EmptyResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: announcementId, name } = request.params
      await ctx.write((tx) => removeReaction(tx, { accountId, announcementId, name }))
      return {}
    },
  )
}
