import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/** The number of mentions, and of replies, that one call detaches at most. */
const BATCH_SIZE = 500

// These lock the statuses in the order of their ids, as everywhere.
const lockMentioning = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from statuses where id = any(array(
     select status_id from mentions where account_id = $accountId and not silent limit ${BATCH_SIZE}))
   order by id for no key update`,
)
const lockReplies = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from statuses where id = any(array(
     select id from statuses where in_reply_to_account_id = $accountId limit ${BATCH_SIZE}))
   order by id for no key update`,
)
const removeMentions = statement<{ params: { accountId: string; ids: readonly string[] } }>(
  `delete from mentions where account_id = $accountId and status_id = any($ids::bigint[])`,
)
const incrementVersions = statement<{ params: { ids: readonly string[] } }>(
  `update statuses set version = version + 1 where id = any($ids::bigint[])`,
)
const removeRecipient = statement<{ params: { accountId: string; ids: readonly string[] } }>(
  `update statuses set in_reply_to_account_id = null, version = version + 1
   where id = any($ids::bigint[]) and in_reply_to_account_id = $accountId`,
)

/**
 * Removes a batch of the mentions of a deleted account from statuses, which show them no more. If the row of the account
 * will be deleted, too, the replies to the account name it no more. Returns whether there may be more.
 */
export async function detachAccount(
  tx: Tx,
  { accountId, keepsRow }: { accountId: string; keepsRow: boolean },
): Promise<boolean> {
  const mentioning = (await lockMentioning(tx.db, { accountId })).map(({ id }) => id)
  if (mentioning.length > 0) {
    await removeMentions(tx.db, { accountId, ids: mentioning })
    await incrementVersions(tx.db, { ids: mentioning })
    return true
  }
  const replies = keepsRow ? [] : (await lockReplies(tx.db, { accountId })).map(({ id }) => id)
  if (replies.length > 0) await removeRecipient(tx.db, { accountId, ids: replies })
  return replies.length > 0
}
