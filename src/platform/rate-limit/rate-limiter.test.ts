import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryRateLimiter } from './rate-limiter.ts'

const hourly = { name: 'hourly', limit: 2, windowSeconds: 3_600 }
const at = (time: string) => new Date(`2026-11-05T${time}Z`)

test('a throttle allows its limit of uses in each window; windows are aligned to 1970', async () => {
  const limiter = createMemoryRateLimiter()
  const left = []
  for (const time of ['10:59:58', '10:59:59', '10:59:59.999', '11:00:00']) {
    const { remaining, resetsAt } = await limiter.take(hourly, 'a', at(time))
    left.push([remaining, resetsAt.toISOString().slice(11, 19)])
  }
  assert.deepEqual(left, [
    [1, '11:00:00'],
    [0, '11:00:00'],
    [-1, '11:00:00'],
    [1, '12:00:00'],
  ])
})

test('remaining uses stop at −1, and each key and each throttle has its own counter', async () => {
  const limiter = createMemoryRateLimiter()
  const now = at('10:00:00')
  for (let i = 0; i < 5; i += 1) await limiter.take(hourly, 'a', now)
  assert.equal((await limiter.peek(hourly, 'a', now)).remaining, -1)
  assert.equal((await limiter.peek(hourly, 'b', now)).remaining, 2)
  assert.equal((await limiter.peek({ ...hourly, name: 'other' }, 'a', now)).remaining, 2)
})

test('a refund undoes a use, counters stop at zero, and peeking does not count', async () => {
  const limiter = createMemoryRateLimiter()
  const now = at('10:00:00')
  await limiter.take(hourly, 'a', now)
  assert.equal((await limiter.refund(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.refund(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.peek(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.take(hourly, 'a', now)).remaining, 1)
})

test('a refund in a later window does not change that window', async () => {
  const limiter = createMemoryRateLimiter()
  await limiter.take(hourly, 'a', at('10:59:59'))
  await limiter.take(hourly, 'b', at('11:00:00'))
  await limiter.refund(hourly, 'a', at('11:00:01'))
  assert.equal((await limiter.peek(hourly, 'a', at('11:00:01'))).remaining, 2)
  assert.equal((await limiter.peek(hourly, 'b', at('11:00:01'))).remaining, 1)
})

test('BI19 a flood of keys uses limited memory and evicts least recently used keys of its throttle only', async () => {
  const limiter = createMemoryRateLimiter({ maxKeys: 100 })
  const now = at('10:00:00')
  const login = { name: 'login', limit: 2, windowSeconds: 3_600 }
  for (let i = 0; i < 3; i += 1) await limiter.take(login, 'alice', now)
  for (let i = 0; i < 3; i += 1) await limiter.take(hourly, 'idle', now)
  for (let i = 0; i < 10_000; i += 1) {
    await limiter.take(hourly, `stranger ${i}`, now)
    if (i % 50 === 0) await limiter.take(hourly, 'busy', now)
  }
  assert.equal((await limiter.peek(hourly, 'busy', now)).remaining, -1)
  assert.equal((await limiter.peek(hourly, 'idle', now)).remaining, 2)
  assert.equal((await limiter.peek(login, 'alice', now)).remaining, -1)
})

test('BI19 a hundred thousand new keys in one window are counted in well under a second', async () => {
  const limiter = createMemoryRateLimiter({ maxKeys: 50_000 })
  const now = at('10:00:00')
  const before = process.threadCpuUsage()
  for (let i = 0; i < 100_000; i += 1) await limiter.take(hourly, `2001:db8:${i}`, now)
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 1_000_000)
})
