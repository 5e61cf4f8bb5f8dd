import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { accountId: string; statusId: string } }>(
  `select from statuses s join blocks b
     on (b.account_id = s.account_id and b.target_account_id = $accountId) or (b.account_id = $accountId
       and b.target_account_id = s.account_id)
   where s.id = $statusId`,
)

/** Nobody interacts with a status of somebody whom they block, or who blocks them. @throws NotFound */
export async function refuseBlocked(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  const rows = await find(tx.db, { accountId, statusId })
  if (rows.length > 0) throw new NotFound()
}
