import { ForbiddenError } from '../../../lib/errors.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { startPurge } from '../../account-deletion/start-purges.ts'
import { approveUser } from '../../accounts/registration/approve-account.ts'
import type { Tx } from '../../context.ts'
import { reopenReportsAfterUndo, resolveReportsAfterAction } from '../../reports/resolve-reports-after-action.ts'
import { keepAdministrator } from '../../roles/keep-administrator.ts'
import {
  disableUser,
  enableUser,
  limitAccount,
  memorializeAccount,
  sensitizeAccount,
  suspendAccount,
  unlimitAccount,
  unmemorializeAccount,
  unsensitizeAccount,
  unsuspendAccount,
} from './account-states.ts'
import { lockTarget, recordAction } from '../lock-target.ts'
import type { ActionInput, Target } from '../lock-target.ts'
import { isRepeatedWarning, warnAccount } from './warn-account.ts'

/** Actions of Mastodon's API; `silence` limits the account, and `none` only warns the user. */
export const ACCOUNT_ACTIONS = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number]

/**
 * Takes a moderation action against an account, records it as a warning with the statuses of the given report, and
 * resolves all open reports about the account; with `none`, only the given report. `presetId`: the warning preset whose
 * text is put before `text`. The user is notified by mail and in the app if `notify` is set. An action that changes
 * nothing, because another moderator or an earlier attempt of this request took it, only resolves the reports: each
 * strike stands for one change, which its appeal undoes (Mastodon: POST /api/v1/admin/accounts/:id/action).
 * @throws NotFoundError if the account or the preset is unknown, or the report is not about the account; ForbiddenError
 *   for a user whose role has the same or a higher position, and for actions that are not possible for a remote
 *   account; ValidationError if the text is too long; UnprocessableError if nobody with the administrator permission
 *   could log in any more
 */
export async function takeAccountAction(
  tx: Tx,
  {
    accountId,
    by,
    action,
    text = '',
    presetId = null,
    reportId = null,
    notify = true,
  }: ActionInput & {
    action: AccountAction
    text?: string
    presetId?: string | null
    reportId?: string | null
    notify?: boolean
  },
): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (!target.user_id && (action === 'none' || action === 'disable')) throw new ForbiddenError()
  const warning = { by: by?.accountId ?? null, targetAccountId: accountId, text, presetId, reportId }
  const isRepeated =
    action === 'none' ? await isRepeatedWarning(tx, warning) : !(await changeState(tx, { target, action }))
  const reported = await resolveReportsAfterAction(tx, { accountId, reportId, by, isOnlyWarned: action === 'none' })
  if (isRepeated) return
  await warnAccount(tx, { ...warning, action, statusIds: reported.length === 0 ? null : reported, notify })
  await recordAction(tx, { by, target, action: action === 'none' ? 'warn' : action })
}

/** Returns whether the state of the account is changed; it is not if the account is in that state already. */
async function changeState(
  tx: Tx,
  { target, action }: { target: Target; action: Exclude<AccountAction, 'none'> },
): Promise<boolean> {
  const accountId = target.id
  switch (action) {
    case 'disable':
      return takeAccess(tx, target, () => disableUser(tx, { userId: target.user_id! }))
    case 'sensitive':
      return sensitizeAccount(tx, { accountId })
    case 'silence':
      return limitAccount(tx, { accountId })
    case 'suspend':
      return takeAccess(tx, target, () => suspendAccount(tx, { accountId }))
  }
}

/** Undoes an action. `reopensReports`: also makes the reports unresolved again that the action resolved. */
export interface UndoInput extends ActionInput {
  reopensReports?: boolean
}

/**
 * Approves a pending user (Mastodon: POST …/accounts/:id/approve). @throws NotFoundError; ForbiddenError if not pending
 */
export async function approvePendingAccount(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null || target.approved) throw new ForbiddenError()
  await approveUser(tx, { userId: target.user_id })
  await recordAction(tx, { by, target, action: 'approve' })
}

/**
 * Rejects a pending user, whose account is deleted without a trace (Mastodon: POST …/accounts/:id/reject).
 * @throws NotFoundError; ForbiddenError if not pending
 */
