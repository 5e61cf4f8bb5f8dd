import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { captureQueries } from '../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { until } from '../../../test/streaming/streams.ts'
import type { JobSpec } from './job-queue.ts'
import { createJobSignals } from './job-signals.ts'

const job: JobSpec = { name: 'note', payload: {}, maxAttempts: 8 }

/** Creates the signals of a process, and records its messages. `receive` delivers a message of another process. */
function openSignals() {
  const messages: unknown[] = []
  let receive: (message: unknown) => void = () => {}
  const signals = createJobSignals({
    publish: async (_topic, message) => void messages.push(message),
    subscribe: (_topic, listener) => {
      receive = listener
      return () => {}
    },
    close: async () => {},
  })
  return { signals, messages, receive: (message: unknown) => receive(message) }
}

test('workers of the process are woken directly, and other processes only if none of them is free', async (t) => {
  const { signals, messages } = openSignals()
  t.after(signals.close)
  let isFree = true
  const woken: string[] = []
  signals.addWorker('default', () => {
    woken.push('default')
    return isFree
  })
  signals.wake([job, job, { ...job, delayMs: 60_000, queue: 'network' }])
  assert.deepEqual(woken, ['default'])
  isFree = false
  signals.wake([job])
  signals.wake([job, { ...job, queue: 'media' }])
  await until(() => messages.length > 0)
  assert.deepEqual(messages, [['default', 'media']])
})

test('a message of another process wakes the workers of its queues', (t) => {
  const { signals, messages, receive } = openSignals()
  t.after(signals.close)
  const woken: string[] = []
  for (const queue of ['default', 'network'] as const) {
    signals.addWorker(queue, () => {
      woken.push(queue)
      return false
    })
  }
  const remove = signals.addWorker('network', () => {
    woken.push('removed')
    return false
  })
  remove()
  receive(['network'])
  assert.deepEqual(woken, ['network'])
  assert.deepEqual(messages, [])
})

test('the transaction of a post writes its jobs with one statement and sends no NOTIFY', async (t) => {
  const testServer = await openTestServer({ effects: false })
  t.after(testServer.close)
  const { client } = await testServer.createUser()
  const texts = await captureQueries(async () => {
    assert.equal((await client.post('/api/v1/statuses', { status: 'Hello' })).status, 200)
  })
  assert.equal(texts.filter((text) => text.includes('insert into jobs')).length, 1)
  assert.deepEqual(
    texts.filter((text) => /notify/i.test(text)),
    [],
  )
  const { rows } = await sql`select tgname from pg_trigger where tgrelid = 'jobs'::regclass`.execute(testServer.ctx.db)
  assert.deepEqual(rows, [])
})
