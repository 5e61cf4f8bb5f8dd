import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { createLog } from '../log/log.ts'
import { createDb, createPool } from './connection.ts'
import { openDatabaseClock } from './database-clock.ts'

const HOUR_MS = 3_600_000
const INTERVAL_MS = 10_000

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
const db = createDb(pool)
after(async () => {
  await pool.end()
  await database.drop()
})

test('a clock shows the time of the database, also after the system clock was set', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const log = createLog('info', { output: { write: (line: string) => lines.push(JSON.parse(line).msg) } })
  // The database of the tests has the system clock of this machine.
  let aheadMs = -HOUR_MS
  const systemNow = () => Date.now() + aheadMs
  const clock = await openDatabaseClock(db, { log, systemNow })
  const assertNear = (ms: number) => assert.ok(Math.abs(clock.now().getTime() - ms) < 30_000, clock.now().toISOString())

  assertNear(Date.now())
  for (const ms of [2 * HOUR_MS, -HOUR_MS, 0]) {
    aheadMs = ms
    t.mock.timers.tick(INTERVAL_MS)
    await eventually(async () => assertNear(Date.now()))
  }
  clock.stop()
  assert.deepEqual(lines, [
    'The clock of the database is 3600 s ahead of the system clock. Linnet uses the time of the database; synchronise both clocks',
    'The system clock agrees with the clock of the database again',
  ])
})

test('a clock that agrees with the database is the system clock', async () => {
  let now = 0
  const clock = await openDatabaseClock(db, { log: createLog('fatal'), systemNow: () => (now = Date.now()) })
  assert.equal(clock.now().getTime(), now)
  clock.stop()
})

test('an outage of the database is reported with one line, and its end with another', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const log = createLog('info', { output: { write: (line: string) => lines.push(JSON.parse(line).msg) } })
  const clock = await openDatabaseClock(db, { log })
  const { database: name } = database.connection
  const admin = createPool({ ...database.connection, database: 'template1' }, { max: 1, onError: () => {} })
  t.after(async () => {
    clock.stop()
    await admin.query(`alter database "${name}" allow_connections true`)
    await admin.end()
  })

  await admin.query(`alter database "${name}" allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  const expectLines = async (expected: string[]) =>
    eventually(async () => {
      t.mock.timers.tick(INTERVAL_MS)
      assert.deepEqual(lines, expected)
    })
  await expectLines(['The database does not respond'])
  for (let n = 0; n < 3; n += 1) await assert.rejects(pool.query('select'))
  await admin.query(`alter database "${name}" allow_connections true`)
  await expectLines(['The database does not respond', 'The database responds again'])
})
