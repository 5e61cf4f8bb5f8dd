import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

/** Hours after which a notification is not pushed any more. Also the TTL for push services (RFC 8030 §5.2). */
export const PUSH_TTL_HOURS = 48

/** SQL condition: whether the subscription `p` (push_subscriptions) includes the notification `n` (notifications). */
export const IS_ENABLED_BY_SUBSCRIPTION = `p.alerts -> n.type = 'true'::jsonb and case p.policy
  when 'all' then true
  when 'followed' then exists (
    select from follows f where f.account_id = n.account_id and f.target_account_id = n.from_account_id)
  when 'follower' then exists (
    select from follows f where f.account_id = n.from_account_id and f.target_account_id = n.account_id)
  else false end`

// The pushes of notifications: one for each subscription that includes them.
const PUSHES = `notifications n join users u on u.account_id = n.account_id
     join access_tokens t on t.user_id = u.id and t.revoked_at is null
     join push_subscriptions p on p.access_token_id = t.id
   where n.id = any($notificationIds::bigint[]) and ${IS_ENABLED_BY_SUBSCRIPTION}`

const find = statement<{ params: { notificationIds: readonly string[] }; row: { id: string } }>(
  `select n.id from ${PUSHES}`,
)
const plan = statement<{
  params: { notificationIds: readonly string[]; now: Date }
  row: { notification_id: string; subscription_id: string }
}>(
  `insert into push_deliveries (notification_id, subscription_id, created_at)
   select n.id, p.id, $now from ${PUSHES} order by n.id, p.id
   for key share of n, p
   on conflict do nothing
   returning notification_id, subscription_id`,
)

/** Effect: plans one push of each notification for each subscription that includes it. */
export async function planNotificationPushes(ctx: Ctx, payloads: readonly { notificationId: string }[]): Promise<void> {
  const notificationIds = payloads.map(({ notificationId }) => notificationId)
  if ((await find(ctx.db, { notificationIds })).length === 0) return
  await ctx.write(async (tx) => {
    const planned = await plan(tx.db, { notificationIds, now: tx.now })
    for (const { notification_id: notificationId, subscription_id: subscriptionId } of planned)
      tx.emit('push.due', { notificationId, subscriptionId, attempts: 0 })
  })
}

const prune = statement<{ params: { before: Date } }>(`delete from push_deliveries where created_at < $before`)

/** Effect: deletes the records of pushes that are too old to be sent. */
export async function prunePushes(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - 2 * PUSH_TTL_HOURS * 3_600_000)
  await ctx.write((tx: Tx) => prune(tx.db, { before }))
}
