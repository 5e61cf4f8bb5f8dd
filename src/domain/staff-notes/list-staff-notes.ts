import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import type { Read } from '../context.ts'
import { pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import { STAFF_NOTE_STATEMENTS } from './staff-note-statements.ts'
import type { StaffNoteRow, StaffNoteSubject } from './staff-note-statements.ts'

/** Returns a page of the staff's notes on an account or a report, newest first. @throws NotFoundError */
export async function listStaffNotes(
  read: Read,
  { on, subjectId, page }: { on: StaffNoteSubject; subjectId: string; page: Page },
): Promise<StaffNoteRow[]> {
  const { findSubject, listDescending, listAscending } = STAFF_NOTE_STATEMENTS[on]
  const [subject] = isId(subjectId) ? await findSubject(read.db, { subjectId }) : []
  if (!subject) throw new NotFoundError()
  const params = { subjectId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one note on an account or a report. @throws NotFoundError */
export async function getStaffNote(
  read: Read,
  { on, subjectId, noteId }: { on: StaffNoteSubject; subjectId: string; noteId: string },
): Promise<StaffNoteRow> {
  const [note] = await STAFF_NOTE_STATEMENTS[on].find(read.db, { subjectId, noteId })
  if (!note) throw new NotFoundError()
  return note
}
