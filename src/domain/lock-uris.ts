import { statement } from '../platform/db/statement.ts'
import type { Tx } from './context.ts'

const lock = statement<{ params: { uris: readonly string[] } }>(
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended(uri, 0) as key from unnest($uris::text[]) uri order by key) keys`,
)

/**
 * Holds these addresses until the transaction ends, whether anything here has them or not, always in the same order.
 * Whoever makes, changes or takes away what came from elsewhere does this first: so nothing is missed that another
 * transaction is just writing, such as a deletion that overtakes what it deletes.
 */
export async function lockUris(tx: Tx, { uris }: { uris: readonly string[] }): Promise<void> {
  await lock(tx.db, { uris })
}
