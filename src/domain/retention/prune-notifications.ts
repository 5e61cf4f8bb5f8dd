import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { BATCH_SIZE, pruneBefore } from './prune-step.ts'
import type { PruneInput, PruneResult } from './prune-step.ts'

// Notifications that another transaction changes, such as one that accepts a request, are left for the next pass.
const SCANNED = `select id, account_id, created_at, filtered from notifications where id > $after
   order by id limit ${BATCH_SIZE}`
const scan = statement<{
  params: { after: string; before: Date }
  row: { last: string | null; count: number; recipient_ids: string[] }
}>(
  `with scanned as (${SCANNED})
   select case when count(*) = ${BATCH_SIZE} and bool_or(created_at < $before) then max(id) end as last,
     count(*) filter (where created_at < $before)::int as count,
     coalesce(array_agg(distinct account_id) filter (where filtered and created_at < $before), '{}') as recipient_ids
   from scanned`,
)
const lockRecipients = statement<{ params: { accountIds: readonly string[] } }>(
  `select from accounts where id = any($accountIds::bigint[]) order by id for no key update`,
)
const remove = statement<{
  params: { after: string; before: Date }
  row: { account_id: string; from_account_id: string; filtered: boolean }
}>(
  `delete from notifications where id = any(array(
     select n.id from notifications n
     where n.id = any(array(select id from (${SCANNED}) scanned where created_at < $before))
     order by n.id for update skip locked))
   returning account_id, from_account_id, filtered`,
)
const removeEmptyRequests = statement<{
  params: { accountIds: readonly string[]; fromAccountIds: readonly string[] }
}>(
  `delete from notification_requests r
   using (select distinct account_id, from_account_id
     from unnest($accountIds::bigint[], $fromAccountIds::bigint[]) pruned (account_id, from_account_id)) pruned
   where r.account_id = pruned.account_id and r.from_account_id = pruned.from_account_id
     and not exists (select from notifications n where n.account_id = r.account_id
       and n.from_account_id = r.from_account_id and n.filtered)`,
)

/** Prunes old notifications, read or not, and requests whose notifications have all been pruned; oldest first. */
export async function pruneNotifications(ctx: Ctx, { cursor, policy, now, dryRun }: PruneInput): Promise<PruneResult> {
  const batch = { after: cursor ?? '0', before: pruneBefore(now, policy.notificationsDays) }
  const [scanned] = await scan(ctx.db, batch)
  const { last, count, recipient_ids: recipientIds } = scanned!
  if (dryRun !== null || count === 0) return { cursor: last, count }
  const removed = await ctx.write(async (tx) => {
    // Prevents new filtered notifications, which would lose their request.
    if (recipientIds.length > 0) await lockRecipients(tx.db, { accountIds: recipientIds })
    const rows = await remove(tx.db, batch)
    const filtered = rows.filter((row) => row.filtered && recipientIds.includes(row.account_id))
    if (filtered.length > 0) {
      await removeEmptyRequests(tx.db, {
        accountIds: filtered.map((row) => row.account_id),
        fromAccountIds: filtered.map((row) => row.from_account_id),
      })
    }
    return rows.length
  })
  return { cursor: last, count: removed }
}
