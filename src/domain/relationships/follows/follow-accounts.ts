import type { Tx } from '../../context.ts'
import { writeFollows } from './follow-account.ts'
import type { FollowInput } from './follow-account.ts'

/**
 * Follows many accounts for a local account, or requests to follow them, as `followAccount` does. Of several follows of
 * one account, the last one counts. Returns the ids of the accounts whose follows are refused.
 */
export async function followAccounts(
  tx: Tx,
  { accountId, follows }: { accountId: string; follows: readonly FollowInput[] },
): Promise<Set<string>> {
  const distinct = new Map(follows.map((follow) => [follow.targetAccountId, follow]))
  const results = await writeFollows(tx, { accountId, follows: [...distinct.values()] })
  const [refused, requested] = [new Set<string>(), [] as string[]]
  for (const [targetAccountId, result] of results) {
    if (result.kind === 'error') refused.add(targetAccountId)
    else if (result.kind === 'followed') tx.emit('account.followed', { accountId, targetAccountId })
    else if (result.kind === 'requested' && result.isToRemote) requested.push(targetAccountId)
    else if (result.kind === 'requested') tx.emit('follow.requested', { accountId, targetAccountId })
  }
  if (requested.length > 0) {
    tx.emit('follow.many_requested', { accountIds: requested.map(() => accountId), targetAccountIds: requested })
  }
  return refused
}
