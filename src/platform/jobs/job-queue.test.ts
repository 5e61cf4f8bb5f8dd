import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { createDb, createPool } from '../db/connection.ts'
import { releaseJobs, returnJobs } from './return-jobs.ts'
import { enqueueJobs, retryJobs } from './job-queue.ts'
import type { JobSpec } from './job-queue.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 5, onError: () => {} })
const db = addBuilder(createDb(pool))
const reminder: JobSpec = { name: 'readNews', payload: {}, maxAttempts: 3, key: 'news' }

/** The sessions that wait for the end of another transaction. */
const WAITING = `select from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()`

/** Locks all jobs, like a worker. */
const begin = () =>
  pool.query(`update jobs set locked_by = 'w', locked_at = now(), attempts = attempts + 1, waiting_key = null`)
const readJobs = async () =>
  (await pool.query('select waiting_key, attempts, locked_by from jobs order by id')).rows as {
    waiting_key: string | null
    attempts: number
    locked_by: string | null
  }[]
const readIds = async () =>
  (await pool.query<{ id: string }>('select id from jobs order by id')).rows.map(({ id }) => id)

beforeEach(() => pool.query('delete from jobs'))
after(async () => {
  await pool.end()
  await database.drop()
})

test('of jobs with one key, the newest waits, unless an older one is already running', async () => {
  await enqueueJobs(db, [reminder])
  await enqueueJobs(db, [reminder, { ...reminder, delayMs: 60_000 }])
  const { rows } = await pool.query<{ seconds: number }>(
    'select round(extract(epoch from run_at - now()))::int as seconds from jobs',
  )
  assert.deepEqual(rows, [{ seconds: 60 }])
  await begin()
  await enqueueJobs(db, [reminder])
  assert.deepEqual(await readJobs(), [
    { waiting_key: null, attempts: 1, locked_by: 'w' },
    { waiting_key: 'news', attempts: 0, locked_by: null },
  ])
})

test('a job that replaces a failed one has all its attempts and no error', async () => {
  await enqueueJobs(db, [reminder])
  await begin()
  const [id] = await readIds()
  await returnJobs(pool, { workerId: 'w', jobs: [{ id: id!, started: true, error: 'refused' }] })
  await enqueueJobs(db, [{ ...reminder, payload: { edition: 2 } }])
  const { rows } = await pool.query('select payload, attempts, last_error, run_at <= now() as due from jobs')
  assert.deepEqual(rows, [{ payload: { edition: 2 }, attempts: 0, last_error: null, due: true }])
})

test('a job that failed permanently is dead, without a key, and has attempts again when it is retried', async () => {
  await enqueueJobs(db, [reminder])
  await begin()
  const [id] = await readIds()
  await returnJobs(pool, { workerId: 'w', jobs: [{ id: id!, started: true, error: 'refused', permanent: true }] })
  const readState = async () =>
    (await pool.query('select has_attempts, attempts, waiting_key, last_error from jobs')).rows
  assert.deepEqual(await readState(), [{ has_attempts: false, attempts: 1, waiting_key: null, last_error: 'refused' }])
  assert.equal(await retryJobs(db, { ids: 'dead' }), 1)
  await begin()
  await returnJobs(pool, { workerId: 'w', jobs: [{ id: id!, started: true, error: 'not now' }] })
  assert.deepEqual(await readState(), [{ has_attempts: true, attempts: 1, waiting_key: 'news', last_error: 'not now' }])
})

test('the delay of a job begins when it is written, not at the start of its transaction', async () => {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(tx)
    await enqueueJobs(tx, [{ ...reminder, delayMs: 60_000 }])
    const { rows: jobs } = await sql<{ late: boolean }>`
      select run_at >= ${rows[0]!.at}::timestamptz + interval '60 seconds' as late from jobs`.execute(tx)
    assert.deepEqual(jobs, [{ late: true }])
  })
})

test('a job is not lost if the older one with its key starts at the same time', async () => {
  await enqueueJobs(db, [reminder])
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`update jobs set locked_by = 'w', locked_at = now(), attempts = 1, waiting_key = null`)
    const enqueueing = enqueueJobs(db, [reminder])
    await eventually(async () => {
      const { rowCount } = await pool.query(WAITING)
      assert.equal(rowCount, 1)
    })
    await client.query('commit')
    await enqueueing
  } finally {
    client.release()
  }
  assert.deepEqual(
    (await readJobs()).map(({ waiting_key, locked_by }) => [waiting_key, locked_by]),
    [
      [null, 'w'],
      ['news', null],
    ],
  )
})

test('a failed job waits with its key, unless a newer one with the key waits', async () => {
  await enqueueJobs(db, [reminder])
  await begin()
  const [first] = await readIds()
  await returnJobs(pool, { workerId: 'w', jobs: [{ id: first!, started: true, error: 'refused' }] })
  assert.deepEqual(await readJobs(), [{ waiting_key: 'news', attempts: 1, locked_by: null }])
  await begin()
  await enqueueJobs(db, [reminder])
  await returnJobs(pool, { workerId: 'w', jobs: [{ id: first!, started: true, error: 'refused' }] })
  assert.deepEqual(await readJobs(), [{ waiting_key: 'news', attempts: 0, locked_by: null }])
  assert.notDeepEqual(await readIds(), [first])
})

test('when a worker dies, of its jobs with one key the newest waits, and jobs without a key all wait', async () => {
  await enqueueJobs(db, [reminder])
  await begin()
  await enqueueJobs(db, [reminder, { ...reminder, key: undefined }, { ...reminder, key: undefined }])
  await begin()
  await releaseJobs(pool, { workerIds: ['w'] })
  assert.deepEqual(await readJobs(), [
    { waiting_key: 'news', attempts: 1, locked_by: null },
    { waiting_key: null, attempts: 1, locked_by: null },
    { waiting_key: null, attempts: 1, locked_by: null },
  ])
})

test('a failure waits for a transaction that writes a job with the same key, and is replaced only if that commits', async () => {
  for (const end of ['commit', 'rollback']) {
    await pool.query('delete from jobs')
    await enqueueJobs(db, [reminder])
    await begin()
    const [id] = await readIds()
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into jobs (queue, name, payload, max_attempts, run_at, key, waiting_key)
         values ('default', 'readNews', '{}', 3, now(), 'news', 'news')`,
      )
      const returning = returnJobs(pool, { workerId: 'w', jobs: [{ id: id!, started: true, error: 'refused' }] })
      await eventually(async () => {
        const { rowCount } = await pool.query(WAITING)
        assert.equal(rowCount, 1)
      })
      await client.query(end)
      await returning
    } finally {
      client.release()
    }
    assert.deepEqual(
      (await readJobs()).map(({ attempts }) => attempts),
      [end === 'commit' ? 0 : 1],
      end,
    )
  }
})
