import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findConversation } from './list-conversations.ts'

const update = statement<{ params: { id: string; accountId: string; unread: boolean }; row: { id: string } }>(
  `update account_conversations set unread = $unread where id = $id and account_id = $accountId and unread <> $unread
   returning id`,
)

/** Marks a conversation of the account as read or as unread, also for its other clients. @throws NotFoundError */
export async function markConversation(
  tx: Tx,
  { id, accountId, unread }: { id: string; accountId: string; unread: boolean },
): Promise<void> {
  await findConversation(tx, { id, accountId })
  const [changed] = await update(tx.db, { id, accountId, unread })
  if (changed) tx.emit('conversations.changed', { changes: [{ id, accountId }] })
}
