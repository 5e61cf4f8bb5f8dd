import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { StaffMember } from '../../access/permissions.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { IS_RESTORABLE, restoreStatus } from '../../statuses/restore/restore-status.ts'
import { lockTarget } from '../lock-target.ts'
import type { Moderator } from '../lock-target.ts'
import { visibleToStaff } from './visible-to-staff.ts'

interface Restoration {
  accountId: string
  statusIds: readonly string[]
}

const findRemoteUris = statement<{ params: Restoration; row: { uri: string } }>(
  `select uri from statuses where id = any($statusIds::bigint[]) and account_id = $accountId and not local`,
)
const findRestorable = statement<{ params: Restoration & { now: Date }; row: { id: string; url: string } }>(
  `select s.id, s.url from statuses s join restorable_statuses r on ${IS_RESTORABLE}
   where s.id = any($statusIds::bigint[]) and s.account_id = $accountId order by s.id`,
)
const findOthers = statement<{ params: Restoration & { staffId: string } }>(
  `select from statuses s where s.id = any($statusIds::bigint[]) and s.account_id = $accountId
     and s.reblog_of_id is null and ${visibleToStaff()} limit 1`,
)

/**
 * Locks the URIs of remote statuses before anything else, so that the deletion of one by staff, its restoration and its
 * deletion by its author happen one after the other.
 */
export async function lockRemoteStatuses(tx: Tx, { accountId, statusIds }: Restoration): Promise<void> {
  if (!isId(accountId)) return
  const uris = (await findRemoteUris(tx.db, { accountId, statusIds })).map((row) => row.uri)
  if (uris.length > 0) await lockUris(tx, { uris })
}

/**
 * Restores statuses of an account that staff deleted. Skips those that cannot be restored.
 * @throws NotFoundError if the account is unknown, or no status is left that the staff see; UnprocessableError if none
 *   of them can be restored; ForbiddenError for a user whose role has the same or a higher position
 */
export async function restoreStatusesAsStaff(
  tx: Tx,
  { accountId, by, statusIds }: Restoration & { by: StaffMember },
): Promise<void> {
  const ids = statusIds.filter(isId)
  await lockRemoteStatuses(tx, { accountId, statusIds: ids })
  await lockTarget(tx, { accountId, by })
  if ((await restoreStatuses(tx, { accountId, by, statusIds: ids })) > 0) return
  const others = await findOthers(tx.db, { accountId, staffId: by.accountId, statusIds: ids })
  if (others.length === 0) throw new NotFoundError()
  throw new UnprocessableError('None of the posts was deleted by the staff and can still be restored')
}

/** Restores those of an account's statuses that can be restored; the caller has locked the account. Returns how many. */
export async function restoreStatuses(
  tx: Tx,
  { accountId, by, statusIds }: Restoration & { by: Moderator },
): Promise<number> {
  let count = 0
  for (const { id: statusId, url: label } of await findRestorable(tx.db, { accountId, statusIds, now: tx.now })) {
    if (!(await restoreStatus(tx, { accountId, statusId }))) continue
    const details = { account_id: accountId }
    await recordAuditEntry(tx, { by, action: 'restore', targetType: 'status', targetId: statusId, label, details })
    count += 1
  }
  return count
}
