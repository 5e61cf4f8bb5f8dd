import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockVisibleOriginal } from '../../access/visibility.ts'

// A status without a conversation gets one, so that it can be muted. Concurrent calls wait for each other.
const lockStatus = statement<{ params: { id: string }; row: { conversation_id: string | null } }>(
  `select conversation_id from statuses where id = $id for no key update`,
)
const createConversation = statement<{ params: { id: string }; row: { id: string } }>(
  `with created as (insert into conversations default values returning id)
   update statuses s set conversation_id = created.id from created where s.id = $id returning created.id`,
)
const insert = statement<{ params: { accountId: string; conversationId: string } }>(
  `insert into conversation_mutes (account_id, conversation_id) values ($accountId, $conversationId)
    on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; conversationId: string } }>(
  `delete from conversation_mutes where account_id = $accountId and conversation_id = $conversationId`,
)

type StatusInput = { accountId: string; statusId: string }

/**
 * Mutes the conversation of a status: the account gets no more notifications from it. Returns the id of the status.
 * Mastodon: POST /api/v1/statuses/:id/mute
 * @throws NotFoundError
 */
export async function muteConversation(tx: Tx, { accountId, statusId }: StatusInput): Promise<string> {
  const { id } = await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  const [row] = await lockStatus(tx.db, { id })
  const conversationId = row?.conversation_id ?? (await createConversation(tx.db, { id }))[0]!.id
  await insert(tx.db, { accountId, conversationId })
  return id
}

/**
 * Unmutes the conversation of a status. Returns the id of the status. Mastodon: POST /api/v1/statuses/:id/unmute
 * @throws NotFoundError
 */
export async function unmuteConversation(tx: Tx, { accountId, statusId }: StatusInput): Promise<string> {
  const { id } = await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  const [row] = await lockStatus(tx.db, { id })
  if (row?.conversation_id != null) await remove(tx.db, { accountId, conversationId: row.conversation_id })
  return id
}
