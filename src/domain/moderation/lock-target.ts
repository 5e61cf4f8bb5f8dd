import { ForbiddenError, NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { hasPermissionSql, isAbove } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'

/** Who acts: a member of the staff, or null for an administrator on the command line. */
export type Moderator = StaffMember | null

export interface Target {
  id: string
  handle: string
  is_local: boolean
  suspended: boolean
  suspended_by_origin: boolean
  /** null: the account is remote, or its user was deleted. */
  user_id: string | null
  approved: boolean | null
  position: number | null
  administrator: boolean
  /** The account is suspended by this server, and its data are not deleted yet. */
  can_be_purged: boolean
}

const lock = statement<{ params: { accountId: string }; row: Target; notNull: 'administrator' | 'can_be_purged' }>(
  `select a.id, a.username || coalesce('@' || a.domain, '') as handle, a.domain is null as is_local,
     a.suspended_at is not null as suspended, a.suspended_by_origin, u.id as user_id, u.approved, r.position,
     coalesce(${hasPermissionSql('administrator')}, false) as administrator,
     a.suspended_at is not null and not a.suspended_by_origin and (a.domain is not null or u.id is not null)
       and not exists (select from account_purges p where p.account_id = a.id and p.started_at is not null)
       as can_be_purged
   from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
   where a.id = $accountId for no key update of a`,
)

export interface ActionInput {
  accountId: string
  by: Moderator
}

/**
 * Locks the account, and checks that the moderator may act on it.
 * @throws NotFoundError; ForbiddenError for a user whose role has the same or a higher position
 */
export async function lockTarget(tx: Tx, { accountId, by }: ActionInput): Promise<Target> {
  if (!isId(accountId)) throw new NotFoundError()
  await lockAccounts(tx, { ids: [accountId] })
  const [target] = await lock(tx.db, { accountId })
  if (!target) throw new NotFoundError()
  if (by && !isAbove(by, target.position)) throw new ForbiddenError()
  return target
}

/** Records an action against an account in the audit log. */
export async function recordAction(
  tx: Tx,
  {
    by,
    target,
    action,
  }: { by: Moderator; target: Target; action: Parameters<typeof recordAuditEntry<'account'>>[1]['action'] },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'account', targetId: target.id, label: target.handle })
}
