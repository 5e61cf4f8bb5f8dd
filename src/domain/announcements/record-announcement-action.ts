import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor, AuditActions } from '../core/record-audit-entry.ts'

/** The audit log has the beginning of the text. */
const MAX_LABEL_CHARACTERS = 100

/** Records in the audit log what a member of the staff did with an announcement. */
export async function recordAnnouncementAction(
  tx: Tx,
  {
    id,
    text,
    ...entry
  }: {
    by: Actor
    action: AuditActions['announcement']
    id: string
    text: string
    details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const line = text.replaceAll(/\s+/g, ' ')
  const label = line.length > MAX_LABEL_CHARACTERS ? `${line.slice(0, MAX_LABEL_CHARACTERS).toWellFormed()}…` : line
  await recordAuditEntry(tx, { ...entry, targetType: 'announcement', targetId: id, label })
}
