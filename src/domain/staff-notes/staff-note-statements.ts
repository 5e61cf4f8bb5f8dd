import { statement } from '../../platform/db/statement.ts'
import { isAbove } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import { keysetClause } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

/** What the staff write notes on. */
export type StaffNoteSubject = 'account' | 'report'

/** The member of the staff who wrote a note; null if that account was deleted. */
interface Author {
  account_id: string | null
  /** The position of the author's role. */
  author_position: number | null
}

export interface StaffNoteRow extends Author {
  id: string
  content: string
  created_at: Date
}

type OfSubject = { subjectId: string }

const KEYSET = keysetClause('n.id')

/** `subject`: a statement that finds the handle of the account, or of the reported account; `lock`: locks the row. */
const statementsFor = (names: { table: string; column: string; subject: string; lock: string }) => {
  const { table, column, subject, lock } = names
  const from = `from ${table} n left join users u on u.account_id = n.account_id left join roles r on r.id = u.role_id
    where n.${column} = $subjectId`
  const select = `select n.id, n.account_id, r.position as author_position, n.content, n.created_at ${from}`
  return {
    findSubject: statement<{ params: OfSubject; row: { handle: string } }>(subject),
    lockSubject: statement<{ params: OfSubject; row: { handle: string } }>(`${subject} ${lock}`),
    insert: statement<{ params: OfSubject & { by: string; content: string; now: Date }; row: { id: string } }>(
      `insert into ${table} (account_id, ${column}, content, created_at)
       values ($by, $subjectId, $content, $now) returning id`,
    ),
    find: statement<{ params: OfSubject & { noteId: string }; row: StaffNoteRow }>(`${select} and n.id = $noteId`),
    lock: statement<{ params: OfSubject & { noteId: string }; row: Author }>(
      `select n.account_id, r.position as author_position ${from} and n.id = $noteId for update of n`,
    ),
    remove: statement<{ params: { noteId: string } }>(`delete from ${table} where id = $noteId`),
    listDescending: statement<{ params: OfSubject & PageParameters; row: StaffNoteRow }>(
      `${select} and ${KEYSET.where} ${KEYSET.descending}`,
    ),
    listAscending: statement<{ params: OfSubject & PageParameters; row: StaffNoteRow }>(
      `${select} and ${KEYSET.where} ${KEYSET.ascending}`,
    ),
  }
}

const HANDLE = `a.username || coalesce('@' || a.domain, '') as handle`

export const STAFF_NOTE_STATEMENTS = {
  account: statementsFor({
    table: 'account_moderation_notes',
    column: 'target_account_id',
    subject: `select ${HANDLE} from accounts a where a.id = $subjectId`,
    lock: 'for key share',
  }),
  report: statementsFor({
    table: 'report_notes',
    column: 'report_id',
    subject: `select ${HANDLE} from reports r join accounts a on a.id = r.target_account_id
      where r.id = $subjectId`,
    lock: 'for key share of r',
  }),
}

/** Returns whether a member of the staff may delete a note: its author, and staff above the author. */
export function mayDeleteNote({ account_id: authorId, author_position: position }: Author, by: StaffMember): boolean {
  return authorId === by.accountId || isAbove(by, position)
}
