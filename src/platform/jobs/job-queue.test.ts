import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/test-database.ts'
import { createDb, createPool } from '../db/connection.ts'
import { releaseJobs } from './release-jobs.ts'
import { enqueueJobs } from './job-queue.ts'
import type { JobSpec } from './job-queue.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 5, onError: () => {} })
const db = addBuilder(createDb(pool))
const reminder: JobSpec = { name: 'readNews', payload: {}, maxAttempts: 3, key: 'news' }

const begin = () =>
  pool.query(`update graphile_worker._private_jobs set locked_by = 'w', locked_at = now(), attempts = 1`)
const readJobs = async () =>
  (await pool.query('select key, attempts, locked_by from graphile_worker._private_jobs order by id')).rows

beforeEach(() => pool.query('delete from graphile_worker._private_jobs'))
after(async () => {
  await pool.end()
  await database.drop()
})

test('of jobs with one key, the newest waits, unless an older one is already running', async () => {
  await enqueueJobs(db, [reminder, { ...reminder, delayMs: 60_000 }])
  const { rows } = await pool.query<{ seconds: number }>(
    'select extract(epoch from run_at - created_at)::int as seconds from graphile_worker._private_jobs',
  )
  assert.deepEqual(rows, [{ seconds: 60 }])
  await begin()
  await enqueueJobs(db, [reminder])
  assert.deepEqual(await readJobs(), [
    { key: null, attempts: 3, locked_by: 'w' },
    { key: 'news', attempts: 0, locked_by: null },
  ])
})

test('the delay of a job begins when it is written, not at the start of its transaction', async () => {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(tx)
    await enqueueJobs(tx, [{ ...reminder, delayMs: 60_000 }])
    const { rows: jobs } = await sql<{ late: boolean }>`
      select run_at >= ${rows[0]!.at}::timestamptz + interval '60 seconds' as late
      from graphile_worker._private_jobs`.execute(tx)
    assert.deepEqual(jobs, [{ late: true }])
  })
})

test('a job is not lost if the older one with its key starts at the same time', async (t) => {
  await enqueueJobs(db, [reminder])
  await pool.query(`
    create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
    create trigger linger before insert on graphile_worker._private_jobs for each row execute function linger()`)
  t.after(() => pool.query('drop trigger linger on graphile_worker._private_jobs'))
  const enqueueing = enqueueJobs(db, [reminder])
  await eventually(async () => {
    const { rowCount } = await pool.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)
    assert.equal(rowCount, 1)
  })
  await begin()
  await enqueueing
  assert.deepEqual(
    (await readJobs()).map(({ key, locked_by }) => [key, locked_by]),
    [
      [null, 'w'],
      ['news', null],
    ],
  )
})

test('a job whose key a newer one took over keeps its attempts when its worker dies', async () => {
  await enqueueJobs(db, [reminder])
  await begin()
  await enqueueJobs(db, [reminder])
  await releaseJobs(pool, { queue: 'default', workerIds: ['w'] })
  assert.deepEqual(
    (await readJobs()).map(({ attempts, locked_by }) => [attempts, locked_by]),
    [
      [0, null],
      [0, null],
    ],
  )
})
