import type { Ctx, Tx } from '../../domain/context.ts'
import { writeInBatches } from '../../domain/core/write-in-batches.ts'
import { statement } from '../../platform/db/statement.ts'
import { writeFollow } from '../objects/write/write-activities.ts'
import { cancelEarlierUndos } from './cancel-superseded.ts'
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

/** How many Follows one transaction repeats. */
const BATCH_SIZE = 500

/** Follows that were sent since then are not repeated, so that an account cannot cause them without limit. */
const REPEAT_AFTER_MS = 3_600_000

const lockFollows = statement<{
  params: { accountId: string; afterId: string; sentBefore: Date }
  row: RequestRow
}>(
  `select f.id, f.uri, f.account_id, f.target_account_id, a.uri as actor, t.uri as object
   from follows f join accounts a on a.id = f.account_id join accounts t on t.id = f.target_account_id
   where f.target_account_id = $accountId and f.id > $afterId and a.domain is null and a.suspended_at is null
     and t.domain is not null and not exists (
       select from sent_activities s join deliveries d on d.activity_id = s.id
       where s.uri = f.uri and d.created_at > $sentBefore)
   order by f.id limit ${BATCH_SIZE} for key share of f`,
)

/** Effect: sends the Follows of many follow requests to remote accounts, even if their hosts are unavailable. */
export async function deliverFollows(
  ctx: Ctx,
  { accountIds, targetAccountIds }: { accountIds: readonly string[]; targetAccountIds: readonly string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const requests = await lockRequests(tx.db, { accountIds, targetAccountIds })
    await sendFollows(tx, { requests })
  })
}

/**
 * Effect: sends the Follows of the local followers of a remote account again, under their former ids, because its server
 * may have lost them. The follows stay: a server that has stored them accepts them again.
 */
export async function repeatFollows(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const sentBefore = new Date(ctx.now().getTime() - REPEAT_AFTER_MS)
  await writeInBatches(ctx, async (tx, afterId) => {
    const requests = await lockFollows(tx.db, { accountId, afterId, sentBefore })
    await sendFollows(tx, { requests, resend: true })
    return requests.length === BATCH_SIZE ? requests.at(-1)?.id : undefined
  })
}

async function sendFollows(
  tx: Tx,
  { requests, resend = false }: { requests: readonly RequestRow[]; resend?: boolean },
): Promise<void> {
  const activities = requests.map((request) => ({
    activity: writeFollow(request),
    accountId: request.account_id,
    to: { accountIds: [request.target_account_id] },
  }))
  await sendActivities(tx, { activities, toPersonalInboxes: true, evenIfUnavailable: true, resend })
  await cancelEarlierUndos(tx, { uris: activities.map(({ activity }) => activity.uri) })
}
