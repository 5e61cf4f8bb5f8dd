import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { accountId: string; statusId: string } }>(
  `select from statuses s join blocks b
     on (b.account_id = s.account_id and b.target_account_id = $accountId) or (b.account_id = $accountId
       and b.target_account_id = s.account_id)
   where s.id = $statusId`,
)

/**
 * Refuses interactions with a status if the account and the author block each other in either direction.
 * @throws NotFoundError
 */
export async function checkNotBlocked(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  const rows = await find(tx.db, { accountId, statusId })
  if (rows.length > 0) throw new NotFoundError()
}
