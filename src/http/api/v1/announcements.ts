import { Type } from 'typebox'
import { dismissAnnouncement } from '../../../domain/announcements/dismiss.ts'
import { readAnnouncements } from '../../../domain/announcements/list.ts'
import { reactToAnnouncement, withdrawReaction } from '../../../domain/announcements/react.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Announcement } from '../../../entities/announcement.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { renderAnnouncements } from '../../../render/announcements/render-announcements.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { sendJson } from '../../support/send.ts'
import { ById, PathId } from '../../support/params.ts'

const Done = Type.Object({}, { description: 'Done.' })

const ByReaction = Type.Object({
  id: PathId,
  name: Type.String({ description: 'An emoji, or the code of a custom one without its colons.' }),
})

/** What the owner tells everybody here. */
export async function announcements(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['announcements']

  api.get(
    '',
    { schema: { tags, summary: 'See the announcements of now', response: { 200: Type.Array(ref(Announcement)) } } },
    async (request, reply) => {
      const { accountId: viewerId } = viewerOf(request)
      const ids = await readAnnouncements(ctx, { now: ctx.now() })
      return sendJson(reply, listJson(await ctx.read(renderAnnouncements, { ids, viewerId })))
    },
  )

  api.post(
    '/:id/dismiss',
    { schema: { tags, summary: 'Mark an announcement as read', params: ById, response: { 200: Done } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissAnnouncement(tx, { accountId, announcementId: request.params.id }))
      return {}
    },
  )

  api.put(
    '/:id/reactions/:name',
    { schema: { tags, summary: 'React to an announcement', params: ByReaction, response: { 200: Done } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: announcementId, name } = request.params
      await ctx.write((tx) => reactToAnnouncement(tx, { accountId, announcementId, name }))
      return {}
    },
  )

  api.delete(
    '/:id/reactions/:name',
    { schema: { tags, summary: 'Take a reaction back', params: ByReaction, response: { 200: Done } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: announcementId, name } = request.params
      await ctx.write((tx) => withdrawReaction(tx, { accountId, announcementId, name }))
      return {}
    },
  )
}
