import type { Tx } from '../context.ts'

/**
 * Sees to it that the owner of an address learns that somebody wanted it for another account; whoever it was learns
 * nothing. Returns whether the address belongs to anybody but `triedBy`.
 */
export async function noteTriedAddress(
  tx: Tx,
  { email, triedBy = null }: { email: string; triedBy?: string | null },
): Promise<boolean> {
  const owner = await tx.db
    .selectFrom('users')
    .select(['id', 'account_id'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst()
  if (!owner || owner.id === triedBy) return false
  tx.emit('account.address_tried', { accountId: owner.account_id })
  return true
}
