import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { writeFollow } from '../objects/write/write-activities.ts'
import { sendActivities } from './send-activity.ts'

interface RequestRow {
  id: string
  uri: string | null
  account_id: string
  target_account_id: string
  actor: string
  object: string
}

const lockRequests = statement<{
  params: { accountIds: readonly string[]; targetAccountIds: readonly string[] }
  row: RequestRow
}>(
  `select r.id, r.uri, r.account_id, r.target_account_id, a.uri as actor, t.uri as object
   from unnest($accountIds::bigint[], $targetAccountIds::bigint[]) requested (account_id, target_account_id)
     join follow_requests r using (account_id, target_account_id)
     join accounts a on a.id = r.account_id join accounts t on t.id = r.target_account_id
   where a.domain is null and t.domain is not null
   order by r.id for key share of r`,
)
/** Effect: sends the Follows of many follow requests to remote accounts, even if their hosts are unavailable. */
export async function deliverFollows(
  ctx: Ctx,
  { accountIds, targetAccountIds }: { accountIds: readonly string[]; targetAccountIds: readonly string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const requests = await lockRequests(tx.db, { accountIds, targetAccountIds })
    const activities = requests.map((request) => ({
      activity: writeFollow(request),
      accountId: request.account_id,
      to: { accountIds: [request.target_account_id] },
    }))
    await sendActivities(tx, { activities, toPersonalInboxes: true, evenIfUnavailable: true })
  })
}
