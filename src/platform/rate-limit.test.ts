import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryRateLimiter } from './rate-limit.ts'

const hourly = { name: 'hourly', limit: 2, windowSeconds: 3_600 }
const at = (time: string) => new Date(`2026-11-05T${time}Z`)

test('a throttle lets through as many as its limit in a window that is aligned to 1970, and then begins anew', async () => {
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

test('what is above the limit counts no further down than one too many, and each key and each throttle has its own', async () => {
  const limiter = createMemoryRateLimiter()
  const now = at('10:00:00')
  for (let i = 0; i < 5; i += 1) await limiter.take(hourly, 'a', now)
  assert.equal((await limiter.peek(hourly, 'a', now)).remaining, -1)
  assert.equal((await limiter.peek(hourly, 'b', now)).remaining, 2)
  assert.equal((await limiter.peek({ ...hourly, name: 'other' }, 'a', now)).remaining, 2)
})

test('a use that is given back was none, nothing is given back twice, and looking costs nothing', async () => {
  const limiter = createMemoryRateLimiter()
  const now = at('10:00:00')
  await limiter.take(hourly, 'a', now)
  assert.equal((await limiter.giveBack(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.giveBack(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.peek(hourly, 'a', now)).remaining, 2)
  assert.equal((await limiter.take(hourly, 'a', now)).remaining, 1)
})

test('a use that is given back in a later window leaves that window alone', async () => {
  const limiter = createMemoryRateLimiter()
  await limiter.take(hourly, 'a', at('10:59:59'))
  await limiter.take(hourly, 'b', at('11:00:00'))
  await limiter.giveBack(hourly, 'a', at('11:00:01'))
  assert.equal((await limiter.peek(hourly, 'a', at('11:00:01'))).remaining, 2)
  assert.equal((await limiter.peek(hourly, 'b', at('11:00:01'))).remaining, 1)
})

test('BI19 a flood of keys takes bounded room, pushes out who rested longest, and no counter of another throttle', async () => {
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