export async function rejectPendingAccount(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null || target.approved) throw new ForbiddenError()
  await deleteAccount(tx, { accountId })
  await recordAction(tx, { by, target, action: 'reject' })
}

/** Lets a disabled user log in again (Mastodon: POST …/accounts/:id/enable). @throws NotFoundError; ForbiddenError */
export async function enableAccount(tx: Tx, { accountId, by, reopensReports }: UndoInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  const isChange = await enableUser(tx, { userId: target.user_id })
  if (!isChange) return
  await recordAction(tx, { by, target, action: 'enable' })
  if (reopensReports) await reopenReportsAfterUndo(tx, { accountId, action: 'disable' })
}

/**
 * Makes the account of a local user a memorial (Mastodon: POST /admin/accounts/:id/memorialize, a page).
 * @throws NotFoundError; ForbiddenError for a remote account; UnprocessableError for the last administrator
 */
export async function makeMemorial(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  const userId = target.user_id
  if (userId === null) throw new ForbiddenError()
  const isChange = await takeAccess(tx, target, () => memorializeAccount(tx, { accountId, userId }))
  if (isChange) await recordAction(tx, { by, target, action: 'memorialize' })
}

/** Undoes `makeMemorial`. @throws NotFoundError; ForbiddenError for a remote account */
export async function endMemorial(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  const isChange = await unmemorializeAccount(tx, { accountId })
  if (isChange) await recordAction(tx, { by, target, action: 'unmemorialize' })
}

/** Ends the limit of an account (Mastodon: POST …/accounts/:id/unsilence). @throws NotFoundError; ForbiddenError */
export async function unsilenceAccount(tx: Tx, { accountId, by, reopensReports }: UndoInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  const isChange = await unlimitAccount(tx, { accountId })
  if (!isChange) return
  await recordAction(tx, { by, target, action: 'unsilence' })
  if (reopensReports) await reopenReportsAfterUndo(tx, { accountId, action: 'silence' })
}

/**
 * Ends the mark `sensitive` of an account (Mastodon: POST …/accounts/:id/unsensitive). @throws NotFoundError;
 * ForbiddenError
 */
export async function unmarkAccountAsSensitive(tx: Tx, { accountId, by, reopensReports }: UndoInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  const isChange = await unsensitizeAccount(tx, { accountId })
  if (!isChange) return
  await recordAction(tx, { by, target, action: 'unsensitive' })
  if (reopensReports) await reopenReportsAfterUndo(tx, { accountId, action: 'sensitive' })
}

/**
 * Ends the suspension of an account by this server (Mastodon: POST …/accounts/:id/unsuspend).
 * @throws NotFoundError; ForbiddenError if the account is not suspended by this server, or if it was deleted
 */
export async function endSuspension(tx: Tx, { accountId, by, reopensReports }: UndoInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  const isDeleted = target.is_local && target.user_id === null
  if (!target.suspended || target.suspended_by_origin || isDeleted) throw new ForbiddenError()
  await unsuspendAccount(tx, { accountId })
  await recordAction(tx, { by, target, action: 'unsuspend' })
  if (reopensReports) await reopenReportsAfterUndo(tx, { accountId, action: 'suspend' })
}

/**
 * Deletes the data of a suspended account at once, not only 30 days after its suspension (Mastodon: DELETE
 * /api/v1/admin/accounts/:id).
 * @throws NotFoundError; ForbiddenError if the account is not suspended by this server, or its data were deleted
 *   already
 */
export async function deleteSuspendedAccount(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (!target.can_be_purged) throw new ForbiddenError()
  await startPurge(tx, { accountId })
  await recordAction(tx, { by, target, action: 'delete' })
}

/**
 * Deletes a local account at once, also one that is not suspended.
 * @throws NotFoundError if no local user has the account; UnprocessableError if it is that of the last administrator
 */
export async function deleteAccountAsStaff(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  await takeAccess(tx, target, () => deleteAccount(tx, { accountId }))
  await recordAction(tx, { by, target, action: 'delete' })
}

/** Does work after which nobody can log in to the account. @throws UnprocessableError if it is the last administrator */
async function takeAccess<Result>(tx: Tx, target: Target, work: () => Promise<Result>): Promise<Result> {
  return target.administrator ? keepAdministrator(tx, work) : work()
}
