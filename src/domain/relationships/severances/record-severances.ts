import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { createNotifications } from '../../notifications/create/create-notifications.ts'

/** Follows that ended by a block or suspension, not by an unfollow. */
interface SeveredRelationships {
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the handle of the suspended account. */
  targetName: string
  /** Identifies the cause, so that losses recorded in several transactions make one severance event. */
  cause: string
  /** The number of followers and follows that each local account lost. */
  losses: readonly { accountId: string; followers: number; following: number }[]
}

const record = statement<{
  params: {
    type: string
    targetName: string
    cause: string
    now: Date
    accountIds: readonly string[]
    followers: readonly number[]
    following: readonly number[]
  }
  row: { id: string; is_new: boolean }
}>(
  `insert into relationship_severance_events (account_id, type, target_name, cause, followers_count, following_count, created_at)
   select loss.account_id, $type, $targetName, $cause, loss.followers, loss.following, $now
   from unnest($accountIds::bigint[], $followers::int[], $following::int[]) loss (account_id, followers, following)
   where loss.followers + loss.following > 0 order by loss.account_id
   on conflict (account_id, cause) do update set
     followers_count = relationship_severance_events.followers_count + excluded.followers_count,
     following_count = relationship_severance_events.following_count + excluded.following_count
   returning id, xmax = 0 as is_new`,
)

/** Records how many follows accounts have lost, in the transaction that deletes the follows. Ignores losses of 0. */
export async function recordSeverances(
  tx: Tx,
  { type, targetName, cause, losses }: SeveredRelationships,
): Promise<void> {
  const severances = await record(tx.db, {
    type,
    targetName,
    cause,
    now: tx.now,
    accountIds: losses.map(({ accountId }) => accountId),
    followers: losses.map(({ followers }) => followers),
    following: losses.map(({ following }) => following),
  })
  for (const { id, is_new: isNew } of severances) {
    if (isNew) tx.emit('relationships.severed', { severanceId: id })
  }
}

const find = statement<{ params: { severanceId: string }; row: { account_id: string } }>(
  `select account_id from relationship_severance_events where id = $severanceId for key share`,
)

/** Effect: notifies a user of severed relationships. */
export async function notifySeveredRelationships(ctx: Ctx, { severanceId }: { severanceId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [severance] = await find(tx.db, { severanceId })
    if (!severance) return
    const { account_id: accountId } = severance
    await createNotifications(tx, {
      type: 'severed_relationships',
      fromAccountId: accountId,
      severanceId,
      recipientIds: [accountId],
    })
  })
}
