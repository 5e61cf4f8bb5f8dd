import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const findOwner = statement<{ params: { email: string }; row: { id: string; account_id: string } }>(
  `select id, account_id from users where lower(email) = $email`,
)

/**
 * Sees to it that the owner of an address learns that somebody wanted it for another account; whoever it was learns
 * nothing. Returns whether the address belongs to anybody but `triedBy`.
 */
export async function noteTriedAddress(
  tx: Tx,
  { email, triedBy = null }: { email: string; triedBy?: string | null },
): Promise<boolean> {
  const [owner] = await findOwner(tx.db, { email: email.trim().toLowerCase() })
  if (!owner || owner.id === triedBy) return false
  tx.emit('account.address_tried', { accountId: owner.account_id })
  return true
}
