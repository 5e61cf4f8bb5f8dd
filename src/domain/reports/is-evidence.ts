import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { accountId: string; statusId: string } }>(
  `select from reports where target_account_id = $accountId and action_taken_at is null
    and status_ids @> array[$statusId::bigint]
   limit 1`,
)

/** Whether moderators have still to look at a status, which is held by now. */
export async function isEvidence(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  return (await find(tx.db, { accountId, statusId })).length > 0
}
