import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const incrementFiltersVersion = statement<{ params: { accountId: string } }>(
  `update users set filters_version = filters_version + 1 where account_id = $accountId`,
)

/**
 * Invalidates the compiled filters of an account, and notifies its clients (`filters.changed`). Each change of filters
 * calls this first: the row stays locked, so that changes of one account run one after another.
 */
export async function recordFilterChange(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await incrementFiltersVersion(tx.db, { accountId })
  tx.emit('filters.changed', { accountId })
}
