import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import type { Permission } from '../../accounts/staff-permissions.ts'
import { reopenReport, takeAccountAction } from '../shared/decisions/account-actions.ts'

/** How a report can be decided, in the order of the keys 1 to 6. */
export const DECISIONS = ['dismiss', 'sensitive', 'delete', 'warn', 'limit', 'suspend'] as const
export type DecisionName = (typeof DECISIONS)[number]

export const DECISION_PERMISSIONS: Record<DecisionName, Permission> = {
  dismiss: 'manageReports',
  sensitive: 'manageUsers',
  delete: 'manageReports',
  warn: 'manageUsers',
  limit: 'manageUsers',
  suspend: 'manageUsers',
}

/** What the member of the staff chose in the dialog. */
export interface DecisionInput {
  decision: DecisionName
  /** For the user; for a dismissed report, a note for the staff. */
  text: string
  presetId: string | null
  notify: boolean
  /** Whether the impact says that the action can be undone. */
  isReversible: boolean
}

/** Returns whether a decision is permitted, and would change anything about the reported account. */
export function isPossible(decision: DecisionName, { targetAccount, statuses, actionTaken }: AdminReport): boolean {
  if (decision !== 'dismiss' && !targetAccount.manageable) return false
  switch (decision) {
    case 'dismiss':
      return !actionTaken
    case 'sensitive':
      return !targetAccount.sensitized
    case 'delete':
      return statuses.length > 0
    case 'warn':
      return targetAccount.domain === null
    case 'limit':
      return !targetAccount.silenced
    case 'suspend':
      return !targetAccount.suspended
  }
}

/** Carries out a decision, which resolves the report. Returns how to take it back; null if that is not possible. */
export async function decide(report: AdminReport, input: DecisionInput): Promise<(() => Promise<void>) | null> {
  const { decision, text, presetId, notify, isReversible } = input
  const { id, targetAccount } = report
  if (decision === 'dismiss') {
    await adminApi('reports', id, 'resolve').create({ note: text })
    return () => reopenReport(id)
  }
  if (decision !== 'delete')
    return takeAccountAction({
      accountId: targetAccount.id,
      action: decision,
      reportId: id,
      text,
      presetId,
      notify,
    })
  const statusIds = report.statuses.map((status) => status.id)
  const action = adminApi('accounts', targetAccount.id, 'statuses', 'action')
  await action.create({ type: 'delete', statusIds, text, reportId: id, sendEmailNotification: notify })
  if (!isReversible) return null
  return async () => {
    await adminApi('accounts', targetAccount.id, 'statuses', 'action').create({ type: 'restore', statusIds })
    await reopenReport(id)
  }
}
