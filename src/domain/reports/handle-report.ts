import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { findRules, UNKNOWN_RULES } from './check-rules.ts'
import type { ReportCategory } from './insert-report.ts'

interface LockedReport {
  id: string
  target: string
  category: ReportCategory
  rule_ids: string[]
  resolved: boolean
  assigned_account_id: string | null
}

const lock = statement<{ params: { id: string }; row: LockedReport }>(
  `select r.id, a.username || coalesce('@' || a.domain, '') as target, r.category, r.rule_ids,
     r.action_taken_at is not null as resolved, r.assigned_account_id
   from reports r join accounts a on a.id = r.target_account_id where r.id = $id for no key update of r`,
)
const assign = statement<{ params: { id: string; accountId: string | null; now: Date } }>(
  `update reports set assigned_account_id = $accountId, updated_at = $now where id = $id`,
)
const setResolution = statement<{ params: { id: string; accountId: string | null; at: Date | null; now: Date } }>(
  `update reports set action_taken_at = $at, action_taken_by_account_id = $accountId, updated_at = $now where id = $id`,
)
const update = statement<{
  params: { id: string; category: string; ruleIds: readonly string[]; now: Date }
}>(`update reports set category = $category, rule_ids = $ruleIds, updated_at = $now where id = $id`)

/**
 * Assigns a report to a member of the staff (Mastodon: POST …/reports/:id/assign_to_self). The caller has checked that
 * the assignee may manage reports.
 * @throws NotFoundError
 */
export async function assignReport(
  tx: Tx,
  { id, by, assigneeId }: { id: string; by: Actor; assigneeId: string },
): Promise<void> {
  const report = await lockReport(tx, id)
  if (report.assigned_account_id === assigneeId) return
  await assign(tx.db, { id, accountId: assigneeId, now: tx.now })
  const isOther = by?.accountId !== assigneeId
  await record(tx, { by, action: 'assign', report, ...(isOther && { details: { assigned_account_id: assigneeId } }) })
}

/** Removes the assignment of a report (Mastodon: POST …/reports/:id/unassign). @throws NotFoundError */
export async function unassignReport(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const report = await lockReport(tx, id)
  if (report.assigned_account_id === null) return
  await assign(tx.db, { id, accountId: null, now: tx.now })
  await record(tx, { by, action: 'unassign', report })
}

/**
 * Resolves a report. A report that is resolved already keeps its time (Mastodon: POST …/reports/:id/resolve).
 * @throws NotFoundError
 */
export async function resolveReport(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const report = await lockReport(tx, id)
  if (report.resolved) return
  await setResolution(tx.db, { id, accountId: by?.accountId ?? null, at: tx.now, now: tx.now })
  await record(tx, { by, action: 'resolve', report })
}

/** Makes a resolved report unresolved again (Mastodon: POST …/reports/:id/reopen). @throws NotFoundError */
export async function reopenReport(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const report = await lockReport(tx, id)
  if (!report.resolved) return
  await setResolution(tx.db, { id, accountId: null, at: null, now: tx.now })
  await record(tx, { by, action: 'reopen', report })
}

/**
 * Changes the category and the violated rules of a report. Rules make it a violation, unless the category is changed to
 * another one, which removes them (Mastodon: PUT /api/v1/admin/reports/:id).
 * @throws NotFoundError; ValidationError for unknown rules
 */
export async function updateReport(
  tx: Tx,
  {
    id,
    by,
    category,
    ruleIds,
  }: { id: string; by: Actor; category?: ReportCategory | undefined; ruleIds?: readonly string[] | undefined },
): Promise<void> {
  const report = await lockReport(tx, id)
  const rules = ruleIds === undefined ? report.rule_ids : await findRules(tx, { ids: ruleIds })
  if (rules === null) throw new ValidationError([UNKNOWN_RULES])
  const changed = category ?? (ruleIds !== undefined && rules.length > 0 ? 'violation' : report.category)
  const values = { category: changed, ruleIds: changed === 'violation' ? rules : [] }
  await update(tx.db, { id, ...values, now: tx.now })
  await record(tx, { by, action: 'update', report, details: values })
}

async function lockReport(tx: Tx, id: string): Promise<LockedReport> {
  const [report] = isId(id) ? await lock(tx.db, { id }) : []
  if (!report) throw new NotFoundError()
  return report
}

/** Records a change in the audit log, and emits its event. */
async function record(
  tx: Tx,
  {
    by,
    action,
    report,
    details,
  }: {
    by: Actor
    action: 'assign' | 'unassign' | 'resolve' | 'reopen' | 'update'
    report: LockedReport
    details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  tx.emit('report.updated', { reportId: report.id })
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'report',
    targetId: report.id,
    label: report.target,
    ...(details && { details }),
  })
}
