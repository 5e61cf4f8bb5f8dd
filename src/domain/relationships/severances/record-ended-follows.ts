import type { Tx } from '../../context.ts'
import { recordSeverances } from './record-severances.ts'

/** The number of ended follows that one job removes from the feeds. */
const FOLLOWS_PER_JOB = 500

/** A deleted follow between a local and a remote account. */
export interface EndedFollow {
  account_id: string
  target_account_id: string
  follower_is_local: boolean
}

/**
 * Records how many follows local accounts have lost by a block of a domain, in the transaction that deletes the
 * follows, and lets jobs remove the statuses of accounts that they no longer follow from their feeds. `cause`: see
 * `recordSeverances`; null: nothing is recorded, so the users are not notified.
 */
export async function recordEndedFollows(
  tx: Tx,
  { ended, domain, cause }: { ended: readonly EndedFollow[]; domain: string; cause: string | null },
): Promise<void> {
  if (cause !== null) await recordLosses(tx, { ended, domain, cause })
  const byLocal = ended.filter((follow) => follow.follower_is_local)
  for (let start = 0; start < byLocal.length; start += FOLLOWS_PER_JOB) {
    const part = byLocal.slice(start, start + FOLLOWS_PER_JOB)
    tx.emit('follow.many_severed', {
      accountIds: part.map((follow) => follow.account_id),
      targetAccountIds: part.map((follow) => follow.target_account_id),
    })
  }
}

async function recordLosses(
  tx: Tx,
  { ended, domain, cause }: { ended: readonly EndedFollow[]; domain: string; cause: string },
): Promise<void> {
  const losses = new Map<string, { accountId: string; followers: number; following: number }>()
  for (const { account_id: followerId, target_account_id: targetId, follower_is_local: isByLocal } of ended) {
    const accountId = isByLocal ? followerId : targetId
    const loss = losses.get(accountId) ?? { accountId, followers: 0, following: 0 }
    losses.set(accountId, loss)
    loss[isByLocal ? 'following' : 'followers'] += 1
  }
  await recordSeverances(tx, { type: 'domain_block', targetName: domain, cause, losses: [...losses.values()] })
}
