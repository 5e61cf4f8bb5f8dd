import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openQueue } from '../../../test/jobs/open-queue.ts'
import { createQueuePool } from './create-queue-pool.ts'
import type { JobBundles } from './create-job-runner.ts'

const { pool, connection, startWorker, enqueue, readJobs, deleteJobs, close } = await openQueue()

beforeEach(deleteJobs)
after(close)

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
  const worker = await startWorker({ handlers: { waitForever: handle }, concurrency: 1, stopSeconds: 0.05 })
  const job = { name: 'waitForever' }
  await enqueue(job, job, job)
  await begun.promise
  await worker.stop()
  const jobs = await readJobs()
  assert.deepEqual(
    jobs.map(({ locked_by, attempts }) => [locked_by, attempts]).toSorted(([, a], [, b]) => Number(a) - Number(b)),
    [
      [null, 0],
      [null, 0],
      [null, 1],
    ],
  )
  end.resolve()
})

test('a worker whose connection breaks runs further jobs', async () => {
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const worker = await startWorker({ handlers, pool: breakOnce(pool, /^delete from/) })
  const note = (n: number) => enqueue({ name: 'note', payload: { n } })
  await note(1)
  await eventually(async () => assert.deepEqual(done, [1]))
  await note(2)
  await eventually(async () => assert.deepEqual(done, [1, 2]))
  await eventually(async () => assert.deepEqual(await readJobs(), []))
  await worker.stop()
})

for (const outcome of ['complete', 'fail'] as const) {
  test(`the outcome "${outcome}" of a job is recorded although the connection broke`, async () => {
    let runs = 0
    const note = async () => {
      runs += 1
      if (outcome === 'fail') throw new Error('refused')
    }
    const unreliable = breakOnce(pool, outcome === 'fail' ? /overriding system value/ : /^delete from/)
    const worker = await startWorker({ handlers: { note }, pool: unreliable })
    await enqueue({ name: 'note', maxAttempts: 1 })
    await eventually(async () => {
      const jobs = (await readJobs()).map(({ last_error, locked_by }) => ({ last_error, locked_by }))
      assert.deepEqual(jobs, outcome === 'fail' ? [{ last_error: 'refused', locked_by: null }] : [])
    })
    assert.equal(runs, 1)
    await worker.stop()
  })
}

test('a stop returns the jobs that wait in a worker although the connection broke', async () => {
  const { begun, end, handle } = createLongHandler()
  const worker = await startWorker({
    handlers: { waitForever: handle },
    pool: breakOnce(pool, /overriding system value/),
    concurrency: 1,
  })
  const job = { name: 'waitForever' }
  await enqueue(job, job, job)
  await begun.promise
  const stopped = worker.stop()
  await eventually(async () => assert.equal((await readJobs()).filter(({ locked_by }) => !locked_by).length, 2))
  end.resolve()
  await stopped
})

test('a worker runs jobs that were locked by a statement whose response was lost', async () => {
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const worker = await startWorker({ handlers, pool: breakOnce(pool, /skip locked/, { executed: true }) })
  await enqueue({ name: 'note', payload: { n: 1 } })
  await eventually(async () => assert.deepEqual(done, [1]))
  await worker.stop()
})

test('a worker whose liveness session ends acquires its lock again', async () => {
  const { begun, end, handle } = createLongHandler()
  const worker = await startWorker({ handlers: { long: handle, short: async () => {} } })
  await enqueue({ name: 'long' })
  await begun.promise
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'linnet worker' and datname = current_database()`,
  )
  assert.equal(rows.length, 1)
  await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await eventually(async () => {
    const { rowCount } = await pool.query(
      `select from jobs join pg_locks on objid = hashtext(locked_by)::bigint & 4294967295
       where locktype = 'advisory' and classid = 4711 and granted and pid <> $1`,
      [rows[0]!.pid],
    )
    assert.equal(rowCount, 1)
  })
  await enqueue({ name: 'short' })
  await eventually(async () =>
    assert.deepEqual(
      (await readJobs()).map(({ name }) => name),
      ['long'],
    ),
  )
  end.resolve()
  await worker.stop()
  assert.deepEqual(await readJobs(), [])
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
  const bundles: JobBundles = {
    handlersOf: { all: ['first', 'unreliable', 'last'] },
    async retrySeparately(failures) {
      broken = false
      await enqueue(...failures.map(({ handler, payload }) => ({ name: handler, payload, maxAttempts: 7 })))
    },
  }
  const worker = await startWorker({ handlers, bundles, concurrency: 1 })
  await enqueue({ name: 'all', payload: { n: 1 } })
  await eventually(async () => {
    assert.deepEqual(begun, ['first 1', 'unreliable 1', 'last 1', 'unreliable 1'])
    assert.deepEqual(await readJobs(), [])
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
      return name === 'connect' ? async () => breaking(await target.connect()) : (value.bind(target) as unknown)
    },
  })
}

test('the worker reads only the next jobs, independent of the number of waiting jobs', async (t) => {
  const reads = async () => {
    const { rows } = await pool.query<{ count: string }>(
      `select coalesce(idx_tup_fetch, 0) as count from pg_stat_all_tables where relname = 'jobs'`,
    )
    return Number(rows[0]!.count)
  }
  await enqueue(...Array.from({ length: 5_000 }, (_, n) => ({ name: 'note', payload: { n } })))
  const before = await reads()
  const { begun, end, handle } = createLongHandler()
  t.after(() => end.resolve())
  const queuePool = createQueuePool(connection, { max: 2, onError: () => {} })
  const worker = await startWorker({ handlers: { note: handle }, pool: queuePool, concurrency: 1 })
  await begun.promise
  const stopped = worker.stop()
  end.resolve()
  await stopped
  // Sessions report their statistics when they end.
  await queuePool.end()
  await eventually(async () => assert.ok((await reads()) - before >= 100))
  assert.ok((await reads()) - before < 1_000, `${(await reads()) - before} were read`)
})
