import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { getStaffNote, listStaffNotes } from '../../../../../domain/staff-notes/list-staff-notes.ts'
import type { StaffNoteSubject } from '../../../../../domain/staff-notes/staff-note-statements.ts'
import { createStaffNote, deleteStaffNote } from '../../../../../domain/staff-notes/write-staff-note.ts'
import { AdminNote } from '../../../../../entities/admin/accounts/admin-note.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminNotes } from '../../../../../render/admin/accounts/render-admin-notes.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams, PathId } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const NewNote = Type.Object({
  content: Type.String({ description: 'Plain text of up to 2,000 characters.' }),
})

/** Linnet's own: GET, POST and DELETE /api/v1/admin/accounts/:id/notes and /api/v1/admin/reports/:id/notes */
export const adminNotesOn = (on: StaffNoteSubject) =>
  async function adminNotes(api: TypedFastify, ctx: Ctx): Promise<void> {
    const tags = [`admin: ${on}s`]
    const subject = on === 'account' ? 'an account' : 'a report'

    api.get(
      '/:id/notes',
      {
        schema: {
          tags,
          summary: `View the staff’s notes on ${subject}`,
          params: IdParams,
          querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
          response: { 200: Type.Array(ref(AdminNote)) },
        },
      },
      async (request, reply) => {
        const page = readPage(request.query, ADMIN_PAGE)
        const rows = await listStaffNotes(ctx, { on, subjectId: request.params.id, page })
        setLinkHeader(ctx, { request, reply, cursors: rows.map(({ id }) => id), page, style: 'posts' })
        return sendJson(reply, listJson(await ctx.read(renderAdminNotes, { rows, staff: staffOf(request) })))
      },
    )

    api.post(
      '/:id/notes',
      {
        schema: {
          tags,
          summary: `Add a note to ${subject}, for the staff only`,
          params: IdParams,
          body: NewNote,
          response: { 200: ref(AdminNote) },
        },
      },
      async (request, reply) => {
        const { id: subjectId } = request.params
        const { content } = request.body
        const by = staffOf(request)
        const noteId = await ctx.write((tx) => createStaffNote(tx, { on, subjectId, by, content }))
        const row = await getStaffNote(ctx, { on, subjectId, noteId })
        const [note] = await ctx.read(renderAdminNotes, { rows: [row], staff: by })
        return sendJson(reply, note!)
      },
    )

    api.delete(
      '/:id/notes/:note_id',
      {
        schema: {
          tags,
          summary: `Delete a note on ${subject}`,
          params: Type.Object({ id: PathId, note_id: PathId }),
          response: { 200: Type.Object({}) },
        },
      },
      async (request) => {
        const { id: subjectId, note_id: noteId } = request.params
        await ctx.write((tx) => deleteStaffNote(tx, { on, subjectId, by: staffOf(request), noteId }))
        return {}
      },
    )
  }
