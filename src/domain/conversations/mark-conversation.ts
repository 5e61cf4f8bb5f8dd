import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findConversation } from './list-conversations.ts'

const update = statement<{ params: { id: string; accountId: string; unread: boolean } }>(
  `update account_conversations set unread = $unread where id = $id and account_id = $accountId`,
)

/** Marks a conversation of the account as read or as unread. @throws NotFoundError */
export async function markConversation(
  tx: Tx,
  { id, accountId, unread }: { id: string; accountId: string; unread: boolean },
): Promise<void> {
  await findConversation(tx, { id, accountId })
  await update(tx.db, { id, accountId, unread })
}
