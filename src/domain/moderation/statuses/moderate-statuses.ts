import { NotFoundError, UnprocessableError, ValidationError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { StaffMember } from '../../access/permissions.ts'
import type { Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { resolveReportsAfterAction } from '../../reports/resolve-reports-after-action.ts'
import { lockStatusCounters } from '../../statuses/counters/lock-status-counters.ts'
import { deleteStatus } from '../../statuses/write/delete-status.ts'
import { markStatusAsSensitive } from '../../statuses/write/mark-status-as-sensitive.ts'
import { lockTarget } from '../lock-target.ts'
import { lockRemoteStatuses, restoreStatusesAsStaff } from './restore-statuses.ts'
import { REPORTED_IDS, visibleToStaff } from './visible-to-staff.ts'
import { warnAccount } from '../accounts/warn-account.ts'

/** Actions against statuses, with the actions of their warnings. */
const WARNINGS = { delete: 'delete_statuses', mark_as_sensitive: 'mark_statuses_as_sensitive' } as const

type WarnedAction = keyof typeof WARNINGS

export type StatusAction = WarnedAction | 'restore'
export const STATUS_ACTIONS: StatusAction[] = ['delete', 'mark_as_sensitive', 'restore']

/** How many statuses one request may change, since all changes are one transaction. */
const MAX_STATUSES = 100

interface ModeratedStatus {
  id: string
  url: string
  reported: boolean
}

const find = statement<{
  params: { accountId: string; staffId: string; statusIds: readonly string[] }
  row: ModeratedStatus
}>(
  `select s.id, s.url, s.id = any(${REPORTED_IDS}) as reported from statuses s
   where s.id = any($statusIds::bigint[]) and s.account_id = $accountId and s.deleted_at is null
     and s.reblog_of_id is null and ${visibleToStaff()} order by s.id`,
)

// Deletions lock the statuses that theirs refer to, then the status, then the counters of the former, then those of its
// author. All of them are locked in this order before the account, since another deletion may have locked one of the
// statuses already, and a new status of the account the counters of its parent. A parent that is itself among the
// statuses is locked as one of these.
const lockReferenced = statement<{
  params: { accountId: string; statusIds: readonly string[] }
  row: { id: string }
}>(
  `select id from statuses where id = any(
     array(select s.in_reply_to_id from statuses s where s.id = any($statusIds::bigint[]) and s.account_id = $accountId)
     || array(select q.quoted_status_id from quotes q
       where q.status_id = any($statusIds::bigint[]) and q.account_id = $accountId))
     and not id = any($statusIds::bigint[])
   order by id for key share`,
)
const lockStatuses = statement<{ params: { accountId: string; statusIds: readonly string[] } }>(
  `select from statuses where id = any($statusIds::bigint[]) and account_id = $accountId order by id for update`,
)

/**
 * Deletes statuses of an account, or marks them as sensitive, and records it as a warning. The user is notified by mail
 * and in the app if `notify` is set. Statuses that are unknown, deleted, reblogs or by another account are skipped. The
 * given report is resolved. Deleted statuses of local accounts, and reported ones, stay visible to the staff for 30
 * days, who can restore them. `restore` records no warning.
 * @throws NotFoundError if the account is unknown, no status is left, or the report is not about the account;
 *   ForbiddenError for a user whose role has the same or a higher position; ValidationError if the text is too long or
 *   the statuses are too many; UnprocessableError if none of them can be marked as sensitive or restored
 */
export async function takeStatusAction(
  tx: Tx,
  {
    accountId,
    by,
    action,
    statusIds,
    reportId = null,
    text = '',
    notify = true,
  }: {
    accountId: string
    by: StaffMember
    action: StatusAction
    statusIds: readonly string[]
    reportId?: string | null
    text?: string
    notify?: boolean
  },
): Promise<void> {
  checkNumber(statusIds)
  if (action === 'restore') return restoreStatusesAsStaff(tx, { accountId, by, statusIds })
  return warnAboutStatuses(tx, { accountId, by, action, statusIds, reportId, text, notify })
}

/** @throws ValidationError if the ids are more than one request may change */
export function checkNumber(statusIds: readonly string[]): void {
  if (statusIds.length <= MAX_STATUSES) return
  const text = `can't contain more than ${MAX_STATUSES} items`
  throw new ValidationError([{ attribute: 'status_ids', code: 'ERR_TOO_LONG', text }])
}

async function warnAboutStatuses(
  tx: Tx,
  {
    accountId,
    by,
    action,
    statusIds,
    reportId,
    text,
    notify,
  }: {
    accountId: string
    by: StaffMember
    action: WarnedAction
    statusIds: readonly string[]
    reportId: string | null
    text: string
    notify: boolean
  },
): Promise<void> {
  const ids = statusIds.filter(isId)
  await lockRemoteStatuses(tx, { accountId, statusIds: ids })
  if (isId(accountId)) {
    const referenced = await lockReferenced(tx.db, { accountId, statusIds: ids })
    await lockStatuses(tx.db, { accountId, statusIds: ids })
    await lockStatusCounters(tx, { ids: referenced.map(({ id }) => id) })
  }
  const target = await lockTarget(tx, { accountId, by })
  const statuses = await find(tx.db, { accountId, staffId: by.accountId, statusIds: ids })
  if (statuses.length === 0) throw new NotFoundError()
  const changed: ModeratedStatus[] = []
  for (const status of statuses) {
    const { id: statusId, reported } = status
    if (action === 'mark_as_sensitive' && !(await markStatusAsSensitive(tx, { statusId }))) continue
    if (action === 'delete') {
      await deleteStatus(tx, { accountId, statusId, deleteMedia: true, restorable: target.is_local || reported })
    }
    changed.push(status)
  }
  if (changed.length === 0) {
    throw new UnprocessableError('None of the posts has media or a preview card that is not marked as sensitive yet')
  }
  await resolveReportsAfterAction(tx, { accountId, reportId, by, isOnlyWarned: true })
  await warnAccount(tx, {
    by: by.accountId,
    targetAccountId: accountId,
    action: WARNINGS[action],
    text,
    statusIds: changed.map(({ id }) => id),
    reportId,
    notify,
  })
  for (const { id: targetId, url: label } of changed) {
    const details = { account_id: accountId, ...(reportId !== null && { report_id: reportId }) }
    await recordAuditEntry(tx, { by, action, targetType: 'status', targetId, label, details })
  }
}
