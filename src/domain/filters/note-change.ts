import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const raise = statement<{ params: { accountId: string } }>(
  `update users set filters_version = filters_version + 1 where account_id = $accountId`,
)

/**
 * Makes what was prepared from somebody's filters old, and tells their clients. Each change of filters begins with it:
 * the row stays locked, so one person's changes follow one another.
 */
export async function noteFilterChange(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await raise(tx.db, { accountId })
  tx.emit('filters.changed', { accountId })
}
