import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'

test('the slots are never exceeded, and work starts in the order of the calls', async () => {
  const needs = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(needs, fc.integer({ min: 1, max: 3 }), async (list, places) => {
      const limit = createConcurrencyLimiter({ slots: places })
      const begun: number[] = []
      let taken = 0
      await Promise.all(
        list.map((need, index) =>
          limit({ slots: need }, async () => {
            begun.push(index)
            taken += Math.min(need, places)
            assert.ok(taken <= places)
            await setImmediate()
            taken -= Math.min(need, places)
          }),
        ),
      )
      assert.deepEqual(begun, [...list.keys()])
    }),
  )
})

test('failed work releases its slots, and the caller receives the error', async () => {
  const limit = createConcurrencyLimiter({ slots: 1 })
  const failing = limit({ slots: 1 }, () => Promise.reject(new Error('broken')))
  const next = limit({ slots: 1 }, () => Promise.resolve('done'))
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})
