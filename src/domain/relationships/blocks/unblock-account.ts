import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { recordUndo } from '../../core/tombstones.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

const remove = statement<{ params: { accountId: string; targetAccountId: string }; row: { uri: string | null } }>(
  `delete from blocks where account_id = $accountId and target_account_id = $targetAccountId returning uri`,
)

/** Ends a block. Does not restore the relationships that the block ended. @throws NotFoundError */
export async function unblockAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: {
    accountId: string
    targetAccountId: string
    /** The id of the undone `Block` activity if a remote account unblocks. */
    uri?: string
  },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [row] = await remove(tx.db, { accountId, targetAccountId })
  if (row) tx.emit('account.unblocked', { accountId, targetAccountId, uri: row.uri })
  if (uri !== undefined) await recordUndo(tx, { uri, accountId })
}
