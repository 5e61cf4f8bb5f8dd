import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const lockRecipient = statement<{ params: { accountId: string } }>(
  `select from accounts where id = $accountId for no key update`,
)

/**
 * Locks an account against new notifications until the transaction ends, after waiting for transactions that are
 * creating some (see `create-notifications.ts`). So a deletion of notifications afterwards misses none, and later
 * transactions see the cause of the deletion. Delete what the notifications refer to before this call:
 * `createNotifications` also locks it first.
 */
export async function lockNotifications(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await lockRecipient(tx.db, { accountId })
}
