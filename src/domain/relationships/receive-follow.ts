import { Forbidden } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isBuriedDeed } from '../tombstones.ts'
import { followAccount } from './follow.ts'
import { lockAccounts } from './lock-accounts.ts'

const findFollow = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `select from follows where account_id = $accountId and target_account_id = $targetAccountId`,
)

/**
 * What came of a follow that somebody elsewhere asked for. `undone`: it had been taken back before it came.
 */
export type Reception = 'following' | 'requested' | 'rejected' | 'undone'

/**
 * Takes in that somebody of another server wants to follow somebody here: in place at once unless the target is locked
 * or the asker silenced. Their server hears of it if it is in place or refused, also when it asks again.
 * @throws NotFound when there is nobody here by that id
 */
export async function receiveFollow(
  tx: Tx,
  { accountId, targetAccountId, uri }: { accountId: string; targetAccountId: string; uri: string | null },
): Promise<Reception> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if (uri !== null && (await isBuriedDeed(tx, { uri, accountId }))) return 'undone'
  try {
    await followAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  } catch (err) {
    // Nothing has been written then.
    if (!(err instanceof Forbidden)) throw err
    tx.emit('follow.rejected', { accountId, targetAccountId, uri })
    return 'rejected'
  }
  const follows = await findFollow(tx.db, { accountId, targetAccountId })
  return follows.length > 0 ? 'following' : 'requested'
}
