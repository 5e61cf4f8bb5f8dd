import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../test/servers/test-server.ts'
import { startSchedule } from './schedule.ts'

const HOUR_MS = 3_600_000
const HOUR = Date.parse('2026-11-05T12:00:00Z')

let now = new Date(HOUR)
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)

/** Starts the schedule of a process with this clock, and returns how many jobs it has enqueued. */
async function countJobsAt(time: number): Promise<number> {
  now = new Date(time)
  await sql`delete from jobs`.execute(testServer.ctx.db)
  await startSchedule(testServer.ctx).stop()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from jobs`.execute(testServer.ctx.db)
  return rows[0]!.count
}

test('processes whose clocks differ a little emit each tick once', async () => {
  assert.ok((await countJobsAt(HOUR - 1_000)) > 0)
  assert.ok((await countJobsAt(HOUR + 1_000)) > 0)
  assert.equal(await countJobsAt(HOUR - 500), 0)
  assert.equal(await countJobsAt(HOUR + 2_000), 0)
  assert.ok((await countJobsAt(HOUR + HOUR_MS)) > 0)
})

test('a clock that is set back by more than a period does not stop the schedule', async () => {
  assert.ok((await countJobsAt(HOUR + 1_000 * HOUR_MS)) > 0)
  assert.ok((await countJobsAt(HOUR)) > 0)
})
