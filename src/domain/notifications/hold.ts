import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const hold = statement<{ params: { accountId: string } }>(
  `select from accounts where id = $accountId for no key update`,
)

/**
 * Waits for the notifications that are being written for somebody, and lets the next ones wait until the transaction
 * ends (see `notify.ts`): what is deleted of them then is all that there is, and the next ones see why. What a
 * notification tells of is deleted before this, since `notify` holds it first as well.
 */
export async function holdNotifications(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await hold(tx.db, { accountId })
}
