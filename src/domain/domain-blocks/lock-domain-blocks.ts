import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const KEY = `hashtextextended('domain blocks', 0)`
const lockShared = statement(`select pg_advisory_xact_lock_shared(${KEY})`)
const lockExclusive = statement(`select pg_advisory_xact_lock(${KEY})`)

/**
 * Locks the domain blocks until the transaction ends, together with other transactions that insert accounts according
 * to the current blocks.
 */
export async function lockDomainBlocks(tx: Tx): Promise<void> {
  await lockShared(tx.db)
}

/**
 * Waits until no transaction is inserting accounts according to former domain blocks. Later transactions see the
 * accounts of those. In a transaction of its own, since the lock prevents all insertions.
 */
export async function waitForInsertedAccounts(tx: Tx): Promise<void> {
  await lockExclusive(tx.db)
}
