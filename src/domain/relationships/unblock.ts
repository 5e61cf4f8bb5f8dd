import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { buryDeed } from '../tombstones.ts'
import { lockAccounts } from './lock-accounts.ts'

const remove = statement<{ params: { accountId: string; targetAccountId: string }; row: { uri: string | null } }>(
  `delete from blocks where account_id = $accountId and target_account_id = $targetAccountId returning uri`,
)

/** Ends a block. What it ended does not come back. @throws NotFound */
export async function unblockAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: {
    accountId: string
    targetAccountId: string
    /** Of the activity that is taken back, where that came from elsewhere. */
    uri?: string
  },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [row] = await remove(tx.db, { accountId, targetAccountId })
  if (row) tx.emit('account.unblocked', { accountId, targetAccountId, uri: row.uri })
  if (uri !== undefined) await buryDeed(tx, { uri, accountId })
}
