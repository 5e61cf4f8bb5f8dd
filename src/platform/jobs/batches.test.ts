import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openQueue } from '../../../test/jobs/open-queue.ts'
import { captureWorkerQueries } from '../../../test/performance/count-queries.ts'
import type { Handler, JobBundles } from './create-job-runner.ts'

const { pool, startWorker, enqueue, readJobs, deleteJobs, close } = await openQueue()

beforeEach(deleteJobs)
after(close)

const numberOf = (payload: unknown): number => (payload as { n: number }).n

/** Creates a handler for sets, and records the payloads of each call. */
function createRecordingBatch({ fails = () => false }: { fails?: (n: number) => boolean } = {}) {
  const calls: number[][] = []
  const runBatch = async (payloads: readonly unknown[]) => {
    const numbers = payloads.map(numberOf)
    calls.push(numbers.toSorted((a, b) => a - b))
    if (numbers.some(fails)) throw new Error(`cannot work on ${numbers.filter(fails).join()}`)
  }
  const handler: Handler = Object.assign(async (payload: unknown) => runBatch([payload]), { runBatch })
  return { calls, handler }
}

const range = (length: number): number[] => Array.from({ length }, (_, n) => n)
const jobsOf = (name: string, length: number) => range(length).map((n) => ({ name, payload: { n } }))
const isEmpty = async () => eventually(async () => assert.deepEqual(await readJobs(), []))

test('jobs of one name that were fetched together are one call, of at most a hundred', async () => {
  const [one, other] = [createRecordingBatch(), createRecordingBatch()]
  await enqueue(...jobsOf('one', 120), ...jobsOf('other', 3))
  const worker = await startWorker({ handlers: { one: one.handler, other: other.handler } })
  await isEmpty()
  await worker.stop()
  assert.deepEqual(one.calls, [range(100), range(120).slice(100)])
  assert.deepEqual(other.calls, [range(3)])
})

test('if a batch fails, its payloads run one by one, and only those that fail are retried, each alone', async () => {
  let isRepaired = false
  const { calls, handler } = createRecordingBatch({ fails: (n) => !isRepaired && (n === 1 || n === 3) })
  await enqueue(...jobsOf('note', 5))
  const worker = await startWorker({ handlers: { note: handler } })
  await eventually(async () => {
    const jobs = await readJobs()
    assert.deepEqual(
      jobs.map(({ payload, attempts, last_error, locked_by }) => [payload, attempts, last_error, locked_by]),
      [
        [{ n: 1 }, 1, 'cannot work on 1', null],
        [{ n: 3 }, 1, 'cannot work on 3', null],
      ],
    )
  })
  assert.deepEqual(calls, [range(5), [0], [1], [2], [3], [4]])
  isRepaired = true
  calls.length = 0
  await pool.query('update jobs set run_at = now()')
  await isEmpty()
  await worker.stop()
  assert.deepEqual(new Set(calls.flat()), new Set([1, 3]))
  assert.equal(calls.length, 2)
})

test('a job that ended its process runs alone the next time', async () => {
  const { calls, handler } = createRecordingBatch()
  await enqueue(...jobsOf('note', 3))
  await pool.query(`update jobs set attempts = 1 where payload ->> 'n' = '1'`)
  const worker = await startWorker({ handlers: { note: handler } })
  await isEmpty()
  await worker.stop()
  assert.deepEqual(
    calls.toSorted((a, b) => b.length - a.length),
    [[0, 2], [1]],
  )
})

/** A bundle of a handler for sets and one for single payloads. */
function createBundle(fails: (n: number) => boolean) {
  const set = createRecordingBatch({ fails })
  const singles: number[] = []
  const retried: { handler: string; payload: unknown }[][] = []
  const bundles: JobBundles = {
    handlersOf: { all: ['set', 'single'] },
    async retrySeparately(failures) {
      retried.push([...failures])
    },
  }
  const single = async (payload: unknown) => {
    singles.push(numberOf(payload))
    if (numberOf(payload) === 4) throw new Error('not 4')
  }
  return { set, singles, retried, bundles, handlers: { set: set.handler, single } }
}

test('a bundle calls handlers for sets once with all payloads, and other handlers with each payload', async () => {
  const { set, singles, retried, bundles, handlers } = createBundle(() => false)
  await enqueue(...jobsOf('all', 4))
  const worker = await startWorker({ handlers, bundles })
  await isEmpty()
  await worker.stop()
  assert.deepEqual(set.calls, [range(4)])
  assert.deepEqual(singles, range(4))
  assert.deepEqual(retried, [])
})

test('the failed handlers of bundles are retried in separate jobs for their payloads', async () => {
  const { set, singles, retried, bundles, handlers } = createBundle((n) => n === 2)
  await enqueue(...jobsOf('all', 6))
  const worker = await startWorker({ handlers, bundles })
  await isEmpty()
  await worker.stop()
  assert.deepEqual(set.calls, [range(6), [0], [1], [2], [3], [4], [5]])
  assert.deepEqual(singles, range(6))
  assert.deepEqual(retried, [
    [
      { handler: 'set', payload: { n: 2 } },
      { handler: 'single', payload: { n: 4 } },
    ],
  ])
})

test('a bundle whose failed handlers cannot be enqueued is retried with all its handlers', async () => {
  const { bundles, handlers } = createBundle((n) => n === 2)
  const retrySeparately = async () => {
    throw new Error('no database')
  }
  await enqueue(...jobsOf('all', 3))
  const worker = await startWorker({ handlers, bundles: { ...bundles, retrySeparately } })
  await eventually(async () => {
    const jobs = (await readJobs()).map(({ payload, last_error }) => [payload, last_error])
    assert.deepEqual(jobs, [[{ n: 2 }, 'no database']])
  })
  await worker.stop()
})

test('the outcomes of many jobs are recorded with few statements', async () => {
  await enqueue(...jobsOf('note', 300))
  const texts = await captureWorkerQueries(async () => {
    const worker = await startWorker({ handlers: { note: async () => {} }, concurrency: 10 })
    await isEmpty()
    await worker.stop()
  })
  assert.ok(texts.filter((text) => text.startsWith('delete from jobs')).length <= 10, `${texts.length} statements`)
  assert.ok(texts.filter((text) => text.includes('skip locked')).length <= 10, `${texts.length} statements`)
})
