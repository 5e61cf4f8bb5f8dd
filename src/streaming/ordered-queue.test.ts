import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createLog } from '../platform/log/log.ts'
import { until } from '../../test/streaming/streams.ts'
import { OrderedQueue } from './ordered-queue.ts'

const log = createLog('silent')

test('an event that is ready early waits for earlier events', async () => {
  const queue = new OrderedQueue({ log })
  const sent: number[] = []
  const slow = Promise.withResolvers<void>()
  queue.add(async () => {
    await slow.promise
    return () => sent.push(1)
  })
  queue.add(async () => {
    slow.resolve()
    return () => sent.push(2)
  })
  for (let n = 3; n <= 20; n += 1) queue.add(async () => () => sent.push(n))
  await until(() => sent.length === 20)
  assert.deepEqual(
    sent,
    sent.toSorted((a, b) => a - b),
  )
})

test('an event that fails before or during sending does not block the next one', async () => {
  const queue = new OrderedQueue({ log })
  const sent: string[] = []
  queue.add(async () => {
    throw new Error('no database')
  })
  queue.add(async () => () => {
    throw new Error('no socket')
  })
  queue.add(async () => () => sent.push('done'))
  await until(() => sent.length === 1)
  queue.add(async () => () => sent.push('again'))
  await until(() => sent.length === 2)
})

test('events that arrive during a restart of the database are sent afterwards, in order', async () => {
  const queue = new OrderedQueue({ log })
  const sent: string[] = []
  let attempts = 0
  queue.add(async () => {
    attempts += 1
    if (attempts < 3) throw Object.assign(new Error('the database system is shutting down'), { code: '57P03' })
    return () => sent.push('during the restart')
  })
  queue.add(async () => () => sent.push('afterwards'))
  await until(() => sent.length === 2)
  assert.deepEqual([attempts, sent], [3, ['during the restart', 'afterwards']])
})

test('an event that fails because the disk is full does not delay the next one', async () => {
  const queue = new OrderedQueue({ log })
  const sent: string[] = []
  let attempts = 0
  queue.add(async () => {
    attempts += 1
    throw Object.assign(new Error('No space left on device'), { code: '53100' })
  })
  queue.add(async () => () => sent.push('next'))
  await until(() => sent.length === 1)
  assert.equal(attempts, 1)
})

test('a closing queue does not wait for the database', async () => {
  const queue = new OrderedQueue({ log })
  let attempts = 0
  queue.add(async () => {
    attempts += 1
    throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' })
  })
  await until(() => attempts === 1)
  await queue.close()
  assert.ok(attempts <= 2)
})

test('at most ten thousand events are queued', async () => {
  const queue = new OrderedQueue({ log })
  const blocked = Promise.withResolvers<() => void>()
  let sent = 0
  let added = 0
  for (let n = 0; n < 10_001; n += 1) if (queue.add(async () => (await blocked.promise, () => (sent += 1)))) added += 1
  assert.equal(added, 10_000)
  blocked.resolve(() => {})
  await until(() => sent === 10_000)
  assert.ok(queue.add(async () => () => (sent += 1)))
  await until(() => sent === 10_001)
})

test('a closing queue discards queued events, and finishes the events in progress', async () => {
  const queue = new OrderedQueue({ log })
  const begun = Promise.withResolvers<void>()
  const blocked = Promise.withResolvers<void>()
  const sent: string[] = []
  queue.add(async () => {
    begun.resolve()
    await blocked.promise
    return () => sent.push('begun')
  })
  await begun.promise
  queue.add(async () => () => sent.push('waiting'))
  const closed = queue.close()
  blocked.resolve()
  await closed
  assert.deepEqual(sent, ['begun'])
})
