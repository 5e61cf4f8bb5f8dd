import type pg from 'pg'
import { createPool } from '../db/connection.ts'
import type { Connection } from '../db/connection.ts'

/** One connection listens for new jobs; one fetches jobs and records their results. */
const CONNECTIONS_PER_WORKER = 2

/**
 * Creates the connections of workers to the queue. The settings force an index scan that reads only the next jobs. By
 * default, PostgreSQL expects few jobs and sorts all of them: with 17,000 jobs, fetching a hundred took 38 ms instead
 * of 2 ms.
 */
export function createQueuePool(
  connection: Connection,
  { workers, onError }: { workers: number; onError(err: Error): void },
): pg.Pool {
  return createPool(connection, {
    max: workers * CONNECTIONS_PER_WORKER,
    onError,
    settings: { enable_bitmapscan: 'off', enable_seqscan: 'off' },
  })
}
