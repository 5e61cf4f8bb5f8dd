import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/test-database.ts'
import { createDb, createPool } from '../db/connection.ts'
import { createLog } from '../log/log.ts'
import { enqueueJobs, listJobs } from './job-queue.ts'
import { startWorker } from './worker.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 20, onError: () => {} })
const db = addBuilder(createDb(pool))
const log = createLog('silent')

after(async () => {
  await pool.end()
  await database.drop()
})

test('a job waits in its queue, and workers of other queues do not run it', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: string[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { for: string }).for) }
  const notes = (['network', 'default'] as const).map((queue) => ({
    name: 'note',
    payload: { for: queue },
    maxAttempts: 8,
    queue,
  }))
  await enqueueJobs(db, notes)
  const defaultWorker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool,
    concurrency: 1,
    log,
  })
  await eventually(async () => assert.deepEqual(done, ['default']))
  await eventually(async () =>
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, []),
  )
  assert.deepEqual(
    (await listJobs(db, { known: ['note'], limit: 10 })).map(({ id, state }) => [id, state]),
    [['n1', 'waiting']],
  )
  const network = await startWorker(database.connection, { queue: 'network', handlers, pool, concurrency: 1, log })
  await eventually(async () => assert.deepEqual(done, ['default', 'network']))
  await Promise.all([defaultWorker.stop(), network.stop()])
})

test('concurrent transactions with many keys cause no deadlocks with each other or with the worker', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const handlers = { remind: async () => {} }
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool,
    concurrency: 10,
    log,
    keyed: true,
  })
  const write = async (writer: number) => {
    for (let round = 0; round < 15; round += 1) {
      const keys = Array.from({ length: 60 }, (_, n) => `k${(n * 7 + writer * 13 + round) % 60}`)
      await db.transaction().execute((tx) =>
        enqueueJobs(
          tx,
          keys.map((key) => ({ name: 'remind', payload: {}, maxAttempts: 8, key })),
        ),
      )
    }
  }
  await Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)))
  await eventually(async () =>
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, []),
  )
  await worker.stop()
  const { rows } = await pool.query(
    'select pg_stat_get_db_deadlocks(oid)::int as deadlocks from pg_database where datname = current_database()',
  )
  assert.deepEqual(rows, [{ deadlocks: 0 }])
})
