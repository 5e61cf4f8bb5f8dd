import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { notify } from './notify.ts'

/** What ended follows that nobody of the two ended. */
interface Severance {
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain or the handle. */
  targetName: string
  /** Names what ended them: what takes several transactions is one event. */
  cause: string
  /** Who lost how many. */
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
  `insert into relationship_severances (account_id, type, target_name, cause, followers_count, following_count, created_at)
   select loss.account_id, $type, $targetName, $cause, loss.followers, loss.following, $now
   from unnest($accountIds::bigint[], $followers::int[], $following::int[]) loss (account_id, followers, following)
   where loss.followers + loss.following > 0 order by loss.account_id
   on conflict (account_id, cause) do update set
     followers_count = relationship_severances.followers_count + excluded.followers_count,
     following_count = relationship_severances.following_count + excluded.following_count
   returning id, xmax = 0 as is_new`,
)

/** Remembers how many follows people have lost, in the transaction that ends them. None is nothing to remember. */
export async function recordSeverances(tx: Tx, { type, targetName, cause, losses }: Severance): Promise<void> {
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
  `select account_id from relationship_severances where id = $severanceId for key share`,
)

/** Effect: tells somebody that they have lost follows. */
export async function notifySevered(ctx: Ctx, { severanceId }: { severanceId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [severance] = await find(tx.db, { severanceId })
    if (!severance) return
    const { account_id: accountId } = severance
    await notify(tx, {
      kind: 'severed_relationships',
      fromAccountId: accountId,
      severanceId,
      recipientIds: [accountId],
    })
  })
}
