import { statement } from '../../platform/db/statement.ts'
import { keysetClause } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

/** What the staff write notes on. */
export type StaffNoteSubject = 'account' | 'report'

export interface StaffNoteRow {
  id: string
  /** The member of the staff who wrote the note; null if that account was deleted. */
  account_id: string | null
  content: string
  created_at: Date
}

type OfSubject = { subjectId: string }

const KEYSET = keysetClause('n.id')

/** `subject`: a statement that finds the handle of the account, or of the reported account; `lock`: locks the row. */
const statementsFor = (names: { table: string; column: string; subject: string; lock: string }) => {
  const { table, column, subject, lock } = names
  const select = `select n.id, n.account_id, n.content, n.created_at from ${table} n where n.${column} = $subjectId`
  return {
    findSubject: statement<{ params: OfSubject; row: { handle: string } }>(subject),
    lockSubject: statement<{ params: OfSubject; row: { handle: string } }>(`${subject} ${lock}`),
    insert: statement<{ params: OfSubject & { by: string; content: string; now: Date }; row: { id: string } }>(
      `insert into ${table} (account_id, ${column}, content, created_at)
       values ($by, $subjectId, $content, $now) returning id`,
    ),
    find: statement<{ params: OfSubject & { noteId: string }; row: StaffNoteRow }>(`${select} and n.id = $noteId`),
    lock: statement<{
      params: OfSubject & { noteId: string }
      row: { account_id: string | null; position: number | null }
    }>(
      `select n.account_id, r.position
       from ${table} n left join users u on u.account_id = n.account_id left join roles r on r.id = u.role_id
       where n.${column} = $subjectId and n.id = $noteId for update of n`,
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
