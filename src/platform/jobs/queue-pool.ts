import type pg from 'pg'
import { createPool } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'

/** Of each worker: one that listens, and one that takes jobs or notes that they are done. */
const OF_EACH_WORKER = 2

/**
 * The connections by which workers read the queue. What is next there is read in the order of an index, as far as it is
 * wanted; left to itself, PostgreSQL expects few jobs, and sorts all that wait to get at the first: with 17,000 of them,
 * a hundred took 38 ms instead of 2.
 */
export function createQueuePool(
  connection: Connection,
  { workers, onError }: { workers: number; onError(err: Error): void },
): pg.Pool {
  return createPool(connection, {
    max: workers * OF_EACH_WORKER,
    onError,
    settings: { enable_bitmapscan: 'off', enable_seqscan: 'off' },
  })
}
