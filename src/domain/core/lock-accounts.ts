import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const lock = statement<{ params: { accountIds: readonly string[] } }>(
  `select from account_stats where account_id = any($accountIds::bigint[]) order by account_id for no key update`,
)

/**
 * Locks the counters of accounts until the transaction ends, always in the order of their ids. Each transaction that
 * changes a relationship between two accounts does this first: this prevents deadlocks, and what the transaction reads
 * about the pair stays true while it writes.
 */
export async function lockAccounts(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  await lock(tx.db, { accountIds: ids })
}
