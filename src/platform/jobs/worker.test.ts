import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { cloneDatabase } from '../../../test/postgres.ts'
import { createDb, createPool } from '../db/connect.ts'
import { createLog } from '../log.ts'
import { enqueueJobs } from './queue.ts'
import { startWorker } from './worker.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 5, onError: () => {} })
const db = createDb(pool)
const log = createLog('silent')

after(async () => {
  await pool.end()
  await database.drop()
})

test('a stop gives back what has not begun, and what does not end in time', async () => {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const handlers = {
    async waitForever() {
      begun.resolve()
      await end.promise
    },
  }
  const worker = await startWorker(database.connection, { handlers, pool, concurrency: 1, log, stopSeconds: 0.05 })
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
