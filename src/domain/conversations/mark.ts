import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { findConversation } from './list.ts'

const update = statement(`update account_conversations set unread = $3 where id = $1 and account_id = $2`)

/** Marks one of somebody's conversations as read, or as unread. @throws NotFound */
export async function markConversation(
  tx: Tx,
  { id, accountId, unread }: { id: string; accountId: string; unread: boolean },
): Promise<void> {
  await findConversation(tx, { id, accountId })
  await update(tx.db, [id, accountId, unread])
}
