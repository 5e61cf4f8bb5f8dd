import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { unmarkStatusAsSensitive } from '../../statuses/write/mark-status-as-sensitive.ts'
import { enableUser, unlimitAccount, unsensitizeAccount, unsuspendAccount } from '../accounts/account-states.ts'
import type { AppealState } from './appeal-deadline.ts'
import { lockTarget } from '../lock-target.ts'
import type { Moderator, Target } from '../lock-target.ts'
import { restoreStatuses } from '../statuses/restore-statuses.ts'
import type { WarningAction } from '../accounts/warn-account.ts'

interface Decision {
  id: string
  by: Moderator
}

interface LockedAppeal {
  state: AppealState
  strike_id: string
  action: WarningAction
  status_ids: string[] | null
}

const findAccount = statement<{ params: { id: string }; row: { target_account_id: string } }>(
  `select w.target_account_id from appeals a join account_warnings w on w.id = a.warning_id where a.id = $id`,
)
const lock = statement<{ params: { id: string }; row: LockedAppeal }>(
  `select a.state, w.id as strike_id, w.action, w.status_ids
   from appeals a join account_warnings w on w.id = a.warning_id where a.id = $id for no key update of a, w`,
)
const decide = statement<{ params: { id: string; state: AppealState; accountId: string | null; now: Date } }>(
  `update appeals set state = $state, decided_by_account_id = $accountId, decided_at = $now where id = $id`,
)
const overrule = statement<{ params: { strikeId: string; now: Date } }>(
  `update account_warnings set overruled_at = $now where id = $strikeId`,
)

/**
 * Approves an appeal: undoes the action of the strike, marks the strike as overruled, and notifies the user by mail.
 * Of deleted statuses, those are restored that staff can still restore (Mastodon: ApproveAppealService).
 * @throws NotFoundError; ForbiddenError for an appeal that is not pending, and of a user whose role has the same or a
 *   higher position
 */
export async function approveAppeal(tx: Tx, input: Decision): Promise<void> {
  const { target, appeal } = await lockPendingAppeal(tx, input)
  await undoAction(tx, { target, by: input.by, action: appeal.action, statusIds: appeal.status_ids ?? [] })
  await overrule(tx.db, { strikeId: appeal.strike_id, now: tx.now })
  await record(tx, { ...input, target, appeal, state: 'approved' })
}

/** Rejects an appeal, and notifies the user by mail. @throws as `approveAppeal` */
export async function rejectAppeal(tx: Tx, input: Decision): Promise<void> {
  const { target, appeal } = await lockPendingAppeal(tx, input)
  await record(tx, { ...input, target, appeal, state: 'rejected' })
}

/** Locks the account before the appeal, like every other action against an account. */
async function lockPendingAppeal(tx: Tx, { id, by }: Decision): Promise<{ target: Target; appeal: LockedAppeal }> {
  const [found] = isId(id) ? await findAccount(tx.db, { id }) : []
  if (!found) throw new NotFoundError()
  const target = await lockTarget(tx, { accountId: found.target_account_id, by })
  const [appeal] = await lock(tx.db, { id })
  if (!appeal) throw new NotFoundError()
  if (appeal.state !== 'pending') throw new ForbiddenError()
  return { target, appeal }
}

async function undoAction(
  tx: Tx,
  {
    target,
    by,
    action,
    statusIds,
  }: { target: Target; by: Moderator; action: WarningAction; statusIds: readonly string[] },
): Promise<void> {
  const { id: accountId, user_id: userId } = target
  switch (action) {
    case 'none':
      break
    case 'delete_statuses':
      await restoreStatuses(tx, { accountId, by, statusIds })
      break
    case 'disable':
      if (userId !== null) await enableUser(tx, { userId })
      break
    case 'mark_statuses_as_sensitive':
      for (const statusId of statusIds) await unmarkStatusAsSensitive(tx, { accountId, statusId })
      break
    case 'sensitive':
      await unsensitizeAccount(tx, { accountId })
      break
    case 'silence':
      await unlimitAccount(tx, { accountId })
      break
    case 'suspend':
      // The data of a deleted account, which stays suspended, is gone.
      if (target.suspended && userId !== null) await unsuspendAccount(tx, { accountId })
  }
}

async function record(
  tx: Tx,
  {
    id,
    by,
    target,
    appeal,
    state,
  }: Decision & { target: Target; appeal: LockedAppeal; state: 'approved' | 'rejected' },
): Promise<void> {
  await decide(tx.db, { id, state, accountId: by?.accountId ?? null, now: tx.now })
  await recordAuditEntry(tx, {
    by,
    action: state === 'approved' ? 'approve' : 'reject',
    targetType: 'appeal',
    targetId: id,
    label: target.handle,
    details: { account_id: target.id, strike_id: appeal.strike_id, strike_action: appeal.action },
  })
  tx.emit('appeal.decided', { appealId: id })
}
