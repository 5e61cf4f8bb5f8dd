import type { CachedRead } from '../../../domain/context.ts'
import type { AuditLogRow } from '../../../domain/moderation/list-audit-log.ts'
import type { AdminAuditLogEntry } from '../../../entities/admin/operations/admin-audit-log-entry.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'

/** Returns entries of the audit log with the accounts that acted. */
export async function renderAuditLog(
  read: CachedRead,
  { rows }: { rows: readonly AuditLogRow[] },
): Promise<EntityJson<AdminAuditLogEntry>[]> {
  const accounts = await renderAccountMap(read, { ids: [...new Set(rows.flatMap((row) => row.account_id ?? []))] })
  return rows.map((row) =>
    entityJson<AdminAuditLogEntry>({
      id: row.id,
      created_at: row.created_at.toISOString(),
      action: row.action,
      target_type: row.target_type,
      target_id: row.target_id,
      label: row.label,
      details: row.details,
      account: accounts.get(row.account_id ?? '') ?? null,
    }),
  )
}
