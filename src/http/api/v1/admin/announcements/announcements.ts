import { Type } from 'typebox'
import type { Static } from 'typebox'
import { getAnnouncement, listAnnouncementPage } from '../../../../../domain/announcements/list-announcements.ts'
import { publishAnnouncement, unpublishAnnouncement } from '../../../../../domain/announcements/publish-announcement.ts'
import { removeAnnouncement } from '../../../../../domain/announcements/remove-announcement.ts'
import { createAnnouncement, updateAnnouncement } from '../../../../../domain/announcements/write-announcement.ts'
import type { AnnouncementChanges } from '../../../../../domain/announcements/write-announcement.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { AdminAnnouncement } from '../../../../../entities/admin/settings/admin-announcement.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { parseTimestamp } from '../../../../../lib/time/parse-timestamp.ts'
import { renderAdminAnnouncement } from '../../../../../render/admin/settings/render-admin-announcement.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const time = (description: string) =>
  Type.Optional(Type.String({ description: `${description} ISO 8601; empty: none.`, 'x-null': '' }))

const AnnouncementBody = Type.Object({
  text: Type.Optional(
    Type.String({
      description:
        'Required for a new announcement. With mentions, hashtags, emojis and links; at most 10,000 characters.',
    }),
  ),
  starts_at: time('The start of the announced event.'),
  ends_at: time('The end of the announced event, after which the announcement is hidden.'),
  all_day: Type.Optional(Type.Boolean({ description: 'Only the dates of `starts_at` and `ends_at` count, in UTC.' })),
  scheduled_at: time('When a draft is published.'),
})
const NewAnnouncement = Type.Object({
  ...AnnouncementBody.properties,
  published: Type.Optional(
    Type.Boolean({ description: 'False: a draft. By default, it is published at once or at `scheduled_at`.' }),
  ),
})

/** Linnet's own: /api/v1/admin/announcements. Users read announcements at /api/v1/announcements. */
export async function adminAnnouncements(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: announcements']
  const response = { 200: ref(AdminAnnouncement) }
  const read = async (id: string): Promise<AdminAnnouncement> =>
    renderAdminAnnouncement(await getAnnouncement(ctx, { id, now: ctx.now() }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all announcements, also drafts and ended ones',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminAnnouncement)) },
      },
    },
    async (request, reply): Promise<AdminAnnouncement[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const announcements = await listAnnouncementPage(ctx, { page, now: ctx.now() })
      setLinkHeader(ctx, { request, reply, cursors: announcements.map(({ id }) => id), page, style: 'posts' })
      return announcements.map(renderAdminAnnouncement)
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single announcement', params: IdParams, response } },
    async (request) => read(request.params.id),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create an announcement', body: NewAnnouncement, response } },
    async (request) => {
      const { text = '', startsAt = null, endsAt = null, allDay = false, scheduledAt = null } = changesOf(request.body)
      const { published = true } = request.body
      const draft = { text, startsAt, endsAt, allDay, scheduledAt, published }
      return read(await ctx.write((tx) => createAnnouncement(tx, { by: staffOf(request), ...draft })))
    },
  )

  api.put(
    '/:id',
    { schema: { tags, summary: 'Update an announcement', params: IdParams, body: AnnouncementBody, response } },
    async (request) => {
      const { id } = request.params
      const changes = changesOf(request.body)
      await ctx.write((tx) => updateAnnouncement(tx, { id, by: staffOf(request), changes }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete an announcement', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const announcementId = request.params.id
      await ctx.write((tx) => removeAnnouncement(tx, { by: staffOf(request), announcementId }))
      return {}
    },
  )

  for (const [action, operation, summary] of [
    ['publish', publishAnnouncement, 'Publish an announcement now'],
    ['unpublish', unpublishAnnouncement, 'Make an announcement a draft that is not scheduled'],
  ] as const) {
    api.post(`/:id/${action}`, { schema: { tags, summary, params: IdParams, response } }, async (request) => {
      const { id } = request.params
      await ctx.write((tx) => operation(tx, { id, by: staffOf(request) }))
      return read(id)
    })
  }
}

function changesOf(body: Static<typeof AnnouncementBody>): AnnouncementChanges {
  return {
    text: body.text,
    startsAt: parseTime('starts_at', body.starts_at),
    endsAt: parseTime('ends_at', body.ends_at),
    allDay: body.all_day,
    scheduledAt: parseTime('scheduled_at', body.scheduled_at),
  }
}

/** Returns a time; null for an empty text. @throws ValidationError */
function parseTime(attribute: string, text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  if (text.trim() === '') return null
  const parsed = parseTimestamp(text.trim())
  if (parsed === null) throw new ValidationError([{ attribute, code: 'ERR_INVALID', text: 'is invalid' }])
  return parsed
}
