import { hasPermission } from '../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { UnsentMail } from '../../../domain/mails/manage-mails.ts'
import type { AdminMail } from '../../../entities/admin/operations/admin-mail.ts'
import { describeLastError } from './describe-last-error.ts'

/**
 * Returns an unsent mail without its text, which may contain links to log in. Only staff who may manage users see the
 * complete address of the recipient.
 */
export function renderAdminMail(mail: UnsentMail, { staff }: { staff: Pick<StaffMember, 'permissions'> }): AdminMail {
  const { id, state, recipient, subject, attempts, lastError, nextAttemptAt, createdAt } = mail
  return {
    id,
    state,
    recipient: hasPermission(staff.permissions, 'manageUsers') ? recipient : maskAddress(recipient),
    subject,
    attempts,
    last_error: describeLastError(lastError),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}

/** Returns an address such as `a…@mail.test`. */
function maskAddress(address: string): string {
  const [first = ''] = address
  return `${first}…${address.slice(address.lastIndexOf('@'))}`
}
