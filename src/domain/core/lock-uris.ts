import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const lock = statement<{ params: { uris: readonly string[] } }>(
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended(uri, 0) as key from unnest($uris::text[]) uri order by key) keys`,
)

/**
 * Locks URIs until the transaction ends, whether or not objects with them are stored, always in the same order. Each
 * transaction that creates, changes or deletes a remote object does this first, so that it misses nothing that a
 * concurrent transaction writes, such as a Delete that overtakes the Create of its object.
 */
export async function lockUris(tx: Tx, { uris }: { uris: readonly string[] }): Promise<void> {
  await lock(tx.db, { uris })
}
