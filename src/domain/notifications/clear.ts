import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ params: { accountId: string } }>(`delete from notifications where account_id = $accountId`)

/** Takes all of somebody's notifications away. */
export async function clearNotifications(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await remove(tx.db, { accountId })
}
