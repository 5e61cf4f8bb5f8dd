import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from account_conversations where id = $id and account_id = $accountId returning id`,
)
const removeWith = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `delete from account_conversations where account_id = $accountId and $targetAccountId = any(participant_ids)`,
)

/**
 * Takes a conversation off somebody's list; what is written next begins it anew. The statuses stay, and so does what
 * the others have of it. @throws NotFound also for somebody else's
 */
export async function removeConversation(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = await remove(tx.db, { id, accountId })
  if (!row) throw new NotFound()
}

/** Takes every conversation off somebody's list that a certain person takes part in. */
export async function removeConversationsWith(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await removeWith(tx.db, { accountId, targetAccountId })
}
