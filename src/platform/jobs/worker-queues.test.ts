import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openQueue } from '../../../test/jobs/open-queue.ts'
import { createLog } from '../log/log.ts'
import { enqueueJobs, listJobs } from './job-queue.ts'

const { db, pool, startWorker, enqueue, readJobs, deleteJobs, close } = await openQueue()

/** Levels of lines in the log. */
const [DEBUG, INFO, WARNING] = [20, 30, 40]

beforeEach(deleteJobs)
after(close)

test('a job waits in its queue, and workers of other queues do not run it', async () => {
  const done: string[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { for: string }).for) }
  await enqueue(
    { name: 'note', payload: { for: 'network' }, queue: 'network' },
    { name: 'note', payload: { for: 'default' }, queue: 'default' },
  )
  const defaultWorker = await startWorker({ queue: 'default', handlers, concurrency: 1 })
  await eventually(async () => assert.deepEqual(done, ['default']))
  await eventually(async () => assert.equal((await readJobs()).length, 1))
  assert.deepEqual(
    (await listJobs(db, { known: ['note'], limit: 10 })).map(({ queue, state }) => [queue, state]),
    [['network', 'waiting']],
  )
  const network = await startWorker({ queue: 'network', handlers, concurrency: 1 })
  await eventually(async () => assert.deepEqual(done, ['default', 'network']))
  await Promise.all([defaultWorker.stop(), network.stop()])
})

test('a queue that is slowed down pauses after each batch, and still runs all jobs', async () => {
  let isSlow = true
  const startedAt: number[] = []
  const handlers = { note: async () => void startedAt.push(performance.now()) }
  await enqueue(...Array.from({ length: 30 }, () => ({ name: 'note' })))
  const worker = await startWorker({ handlers, batchSize: 10, isSlowedDown: () => isSlow })
  await eventually(async () => assert.equal(startedAt.length, 20))
  assert.ok(startedAt[10]! - startedAt[9]! > 80, `a pause of ${startedAt[10]! - startedAt[9]!} ms`)
  isSlow = false
  await eventually(async () => assert.equal(startedAt.length, 30))
  await worker.stop()
})

test('a queue whose jobs have waited for a minute is not slowed down', async () => {
  let done = 0
  let pauses = 0
  await enqueue(...Array.from({ length: 30 }, () => ({ name: 'note' })))
  await pool.query(`update jobs set run_at = run_at - interval '61 seconds'`)
  const worker = await startWorker({
    handlers: { note: async () => void (done += 1) },
    batchSize: 10,
    isSlowedDown: () => (pauses += 1) > 0,
  })
  await eventually(async () => assert.equal(done, 30))
  await worker.stop()
  assert.equal(pauses, 0)
})

test('a worker that cannot fetch jobs for a while logs one warning and its recovery', async () => {
  const lines: { level: number; msg: string }[] = []
  const log = createLog('debug', { output: { write: (line) => lines.push(JSON.parse(line)) } })
  const levelsOf = (text: string) => lines.filter(({ msg }) => msg === text).map(({ level }) => level)
  const worker = await startWorker({ handlers: { note: async () => {} }, log })
  await pool.query('alter table jobs rename to jobs_elsewhere')
  try {
    await eventually(async () => assert.ok(levelsOf('Jobs of the queue default could not be fetched').length > 2))
  } finally {
    await pool.query('alter table jobs_elsewhere rename to jobs')
  }
  await eventually(async () => assert.deepEqual(levelsOf('Jobs of the queue default are fetched again'), [INFO]))
  await worker.stop()
  const [first, ...others] = levelsOf('Jobs of the queue default could not be fetched')
  assert.equal(first, WARNING)
  assert.ok(others.every((level) => level === DEBUG))
})

test('concurrent transactions with many keys cause no deadlocks with each other or with the worker', async () => {
  // Failures write keys, too.
  let runs = 0
  const remind = async () => {
    runs += 1
    if (runs % 3 === 0) throw new Error('refused')
  }
  const worker = await startWorker({ handlers: { remind }, concurrency: 10 })
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
  await eventually(async () => {
    await pool.query('update jobs set run_at = now() where run_at > now()')
    assert.deepEqual(await readJobs(), [])
  })
  await worker.stop()
  const { rows } = await pool.query(
    'select pg_stat_get_db_deadlocks(oid)::int as deadlocks from pg_database where datname = current_database()',
  )
  assert.deepEqual(rows, [{ deadlocks: 0 }])
})
