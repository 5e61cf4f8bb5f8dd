import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from account_conversations where id = $id and account_id = $accountId returning id`,
)
const removeWith = statement<{ params: { accountId: string; otherIds: readonly string[] } }>(
  `delete from account_conversations where account_id = $accountId and participant_ids && $otherIds::bigint[]`,
)

/**
 * Removes a conversation from the account's list; the next status in it creates it again. The statuses and the
 * conversations of the other participants do not change. Mastodon: DELETE /api/v1/conversations/:id
 * @throws NotFoundError also for another account's conversation
 */
export async function removeConversation(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = await remove(tx.db, { id, accountId })
  if (!row) throw new NotFoundError()
}

/** Removes all conversations in which one of the other accounts participates from the account's list. */
export async function removeConversationsWith(
  tx: Tx,
  { accountId, otherIds }: { accountId: string; otherIds: readonly string[] },
): Promise<void> {
  await removeWith(tx.db, { accountId, otherIds })
}
