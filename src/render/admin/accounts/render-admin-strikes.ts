import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import type { AdminStrike } from '../../../entities/admin/accounts/admin-strike.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'
import { renderStatusMap } from '../../statuses/render-statuses.ts'
import { renderAdminAccountMap } from './render-admin-accounts.ts'

interface StrikeRow {
  id: string
  account_id: string | null
  target_account_id: string
  action: AdminStrike['action']
  text: string
  status_ids: string[] | null
  report_id: string | null
  created_at: Date
  overruled_at: Date | null
  appeal: AdminStrike['appeal']
}

const findStrikes = statement<{ params: { ids: readonly string[] }; row: StrikeRow }>(
  `select w.id, w.account_id, w.target_account_id, w.action, w.text, w.status_ids, w.report_id, w.created_at,
     w.overruled_at,
     case when a.id is not null then jsonb_build_object('id', a.id::text, 'text', a.text, 'state', a.state) end as appeal
   from account_warnings w left join appeals a on a.warning_id = w.id where w.id = any($ids::bigint[])`,
)

/**
 * Returns strikes by their ids as the staff see them; unknown ids have no entry. Their statuses include those that the
 * member of the staff cannot see in timelines, and those that were deleted since and are still stored.
 */
export async function renderAdminStrikeMap(
  read: CachedRead,
  { ids, staff }: { ids: readonly string[]; staff: StaffMember },
): Promise<Map<string, EntityJson<AdminStrike>>> {
  if (ids.length === 0) return new Map()
  const rows = await findStrikes(read.db, { ids })
  const [targets, moderators, statuses] = await Promise.all([
    renderAdminAccountMap(read, { ids: [...new Set(rows.map((row) => row.target_account_id))], staff }),
    renderAccountMap(read, { ids: [...new Set(rows.flatMap((row) => row.account_id ?? []))] }),
    renderStatusMap(read, {
      ids: [...new Set(rows.flatMap((row) => row.status_ids ?? []))],
      viewerId: staff.accountId,
    }),
  ])
  return new Map(
    rows.flatMap((row) => {
      const target = targets.get(row.target_account_id)
      if (target === undefined) return []
      const strike = entityJson<AdminStrike>({
        id: row.id,
        action: row.action,
        text: row.text,
        status_ids: row.status_ids,
        statuses: (row.status_ids ?? []).map((id) => statuses.get(id)).filter((status) => status !== undefined),
        report_id: row.report_id,
        target_account: target,
        account: moderators.get(row.account_id ?? '') ?? null,
        created_at: row.created_at.toISOString(),
        overruled_at: row.overruled_at?.toISOString() ?? null,
        appeal: row.appeal,
      })
      return [[row.id, strike] as const]
    }),
  )
}

/** Returns strikes in the order of the ids; unknown ids are omitted. */
export async function renderAdminStrikes(
  read: CachedRead,
  input: { ids: readonly string[]; staff: StaffMember },
): Promise<EntityJson<AdminStrike>[]> {
  const strikes = await renderAdminStrikeMap(read, input)
  return input.ids.map((id) => strikes.get(id)).filter((strike) => strike !== undefined)
}
