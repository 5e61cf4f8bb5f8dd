import { ForbiddenError, NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import type { StaffMember } from '../access/permissions.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { mayDeleteNote, STAFF_NOTE_STATEMENTS } from './staff-note-statements.ts'
import type { StaffNoteSubject } from './staff-note-statements.ts'

const MAX_CONTENT_CHARACTERS = 2_000
const ALLOWED_CONTENT = new RegExp(`^[^]{0,${MAX_CONTENT_CHARACTERS}}$`, 'u')

const AUDIT_TARGETS = { account: 'account_moderation_note', report: 'report_note' } as const
const ID_NAMES = { account: 'account_id', report: 'report_id' } as const

interface Subject {
  on: StaffNoteSubject
  subjectId: string
  by: StaffMember
}

/**
 * Adds a note to an account or a report, which only the staff can read, and returns its id. The audit log does not
 * contain the text.
 * @throws NotFoundError; ValidationError if the text is blank or too long
 */
export async function createStaffNote(tx: Tx, input: Subject & { content: string }): Promise<string> {
  const { on, subjectId, by } = input
  const { insert } = STAFF_NOTE_STATEMENTS[on]
  const content = checkContent(input.content)
  const handle = await lockSubject(tx, input)
  const [row] = await insert(tx.db, { subjectId, by: by.accountId, content, now: tx.now })
  await record(tx, { ...input, action: 'create', noteId: row!.id, handle })
  return row!.id
}

/**
 * Deletes a note. Its author may do so, and staff whose role has a higher position than that of the author.
 * @throws NotFoundError; ForbiddenError
 */
export async function deleteStaffNote(tx: Tx, input: Subject & { noteId: string }): Promise<void> {
  const { on, subjectId, by, noteId } = input
  const { lock, remove } = STAFF_NOTE_STATEMENTS[on]
  const handle = await lockSubject(tx, input)
  const [note] = isId(noteId) ? await lock(tx.db, { subjectId, noteId }) : []
  if (!note) throw new NotFoundError()
  if (!mayDeleteNote(note, by)) throw new ForbiddenError()
  await remove(tx.db, { noteId })
  await record(tx, { ...input, action: 'delete', handle })
}

/** Returns the text as it is stored. @throws ValidationError */
function checkContent(content: string): string {
  const attribute = 'content'
  if (!ALLOWED_CONTENT.test(content)) {
    const text = `is too long (maximum is ${MAX_CONTENT_CHARACTERS} characters)`
    throw new ValidationError([{ attribute, code: 'ERR_TOO_LONG', text }])
  }
  const cleaned = cleanText(content).trim()
  if (cleaned === '') throw new ValidationError([{ attribute, code: 'ERR_BLANK', text: "can't be blank" }])
  return cleaned
}

/** Locks the account or the report against deletion, and returns the handle of the account. @throws NotFoundError */
async function lockSubject(tx: Tx, { on, subjectId }: Subject): Promise<string> {
  const [subject] = isId(subjectId) ? await STAFF_NOTE_STATEMENTS[on].lockSubject(tx.db, { subjectId }) : []
  if (!subject) throw new NotFoundError()
  return subject.handle
}

async function record(
  tx: Tx,
  input: Subject & { action: 'create' | 'delete'; noteId: string; handle: string },
): Promise<void> {
  const { on, subjectId, by, action, noteId, handle } = input
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: AUDIT_TARGETS[on],
    targetId: noteId,
    label: handle,
    details: { [ID_NAMES[on]]: subjectId },
  })
}
