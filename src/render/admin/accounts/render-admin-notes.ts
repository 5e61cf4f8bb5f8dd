import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import { mayDeleteNote } from '../../../domain/staff-notes/staff-note-statements.ts'
import type { StaffNoteRow } from '../../../domain/staff-notes/staff-note-statements.ts'
import type { AdminNote } from '../../../entities/admin/accounts/admin-note.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'

/** Returns notes of the staff with their authors, as a member of the staff sees them. */
export async function renderAdminNotes(
  read: CachedRead,
  { rows, staff }: { rows: readonly StaffNoteRow[]; staff: StaffMember },
): Promise<EntityJson<AdminNote>[]> {
  const accounts = await renderAccountMap(read, { ids: [...new Set(rows.flatMap((row) => row.account_id ?? []))] })
  return rows.map((row) =>
    entityJson<AdminNote>({
      id: row.id,
      content: row.content,
      created_at: row.created_at.toISOString(),
      account: accounts.get(row.account_id ?? '') ?? null,
      deletable: mayDeleteNote(row, staff),
    }),
  )
}
