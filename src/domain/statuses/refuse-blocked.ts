import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const find = statement(
  `select from statuses s join blocks b
     on (b.account_id = s.account_id and b.target_account_id = $1) or (b.account_id = $1 and b.target_account_id = s.account_id)
   where s.id = $2`,
)

/** Nobody interacts with a status of somebody whom they block, or who blocks them. @throws NotFound */
export async function refuseBlocked(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  const rows = await find(tx.db, [accountId, statusId])
  if (rows.length > 0) throw new NotFound()
}
