import { ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { isUndone } from '../../core/tombstones.ts'
import { followAccount } from './follow-account.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

const findFollow = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `select from follows where account_id = $accountId and target_account_id = $targetAccountId`,
)

/** The result of a remote `Follow` activity. `undone`: the server had received its `Undo` before. */
export type FollowOutcome = 'following' | 'requested' | 'rejected' | 'undone'

/** Rejects the `Follow` of the instance actor, which only signs requests and publishes nothing. */
export async function rejectInstanceFollow(
  tx: Tx,
  { accountId, uri }: { accountId: string; uri: string | null },
): Promise<void> {
  tx.emit('follow.rejected', { accountId, targetAccountId: null, uri })
}

/**
 * Records the `Follow` of a remote account: creates a follow, or a follow request if the local account is locked or the
 * remote account limited. Notifies the remote server if the follow is accepted or rejected, also if it repeats a
 * `Follow`.
 * @throws NotFoundError if there is no such local account
 */
export async function recordRemoteFollow(
  tx: Tx,
  { accountId, targetAccountId, uri }: { accountId: string; targetAccountId: string; uri: string | null },
): Promise<FollowOutcome> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if (uri !== null && (await isUndone(tx, { uri, accountId }))) return 'undone'
  try {
    await followAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  } catch (err) {
    // `followAccount` has written nothing if it throws this, so the transaction can go on.
    if (!(err instanceof ForbiddenError)) throw err
    tx.emit('follow.rejected', { accountId, targetAccountId, uri })
    return 'rejected'
  }
  const follows = await findFollow(tx.db, { accountId, targetAccountId })
  return follows.length > 0 ? 'following' : 'requested'
}
