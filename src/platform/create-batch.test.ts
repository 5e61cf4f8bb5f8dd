import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatch } from './create-batch.ts'

const owner = {}

test('concurrent calls share a batch, and each call gets its own result', async () => {
  const batches: number[][] = []
  const double = createBatch(
    async (_owner: object, items: readonly number[]) => {
      batches.push([...items])
      return items.map((item) => item * 2)
    },
    { maxItems: 3 },
  )
  const results = await Promise.all([1, 2, 3, 4, 5].map(async (n) => double(owner, n)))
  assert.deepEqual(results, [2, 4, 6, 8, 10])
  assert.deepEqual(batches, [
    [1, 2, 3],
    [4, 5],
  ])
})

test('items that arrive while a batch runs form the next batch', async () => {
  const sizes: number[] = []
  const gate = Promise.withResolvers<void>()
  const pass = createBatch(
    async (_owner: object, items: readonly number[]) => {
      sizes.push(items.length)
      if (sizes.length === 1) await gate.promise
      return items
    },
    { maxItems: 100 },
  )
  const first = pass(owner, 0)
  while (sizes.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const others = Array.from({ length: 50 }, (_, n) => pass(owner, n))
  gate.resolve()
  await Promise.all([first, ...others])
  assert.deepEqual(sizes, [1, 50])
})

test('after a batch of several items, the next one waits a millisecond for further items', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sizes: number[] = []
  const gate = Promise.withResolvers<void>()
  const pass = createBatch(
    async (_owner: object, items: readonly number[]) => {
      sizes.push(items.length)
      if (sizes.length === 1) await gate.promise
      return items
    },
    { maxItems: 100 },
  )
  const turns = async (count: number) => {
    for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const results = [pass(owner, 1), pass(owner, 2)]
  while (sizes.length === 0) await turns(1)
  results.push(pass(owner, 3))
  gate.resolve()
  await turns(20)
  assert.deepEqual(sizes, [2])
  results.push(pass(owner, 4))
  t.mock.timers.tick(1)
  await Promise.all(results)
  assert.deepEqual(sizes, [2, 2])

  // The load has ended, so a single item runs immediately, and the one after it does not wait.
  await pass(owner, 5)
  await pass(owner, 6)
  assert.deepEqual(sizes, [2, 2, 1, 1])
})

test('the weight of a batch is limited, and an item above the limit forms a batch alone', async () => {
  const batches: number[][] = []
  const pass = createBatch(
    async (_owner: object, items: readonly number[]) => {
      batches.push([...items])
      return items
    },
    { maxItems: 100, maxWeight: 10, weigh: (item) => item },
  )
  await Promise.all([4, 5, 3, 50, 1].map(async (n) => pass(owner, n)))
  assert.deepEqual(batches, [[4, 5], [3], [50], [1]])
})

test('an item does not fail because of another item of its batch', async () => {
  const half = createBatch(
    async (_owner: object, items: readonly number[]) => {
      if (items.includes(13)) throw new Error('unlucky')
      return items.map((item) => item / 2)
    },
    { maxItems: 100 },
  )
  const results = await Promise.allSettled([2, 13, 4].map(async (n) => half(owner, n)))
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
    [1, 'unlucky', 2],
  )
})

test('without a database, all items of a batch fail at once', async () => {
  const batches: number[][] = []
  const store = createBatch(
    async (_owner: object, items: readonly number[]): Promise<number[]> => {
      batches.push([...items])
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    },
    { maxItems: 100 },
  )
  const results = await Promise.allSettled([1, 2, 3].map(async (n) => store(owner, n)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(batches, [[1, 2, 3]])
})
