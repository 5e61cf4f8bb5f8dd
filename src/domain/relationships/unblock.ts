import { statement } from '../../platform/db/connect.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from './lock-accounts.ts'

const remove = statement(`delete from blocks where account_id = $1 and target_account_id = $2`)

/** Ends a block. What it ended does not come back. @throws NotFound */
export async function unblockAccount(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  await remove(tx.db, [accountId, targetAccountId])
}
