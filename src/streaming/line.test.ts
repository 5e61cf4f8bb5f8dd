import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createLog } from '../platform/log.ts'
import { until } from '../../test/streams.ts'
import { Line } from './line.ts'

const log = createLog('silent')

test('what is ready first waits for what came before it', async () => {
  const line = new Line({ log })
  const sent: number[] = []
  const slow = Promise.withResolvers<void>()
  line.add(async () => {
    await slow.promise
    return () => sent.push(1)
  })
  line.add(async () => {
    slow.resolve()
    return () => sent.push(2)
  })
  for (let n = 3; n <= 20; n += 1) line.add(async () => () => sent.push(n))
  await until(() => sent.length === 20)
  assert.deepEqual(
    sent,
    sent.toSorted((a, b) => a - b),
  )
})

test('what fails, before or while it is sent, does not keep the next back', async () => {
  const line = new Line({ log })
  const sent: string[] = []
  line.add(async () => {
    throw new Error('no database')
  })
  line.add(async () => () => {
    throw new Error('no socket')
  })
  line.add(async () => () => sent.push('done'))
  await until(() => sent.length === 1)
  line.add(async () => () => sent.push('again'))
  await until(() => sent.length === 2)
})

test('more than ten thousand do not wait', async () => {
  const line = new Line({ log })
  const held = Promise.withResolvers<() => void>()
  let sent = 0
  let added = 0
  for (let n = 0; n < 10_001; n += 1) if (line.add(async () => (await held.promise, () => (sent += 1)))) added += 1
  assert.equal(added, 10_000)
  held.resolve(() => {})
  await until(() => sent === 10_000)
  assert.ok(line.add(async () => () => (sent += 1)))
  await until(() => sent === 10_001)
})

test('a line that closes forgets what waits, and finishes what it has begun', async () => {
  const line = new Line({ log })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const sent: string[] = []
  line.add(async () => {
    begun.resolve()
    await held.promise
    return () => sent.push('begun')
  })
  await begun.promise
  line.add(async () => () => sent.push('waiting'))
  const closed = line.close()
  held.resolve()
  await closed
  assert.deepEqual(sent, ['begun'])
})
