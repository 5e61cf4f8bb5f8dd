import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { recordSeverances } from '../severances/record-severances.ts'
import { removeFollow } from './remove-follow.ts'

const BATCH_SIZE = 100

const findFollowed = statement<{ params: { accountId: string }; row: { id: string; handle: string } }>(
  `select f.target_account_id as id, a.username || '@' || a.domain as handle
   from accounts a join follows f on f.account_id = a.id join accounts target on target.id = f.target_account_id
   where a.id = $accountId and a.domain is not null and a.suspended_at is not null and not a.suspended_by_origin
     and target.domain is null
   order by f.target_account_id limit ${BATCH_SIZE}`,
)

/**
 * Effect: ends the follows of local accounts by a remote account that the staff suspended, and sends a Reject for each:
 * the account's server does not know the suspension, and would receive posts for followers. The local users are
 * notified of the number. Follows of the suspended account stay, so that an end of the suspension restores them.
 */
export async function endFollowsOfSuspended(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let batch: number
  do {
    batch = await ctx.write(async (tx) => {
      const followed = await findFollowed(tx.db, { accountId })
      if (followed.length === 0) return 0
      await lockAccounts(tx, { ids: [accountId, ...followed.map(({ id }) => id)] })
      const lostBy: string[] = []
      for (const { id: targetAccountId } of followed) {
        const removed = await removeFollow(tx, { accountId, targetAccountId })
        if (!removed) continue
        lostBy.push(targetAccountId)
        tx.emit('follow.rejected', { accountId, targetAccountId, uri: removed.uri })
      }
      await recordSeverances(tx, {
        type: 'account_suspension',
        targetName: followed[0]!.handle,
        cause: `account_suspension:${accountId}`,
        losses: lostBy.map((id) => ({ accountId: id, followers: 1, following: 0 })),
      })
      return followed.length
    })
  } while (batch === BATCH_SIZE)
}
