import type { Tx } from '../../context.ts'
import { recordSeverances } from './record-severances.ts'
import type { SeveredFollow } from './record-severances.ts'

/** The number of ended follows that one job removes from the feeds. */
const FOLLOWS_PER_JOB = 500

/** A deleted follow between a local and a remote account: a row of `ENDED_FOLLOWS`. */
export interface EndedFollow {
  account_id: string
  target_account_id: string
  follower_is_local: boolean
  show_reblogs: boolean
  notify: boolean
  languages: string[] | null
}

/** SQL query for the rows of a CTE `ended`, which are deleted rows of `follows`. */
export const ENDED_FOLLOWS = `select ended.account_id, ended.target_account_id, follower.domain is null as follower_is_local,
     ended.show_reblogs, ended.notify, ended.languages
   from ended join accounts follower on follower.id = ended.account_id`

/**
 * Records which follows local accounts have lost by a block of a domain, in the transaction that deletes the
 * follows, and lets jobs remove the statuses of accounts that they no longer follow from their feeds. `cause`: see
 * `recordSeverances`; null: nothing is recorded, so the users are not notified.
 */
export async function recordEndedFollows(
  tx: Tx,
  { ended, domain, cause }: { ended: readonly EndedFollow[]; domain: string; cause: string | null },
): Promise<void> {
  if (cause !== null) {
    await recordSeverances(tx, { type: 'domain_block', targetName: domain, cause, follows: ended.map(severedFollow) })
  }
  const byLocal = ended.filter((follow) => follow.follower_is_local)
  for (let start = 0; start < byLocal.length; start += FOLLOWS_PER_JOB) {
    const part = byLocal.slice(start, start + FOLLOWS_PER_JOB)
    tx.emit('follow.many_severed', {
      accountIds: part.map((follow) => follow.account_id),
      targetAccountIds: part.map((follow) => follow.target_account_id),
    })
  }
}

function severedFollow({ follower_is_local: isByLocal, ...follow }: EndedFollow): SeveredFollow {
  const { account_id: followerId, target_account_id: targetId, show_reblogs: showReblogs, notify, languages } = follow
  const [accountId, otherId] = isByLocal ? [followerId, targetId] : [targetId, followerId]
  return { accountId, otherId, isFollower: !isByLocal, showReblogs, notify, languages }
}
