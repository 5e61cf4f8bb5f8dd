import { sql } from 'kysely'
import { until } from '../streaming/streams.ts'
import type { TestServer } from '../servers/test-server.ts'

/** Waits until this number of database sessions of a test server wait for locks. */
export async function untilLockWaits({ ctx }: Pick<TestServer, 'ctx'>, count: number): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await waiting.execute(ctx.db)).rows.length === count, `${count} waits for locks`)
}
