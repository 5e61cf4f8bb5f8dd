import type { Config } from '../config/config.ts'
import type { Queryable } from './connection.ts'
import { statement } from './statement.ts'

/** The connections of a process besides `DB_POOL`: those of its queues, of the bus and of the worker lock. */
const OTHER_CONNECTIONS = 6

// The limits of a role and of a database are usual at hosting companies. Superusers have no limits, and need none here.
const readLimit = statement<{ row: { limit: number } }>(
  `select least(
     current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
     (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
     (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as limit`,
)

/** A setting that works only while there is little load. */
export interface ConnectionProblem {
  text: string
  remedy: string
}

/**
 * Compares the settings of database connections with each other and with the limit of PostgreSQL. `runsAll`: whether the
 * process runs jobs and serves requests.
 */
export async function findConnectionProblems(
  db: Queryable,
  { config, runsAll }: { config: Config; runsAll: boolean },
): Promise<ConnectionProblem[]> {
  const { workerConcurrency, databasePoolSize, databaseUrl } = config
  const problems: ConnectionProblem[] = []
  if (runsAll && workerConcurrency >= databasePoolSize) {
    problems.push({
      text: `WORKER_CONCURRENCY (${workerConcurrency}) is not less than DB_POOL (${databasePoolSize}), so requests wait while jobs use all database connections`,
      remedy: 'increase DB_POOL or decrease WORKER_CONCURRENCY',
    })
  }
  const needed = databasePoolSize + OTHER_CONNECTIONS
  const limit = (await readLimit(db))[0]!.limit
  if (needed > limit) {
    problems.push({
      text: `a process needs up to ${needed} database connections (DB_POOL and ${OTHER_CONNECTIONS}), and PostgreSQL permits ${limit}`,
      remedy: `decrease DB_POOL, or increase max_connections${databaseUrl === null ? ' in postgres/tuning.conf of the data folder' : ' and the limits of the user and the database'}`,
    })
  }
  return problems
}
