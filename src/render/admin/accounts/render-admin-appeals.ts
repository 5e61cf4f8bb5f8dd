import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import type { AdminAppeal } from '../../../entities/admin/accounts/admin-appeal.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'
import { renderAdminStrikeMap } from './render-admin-strikes.ts'

interface AppealRow {
  id: string
  warning_id: string
  text: string
  state: AdminAppeal['state']
  decided_by_account_id: string | null
  decided_at: Date | null
  created_at: Date
}

const findAppeals = statement<{ params: { ids: readonly string[] }; row: AppealRow }>(
  `select id, warning_id, text, state, decided_by_account_id, decided_at, created_at from appeals
   where id = any($ids::bigint[])`,
)

/** Returns appeals with their strikes in the order of the ids; unknown ids are omitted. */
export async function renderAdminAppeals(
  read: CachedRead,
  { ids, staff }: { ids: readonly string[]; staff: StaffMember },
): Promise<EntityJson<AdminAppeal>[]> {
  if (ids.length === 0) return []
  const rows = await findAppeals(read.db, { ids })
  const [strikes, accounts] = await Promise.all([
    renderAdminStrikeMap(read, { ids: rows.map((row) => row.warning_id), staff }),
    renderAccountMap(read, { ids: [...new Set(rows.flatMap((row) => row.decided_by_account_id ?? []))] }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    const strike = row && strikes.get(row.warning_id)
    if (!strike) return []
    return [
      entityJson<AdminAppeal>({
        id: row.id,
        text: row.text,
        state: row.state,
        created_at: row.created_at.toISOString(),
        decided_at: row.decided_at?.toISOString() ?? null,
        decided_by_account: accounts.get(row.decided_by_account_id ?? '') ?? null,
        strike,
      }),
    ]
  })
}

/** Returns one appeal. @throws NotFoundError */
export async function renderAdminAppeal(
  read: CachedRead,
  { id, staff }: { id: string; staff: StaffMember },
): Promise<EntityJson<AdminAppeal>> {
  const [appeal] = isId(id) ? await renderAdminAppeals(read, { ids: [id], staff }) : []
  if (appeal === undefined) throw new NotFoundError()
  return appeal
}
