import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { writeBlock } from '../objects/write/write-activities.ts'
import { cancelEarlierUndos } from './cancel-superseded.ts'
import { sendActivities } from './send-activity.ts'

interface BlockRow {
  id: string
  uri: string | null
  target_account_id: string
  actor: string
  object: string
}

const lockBlocks = statement<{ params: { accountId: string; targetAccountIds: readonly string[] }; row: BlockRow }>(
  `select b.id, b.uri, b.target_account_id, a.uri as actor, t.uri as object
   from blocks b join accounts a on a.id = b.account_id join accounts t on t.id = b.target_account_id
   where b.account_id = $accountId and b.target_account_id = any($targetAccountIds::bigint[])
     and a.domain is null and t.domain is not null
   order by b.id for key share of b`,
)

/** Effect: sends the Blocks of many remote accounts. */
export async function deliverBlocks(
  ctx: Ctx,
  { accountId, targetAccountIds }: { accountId: string; targetAccountIds: readonly string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const blocks = await lockBlocks(tx.db, { accountId, targetAccountIds })
    const activities = blocks.map((block) => ({
      activity: writeBlock(block),
      accountId,
      to: { accountIds: [block.target_account_id] },
    }))
    await sendActivities(tx, { activities, toPersonalInboxes: true })
    await cancelEarlierUndos(tx, { uris: activities.map(({ activity }) => activity.uri) })
  })
}
