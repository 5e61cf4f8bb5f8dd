import type pg from 'pg'
import { createPool } from '../db/connection.ts'
import type { Connection } from '../db/connection.ts'

/**
 * Creates the connections of workers to the queue. The settings force an index scan that reads only the next jobs. By
 * default, PostgreSQL expects few jobs and sorts all of them: with 17,000 jobs, fetching a hundred took 38 ms instead
 * of 2 ms.
 */
export function createQueuePool(
  connection: Connection,
  { max, onError }: { max: number; onError(err: Error): void },
): pg.Pool {
  return createPool(connection, { max, onError, settings: { enable_bitmapscan: 'off', enable_seqscan: 'off' } })
}
