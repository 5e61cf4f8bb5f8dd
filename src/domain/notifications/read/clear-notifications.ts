import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const remove = statement<{ params: { accountId: string } }>(`delete from notifications where account_id = $accountId`)

/** Deletes all notifications of an account (Mastodon: POST /api/v1/notifications/clear). */
export async function clearNotifications(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await remove(tx.db, { accountId })
}
