import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../test/servers/test-server.ts'
import { openApp } from './app.ts'
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

test('processes on machines whose clocks differ by hours emit each tick once', async (t) => {
  await sql`delete from jobs`.execute(testServer.ctx.db)
  const { ctx, connection } = testServer
  const processes = [-3, 0, 5].map((hours) =>
    openApp(ctx.config, { connection, log: ctx.log, systemNow: () => Date.now() + hours * HOUR_MS }),
  )
  const apps = await Promise.all(processes)
  t.after(() => Promise.all(apps.map((app) => app.close())))
  for (let round = 0; round < 2; round += 1) for (const app of apps) await startSchedule(app.ctx).stop()
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from jobs group by name`.execute(ctx.db)
  const counts = rows.map(({ count }) => count)
  // At the change of a minute, its tick may be emitted a second time.
  assert.ok(counts.length > 3 && Math.max(...counts) <= 2, JSON.stringify(rows))
})

test('a clock that is set back by more than a period does not stop the schedule', async () => {
  assert.ok((await countJobsAt(HOUR + 1_000 * HOUR_MS)) > 0)
  assert.ok((await countJobsAt(HOUR)) > 0)
})
