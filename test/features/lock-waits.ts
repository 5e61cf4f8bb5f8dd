import { sql } from 'kysely'
import type { TestServer } from '../servers/test-server.ts'
import { until } from '../streaming/streams.ts'

/** Waits until this number of database sessions of a test server wait for locks. */
export async function untilLockWaits({ ctx }: Pick<TestServer, 'ctx'>, count: number): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await waiting.execute(ctx.db)).rows.length === count, `${count} waits for locks`)
}

/** Returns the number of deadlocks that PostgreSQL detected in the database of a test server. */
export async function countDeadlocks(db: TestServer['ctx']['db']): Promise<number> {
  await sql`select pg_stat_clear_snapshot()`.execute(db)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]!.deadlocks
}
