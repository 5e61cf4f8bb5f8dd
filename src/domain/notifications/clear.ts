import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const remove = statement(`delete from notifications where account_id = $1`)

/** Takes all of somebody's notifications away. */
export async function clearNotifications(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await remove(tx.db, [accountId])
}
