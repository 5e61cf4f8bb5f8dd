import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

/** Hours after which a notification is not pushed any more. Also the TTL for push services (RFC 8030 §5.2). */
export const PUSH_TTL_HOURS = 48

/** SQL condition: whether the subscription `p` (push_subscriptions) includes the notification `n` (notifications). */
export const IS_WANTED_BY_SUBSCRIPTION = `p.alerts -> n.type = 'true'::jsonb and case p.policy
  when 'all' then true
  when 'followed' then exists (
    select from follows f where f.account_id = n.account_id and f.target_account_id = n.from_account_id)
  when 'follower' then exists (
    select from follows f where f.account_id = n.from_account_id and f.target_account_id = n.account_id)
  else false end`

const plan = statement<{ params: { notificationId: string; now: Date }; row: { subscription_id: string } }>(
  `insert into push_deliveries (notification_id, subscription_id, created_at)
   select n.id, p.id, $now
   from notifications n join users u on u.account_id = n.account_id
     join access_tokens t on t.user_id = u.id and t.revoked_at is null
     join push_subscriptions p on p.access_token_id = t.id
   where n.id = $notificationId and ${IS_WANTED_BY_SUBSCRIPTION}
   order by p.id
   for key share of n, p
   on conflict do nothing
   returning subscription_id`,
)

/** Effect: plans one push of a notification for each subscription that includes it. */
export async function planPushes(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const planned = await plan(tx.db, { notificationId, now: tx.now })
    for (const { subscription_id: subscriptionId } of planned) {
      tx.emit('push.due', { notificationId, subscriptionId, attempts: 0 })
    }
  })
}

const prune = statement<{ params: { before: Date } }>(`delete from push_deliveries where created_at < $before`)

/** Effect: deletes the records of pushes that are too old to be sent. */
export async function prunePushes(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - 2 * PUSH_TTL_HOURS * 3_600_000)
  await ctx.write((tx: Tx) => prune(tx.db, { before }))
}
