import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus } from './visibility.ts'

// A status whose talk is not known yet gets one of its own, so that there is something to mute.
const hold = statement<{ params: { id: string }; row: { conversation_id: string | null } }>(
  `select conversation_id from statuses where id = $id for no key update`,
)
const begin = statement<{ params: { id: string }; row: { id: string } }>(
  `with made as (insert into conversations default values returning id)
   update statuses s set conversation_id = made.id from made where s.id = $id returning made.id`,
)
const insert = statement<{ params: { accountId: string; conversationId: string } }>(
  `insert into conversation_mutes (account_id, conversation_id) values ($accountId, $conversationId)
    on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; conversationId: string } }>(
  `delete from conversation_mutes where account_id = $accountId and conversation_id = $conversationId`,
)

type Input = { accountId: string; statusId: string }

/** From now on the talk that the status belongs to notifies this person of nothing. Returns its id. @throws NotFound */
export async function muteConversation(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  const [row] = await hold(tx.db, { id })
  const conversationId = row?.conversation_id ?? (await begin(tx.db, { id }))[0]!.id
  await insert(tx.db, { accountId, conversationId })
  return id
}

/** Takes that back. Returns the status's id. @throws NotFound */
export async function unmuteConversation(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  const [row] = await hold(tx.db, { id })
  if (row?.conversation_id != null) await remove(tx.db, { accountId, conversationId: row.conversation_id })
  return id
}
