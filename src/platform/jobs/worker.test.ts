import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { eventually } from '../../../test/linnet.ts'
import { cloneDatabase } from '../../../test/postgres.ts'
import { createDb, createPool } from '../db/connect.ts'
import { createLog } from '../log.ts'
import { enqueueJobs, listJobs } from './queue.ts'
import { createQueuePool } from './queue-pool.ts'
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

/** A handler that tells when it has begun, and goes on until it is let go. */
function createLengthy() {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const handle = async () => {
    begun.resolve()
    await end.promise
  }
  return { begun, end, handle }
}

test('a stop gives back what has not begun, and what does not end in time', async () => {
  const { begun, end, handle } = createLengthy()
  const handlers = { waitForever: handle }
  const worker = await startWorker(database.connection, {
    queue: 'prompt',
    handlers,
    pool,
    concurrency: 1,
    log,
    stopSeconds: 0.05,
  })
  const job = { name: 'waitForever', payload: {}, attempts: 8 }
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

test('a worker whose queue fails it is followed by another one, which does what it had begun', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const frail = breakOnce(pool, /^delete from/)
  const worker = await startWorker(database.connection, { queue: 'prompt', handlers, pool: frail, concurrency: 2, log })
  const note = (n: number) => enqueueJobs(db, [{ name: 'note', payload: { n }, attempts: 8 }])
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
      const frail = breakOnce(pool, outcome === 'fail' ? /last_error =/ : /^delete from/)
      const options = { queue: 'prompt', handlers: { note }, pool: frail, concurrency: 2, log, keyed } as const
      const worker = await startWorker(database.connection, options)
      await enqueueJobs(db, [{ name: 'note', payload: {}, attempts: 1 }])
      await eventually(async () => {
        const { rows } = await pool.query('select last_error, locked_by from graphile_worker._private_jobs')
        assert.deepEqual(rows, outcome === 'fail' ? [{ last_error: 'refused', locked_by: null }] : [])
      })
      assert.equal(runs, 1)
      await worker.stop()
    })
  }
}

test('jobs that wait in a worker are returned by its stop although the connection broke', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const { begun, end, handle } = createLengthy()
  const worker = await startWorker(database.connection, {
    queue: 'prompt',
    handlers: { waitForever: handle },
    pool: breakOnce(pool, /attempts = GREATEST/),
    concurrency: 1,
    log,
  })
  const job = { name: 'waitForever', payload: {}, attempts: 8 }
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

test('jobs that were locked by a statement whose answer was lost are done by the next run', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: number[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { n: number }).n) }
  const frail = breakOnce(pool, /skip locked/, { executed: true })
  const worker = await startWorker(database.connection, { queue: 'prompt', handlers, pool: frail, concurrency: 2, log })
  await enqueueJobs(db, [{ name: 'note', payload: { n: 1 }, attempts: 8 }])
  await eventually(async () => assert.deepEqual(done, [1]))
  await worker.stop()
})

test('of what one job begins, what fails is tried again alone, and all of it waits for its place', async () => {
  const begun: string[] = []
  let inside = 0
  const note = (name: string, fails: () => boolean) => async (payload: unknown) => {
    inside += 1
    assert.equal(inside, 1, 'one at a time')
    begun.push(`${name} ${(payload as { n: number }).n}`)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
    if (fails()) throw new Error(name)
  }
  let broken = true
  const handlers = {
    first: note('first', () => false),
    frail: note('frail', () => broken),
    last: note('last', () => false),
  }
  const again = async (names: readonly string[], payload: unknown) => {
    broken = false
    await enqueueJobs(
      db,
      names.map((name) => ({ name, payload, attempts: 7 })),
    )
  }
  const bundles = { handlersOf: { all: ['first', 'frail', 'last'] }, again }
  const worker = await startWorker(database.connection, {
    queue: 'prompt',
    handlers,
    pool,
    concurrency: 1,
    log,
    bundles,
  })
  await enqueueJobs(db, [{ name: 'all', payload: { n: 1 }, attempts: 8 }])
  await eventually(async () => {
    assert.deepEqual(begun, ['first 1', 'frail 1', 'last 1', 'frail 1'])
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, [])
  })
  await worker.stop()
})

/**
 * A pool whose first statement of this kind fails, as when the database goes away for a moment. `executed`: the first
 * that has a result is executed, and only its answer is lost.
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
      // The one that listens for news asks with a callback.
      return (...args: unknown[]) =>
        args.length > 0 ? (value.apply(target, args) as unknown) : target.connect().then(breaking)
    },
  })
}

test('however many jobs wait, only those that are next are read', async (t) => {
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
    Array.from({ length: 5_000 }, (_, n) => ({ name: 'note', payload: { n }, attempts: 8 })),
  )
  const before = await reads()
  const { begun, end, handle } = createLengthy()
  t.after(() => end.resolve())
  const handlers = { note: handle }
  const own = createQueuePool(database.connection, { workers: 1, onError: () => {} })
  const worker = await startWorker(database.connection, { queue: 'prompt', handlers, pool: own, concurrency: 1, log })
  await begun.promise
  const stopped = worker.stop()
  end.resolve()
  await stopped
  // Sessions tell what they read when they end.
  await own.end()
  await eventually(async () => assert.ok((await reads()) - before >= 100))
  assert.ok((await reads()) - before < 1_000, `${(await reads()) - before} were read`)
})

test('a job waits in the queue that it is for, and a worker of another one leaves it there', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const done: string[] = []
  const handlers = { note: async (payload: unknown) => void done.push((payload as { for: string }).for) }
  const notes = (['network', 'prompt'] as const).map((queue) => ({
    name: 'note',
    payload: { for: queue },
    attempts: 8,
    queue,
  }))
  await enqueueJobs(db, notes)
  const prompt = await startWorker(database.connection, { queue: 'prompt', handlers, pool, concurrency: 1, log })
  await eventually(async () => assert.deepEqual(done, ['prompt']))
  await eventually(async () =>
    assert.deepEqual((await pool.query('select from graphile_worker._private_jobs')).rows, []),
  )
  assert.deepEqual(
    (await listJobs(db, { known: ['note'], limit: 10 })).map(({ id, state }) => [id, state]),
    [['n1', 'waiting']],
  )
  const network = await startWorker(database.connection, { queue: 'network', handlers, pool, concurrency: 1, log })
  await eventually(async () => assert.deepEqual(done, ['prompt', 'network']))
  await Promise.all([prompt.stop(), network.stop()])
})

test('those who write many keys at once wait neither for each other nor for the worker in a circle', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const handlers = { remind: async () => {} }
  const worker = await startWorker(database.connection, {
    queue: 'prompt',
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
          keys.map((key) => ({ name: 'remind', payload: {}, attempts: 8, key })),
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
