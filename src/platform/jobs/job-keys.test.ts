import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openQueue } from '../../../test/jobs/open-queue.ts'
import { enqueueJobs } from './job-queue.ts'

const { db, pool, signals, startWorker, readJobs, deleteJobs, close } = await openQueue()

beforeEach(deleteJobs)
after(close)

interface Write {
  keys: number[]
  commits: boolean
}

const write: fc.Arbitrary<Write> = fc.record({
  keys: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }),
  commits: fc.boolean(),
})

test('of each key, one job at most waits, and after each commit it or a later one runs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(write, { maxLength: 8 }), { minLength: 2, maxLength: 4 }), async (writers) => {
      await deleteJobs()
      const commits: { key: number; version: number; startsBefore: number }[] = []
      const starts: { key: number; version: number }[] = []
      const remind = async (payload: unknown) => {
        const { key, version } = payload as { key: number; version: number }
        starts.push({ key, version })
        await new Promise((resolve) => setImmediate(resolve))
        if (version % 5 === 0 && starts.filter((start) => start.version === version).length === 1)
          throw new Error('once')
      }
      const worker = await startWorker({ handlers: { remind }, concurrency: 3, batchSize: 4 })
      let version = 0
      const run = async (writes: readonly Write[]) => {
        for (const { keys, commits: isCommitted } of writes) {
          const written = keys.map((key) => ({ key, version: (version += 1) }))
          const jobs = written.map((payload) => ({ name: 'remind', payload, maxAttempts: 8, key: `k${payload.key}` }))
          const rollback = new Error('rollback')
          const startsBefore = starts.length
          await db
            .transaction()
            .execute(async (tx) => {
              await enqueueJobs(tx, jobs)
              if (!isCommitted) throw rollback
            })
            .catch((err: unknown) => assert.equal(err, rollback))
          const { rows } = await pool.query(
            'select key from jobs where locked_by is null group by key having count(*) > 1',
          )
          assert.deepEqual(rows, [], 'one job per key waits')
          if (!isCommitted) continue
          signals.wake(jobs)
          commits.push(...written.map((one) => ({ ...one, startsBefore })))
        }
      }
      try {
        await Promise.all(writers.map(run))
        await eventually(async () => {
          await pool.query('update jobs set run_at = now() where run_at > now()')
          assert.deepEqual(await readJobs(), [])
        })
      } finally {
        await worker.stop()
      }
      const committed = new Set(commits.map((commit) => commit.version))
      assert.deepEqual(
        starts.filter((start) => !committed.has(start.version)),
        [],
        'no job of a transaction that was rolled back runs',
      )
      for (const { key, version: lost, startsBefore } of commits) {
        const later = starts.slice(startsBefore).filter((start) => start.key === key)
        assert.ok(later.length > 0, `no job of k${key} ran after version ${lost}`)
      }
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? 10) },
  )
})
