import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const lock = statement<{ params: { accountIds: readonly string[] } }>(
  `select from account_stats where account_id = any($accountIds::bigint[]) order by account_id for no key update`,
)

/**
 * Holds the counters of these accounts until the transaction ends, always in the order of their ids. Whoever changes
 * what is between two accounts does this first: so no two of them wait for each other in a circle, and what one reads
 * about the pair stays true while it writes.
 */
export async function lockAccounts(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  await lock(tx.db, { accountIds: ids })
}
