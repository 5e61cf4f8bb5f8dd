import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

/** How long a notification is news: also push services keep it no longer for a device that is switched off. */
export const NEWS_HOURS = 48

/** Whether the person of `n` (notifications) wants to hear of it by `p` (push_subscriptions), as SQL. */
export const WANTED = `p.alerts -> n.type = 'true'::jsonb and case p.policy
  when 'all' then true
  when 'followed' then exists (
    select from follows f where f.account_id = n.account_id and f.target_account_id = n.from_account_id)
  when 'follower' then exists (
    select from follows f where f.account_id = n.from_account_id and f.target_account_id = n.account_id)
  else false end`

const plan = statement<{ params: { notificationId: string; now: Date }; row: { subscription_id: string } }>(
  `insert into pushes (notification_id, subscription_id, created_at)
   select n.id, p.id, $now
   from notifications n join users u on u.account_id = n.account_id
     join access_tokens t on t.user_id = u.id and t.revoked_at is null
     join push_subscriptions p on p.access_token_id = t.id
   where n.id = $notificationId and ${WANTED}
   order by p.id
   for key share of n, p
   on conflict do nothing
   returning subscription_id`,
)

/** Effect: plans one push of a notification for each program that wants to hear of it. */
export async function planPushes(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const planned = await plan(tx.db, { notificationId, now: tx.now })
    for (const { subscription_id: subscriptionId } of planned) {
      tx.emit('push.due', { notificationId, subscriptionId, tries: 0 })
    }
  })
}

const prune = statement<{ params: { before: Date } }>(`delete from pushes where created_at < $before`)

/** Effect: forgets pushes that are no news any more. */
export async function prunePushes(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - 2 * NEWS_HOURS * 3_600_000)
  await ctx.write((tx: Tx) => prune(tx.db, { before }))
}
