import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const findOwner = statement<{ params: { email: string }; row: { id: string; account_id: string } }>(
  `select id, account_id from users where lower(email) = $email`,
)

/**
 * Notifies the user who has an e-mail address that it was requested for another account; the response to the requester
 * does not reveal that it is taken. Returns whether the address belongs to a user other than `requestedBy` (a user id).
 */
export async function reportTakenEmail(
  tx: Tx,
  { email, requestedBy = null }: { email: string; requestedBy?: string | null },
): Promise<boolean> {
  const [owner] = await findOwner(tx.db, { email: email.trim().toLowerCase() })
  if (!owner || owner.id === requestedBy) return false
  tx.emit('account.taken_email_requested', { accountId: owner.account_id })
  return true
}
