import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/test-database.ts'
import { createDb, createPool } from '../db/connection.ts'
import { createLog } from '../log/log.ts'
import { enqueueJobs } from './job-queue.ts'
import { createQueuePool } from './create-queue-pool.ts'
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

/** Creates a handler that resolves `begun` when it starts, and runs until `end` is resolved. */
function createLongHandler() {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const handle = async () => {
    begun.resolve()
    await end.promise
  }
  return { begun, end, handle }
}

test('a stop returns jobs that have not started or do not end in time to the queue', async () => {
  const { begun, end, handle } = createLongHandler()
  const handlers = { waitForever: handle }
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool,
    concurrency: 1,
    log,
    stopSeconds: 0.05,
  })
  const job = { name: 'waitForever', payload: {}, maxAttempts: 8 }
  await enqueueJobs(db, [job, job, job])
  await begun.promise
  await worker.stop()
  const { rows } = await sql`select locked_by, attempts from graphile_worker._private_jobs order by attempts`.execute(
    db,
  )
  assert.deepEqual(rows, [
    { locked_by: null, attempts: 0 },
    { locked_by: null, attempts: 0 },
    { locked_by: null, attempts: 1 },
  ])
  end.resolve()
})

test('a worker that loses its queue is replaced, and the new one repeats its running jobs', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const unreliable = breakOnce(pool, /^delete from/)
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool: unreliable,
    concurrency: 2,
    log,
  })
  const note = (n: number) => enqueueJobs(db, [{ name: 'note', payload: { n }, maxAttempts: 8 }])
  await note(1)
  await eventually(async () => assert.deepEqual(done, [1]))
  await note(2)
  await eventually(async () => assert.deepEqual(new Set(done), new Set([1, 2])))
  await eventually(async () =>
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, []),
  )
  await worker.stop()
})

for (const keyed of [false, true]) {
  for (const outcome of ['complete', 'fail'] as const) {
    test(`the outcome "${outcome}" of a job is recorded although the connection broke (${keyed ? 'keyed' : 'not keyed'})`, async () => {
      await pool.query('delete from graphile_worker._private_jobs')
      let runs = 0
      const note = async () => {
        runs += 1
        if (outcome === 'fail') throw new Error('refused')
      }
      const unreliable = breakOnce(pool, outcome === 'fail' ? /last_error =/ : /^delete from/)
      const options = { queue: 'default', handlers: { note }, pool: unreliable, concurrency: 2, log, keyed } as const
      const worker = await startWorker(database.connection, options)
      await enqueueJobs(db, [{ name: 'note', payload: {}, maxAttempts: 1 }])
      await eventually(async () => {
        const { rows } = await pool.query('select last_error, locked_by from graphile_worker._private_jobs')
        assert.deepEqual(rows, outcome === 'fail' ? [{ last_error: 'refused', locked_by: null }] : [])
      })
      assert.equal(runs, 1)
      await worker.stop()
    })
  }
}

test('a stop returns the jobs that wait in a worker although the connection broke', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const { begun, end, handle } = createLongHandler()
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers: { waitForever: handle },
    pool: breakOnce(pool, /attempts = GREATEST/),
    concurrency: 1,
    log,
  })
  const job = { name: 'waitForever', payload: {}, maxAttempts: 8 }
  await enqueueJobs(db, [job, job, job])
  await begun.promise
  const stopped = worker.stop()
  await eventually(async () => {
    const { rows } = await pool.query('select from graphile_worker._private_jobs where locked_by is null')
    assert.equal(rows.length, 2)
  })
  end.resolve()
  await stopped
})

test('the next run runs jobs that were locked by a statement whose response was lost', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const unreliable = breakOnce(pool, /skip locked/, { executed: true })
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool: unreliable,
    concurrency: 2,
    log,
  })
  await enqueueJobs(db, [{ name: 'note', payload: { n: 1 }, maxAttempts: 8 }])
  await eventually(async () => assert.deepEqual(done, [1]))
  await worker.stop()
})

test('a failed handler of a bundle is retried separately, and the concurrency limits all handlers', async () => {
  const begun: string[] = []
  let runningCount = 0
  const note = (name: string, fails: () => boolean) => async (payload: unknown) => {
    runningCount += 1
    assert.equal(runningCount, 1, 'one at a time')
    begun.push(`${name} ${(payload as { n: number }).n}`)
    await new Promise((resolve) => setImmediate(resolve))
    runningCount -= 1
    if (fails()) throw new Error(name)
  }
  let broken = true
  const handlers = {
    first: note('first', () => false),
    unreliable: note('unreliable', () => broken),
    last: note('last', () => false),
  }
  const retrySeparately = async (names: readonly string[], payload: unknown) => {
    broken = false
    await enqueueJobs(
      db,
      names.map((name) => ({ name, payload, maxAttempts: 7 })),
    )
  }
  const bundles = { handlersOf: { all: ['first', 'unreliable', 'last'] }, retrySeparately }
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool,
    concurrency: 1,
    log,
    bundles,
  })
  await enqueueJobs(db, [{ name: 'all', payload: { n: 1 }, maxAttempts: 8 }])
  await eventually(async () => {
    assert.deepEqual(begun, ['first 1', 'unreliable 1', 'last 1', 'unreliable 1'])
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, [])
  })
  await worker.stop()
})

/**
 * Returns a pool whose first statement that matches `kind` fails, like during a short loss of the database. `executed`:
 * the first matching statement with a result is executed, and only its response is lost.
 */
function breakOnce(pool: pg.Pool, kind: RegExp, { executed = false } = {}): pg.Pool {
  let broken = false
  const breaking = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (name !== 'query') return value.bind(target) as unknown
        return async (...args: [pg.QueryConfig]) => {
          if (broken || !kind.test(args[0].text)) return target.query(...args)
          const result = executed ? await target.query(...args) : null
          if (result?.rowCount === 0) return result
          broken = true
          throw new Error('Connection terminated')
        }
      },
    })
  return new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'connect') return value.bind(target) as unknown
      // The client that listens for new jobs connects with a callback.
      return (...args: unknown[]) =>
        args.length > 0 ? (value.apply(target, args) as unknown) : target.connect().then(breaking)
    },
  })
}

test('the worker reads only the next jobs, independent of the number of waiting jobs', async (t) => {
  await pool.query('delete from graphile_worker._private_jobs')
  const reads = async () => {
    const { rows } = await pool.query<{ count: string }>(
      `select coalesce(idx_tup_fetch, 0) as count from pg_stat_all_tables
       where schemaname = 'graphile_worker' and relname = '_private_jobs'`,
    )
    return Number(rows[0]!.count)
  }
  await enqueueJobs(
    db,
    Array.from({ length: 5_000 }, (_, n) => ({ name: 'note', payload: { n }, maxAttempts: 8 })),
  )
  const before = await reads()
  const { begun, end, handle } = createLongHandler()
  t.after(() => end.resolve())
  const handlers = { note: handle }
  const queuePool = createQueuePool(database.connection, { workers: 1, onError: () => {} })
  const worker = await startWorker(database.connection, {
    queue: 'default',
    handlers,
    pool: queuePool,
    concurrency: 1,
    log,
  })
  await begun.promise
  const stopped = worker.stop()
  end.resolve()
  await stopped
  // Sessions report their statistics when they end.
  await queuePool.end()
  await eventually(async () => assert.ok((await reads()) - before >= 100))
  assert.ok((await reads()) - before < 1_000, `${(await reads()) - before} were read`)
})
