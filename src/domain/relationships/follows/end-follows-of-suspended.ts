import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { recordSeverances } from '../severances/record-severances.ts'
import type { FollowOptions } from '../severances/record-severances.ts'
import { deletingFollows } from './deleting-follows.ts'

/** The follows that one transaction ends. */
const BATCH_SIZE = 500

const findFollowed = statement<{
  params: { accountId: string }
  row: { id: string; handle: string; suspended_at: Date }
  notNull: 'suspended_at'
}>(
  `select f.target_account_id as id, a.username || '@' || a.domain as handle, a.suspended_at
   from accounts a join follows f on f.account_id = a.id join accounts target on target.id = f.target_account_id
   where a.id = $accountId and a.domain is not null and a.suspended_at is not null and not a.suspended_by_origin
     and target.domain is null
   order by f.target_account_id limit ${BATCH_SIZE}`,
)
const endFollows = statement<{
  params: { accountId: string; targetAccountIds: readonly string[] }
  row: { target_account_id: string; uri: string | null } & FollowOptions
}>(
  `${deletingFollows({
    where: 'account_id = $accountId and target_account_id = any($targetAccountIds::bigint[])',
    columns: 'account_id, target_account_id, uri, show_reblogs, notify, languages',
  })}
   select target_account_id, uri, show_reblogs as "showReblogs", notify, languages from ended`,
)
// A separate statement, because its snapshot includes notifications written while the previous statement waited.
const removeNotifications = statement<{ params: { accountId: string; targetAccountIds: readonly string[] } }>(
  `delete from notifications where account_id = any($targetAccountIds::bigint[]) and from_account_id = $accountId
     and type = 'follow' and status_id is null`,
)

/**
 * Effect: ends the follows of local accounts by a remote account that the staff suspended, and sends a Reject for each:
 * the account's server does not know the suspension, and would receive posts for followers. The local users are
 * notified. Follows of the suspended account stay, so that an end of the suspension restores them.
 */
export async function endFollowsOfSuspended(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let batch: number
  do batch = await ctx.write((tx) => endBatch(tx, { accountId }))
  while (batch === BATCH_SIZE)
}

/** Returns the number of follows that it found. */
async function endBatch(tx: Tx, { accountId }: { accountId: string }): Promise<number> {
  const followed = await findFollowed(tx.db, { accountId })
  if (followed.length === 0) return 0
  const targetAccountIds = followed.map(({ id }) => id)
  const { handle, suspended_at: suspendedAt } = followed[0]!
  await lockAccounts(tx, { ids: [accountId, ...targetAccountIds] })
  const ended = await endFollows(tx.db, { accountId, targetAccountIds })
  await removeNotifications(tx.db, { accountId, targetAccountIds })
  await recordSeverances(tx, {
    type: 'account_suspension',
    targetName: handle,
    // The account may be suspended again after its suspension has ended.
    cause: `account_suspension:${accountId}:${suspendedAt.getTime()}`,
    follows: ended.map(({ target_account_id: targetAccountId, showReblogs, notify, languages }) => ({
      accountId: targetAccountId,
      otherId: accountId,
      isFollower: true,
      showReblogs,
      notify,
      languages,
    })),
  })
  for (const { target_account_id: targetAccountId, uri } of ended) {
    tx.emit('follow.rejected', { accountId, targetAccountId, uri })
  }
  return followed.length
}
