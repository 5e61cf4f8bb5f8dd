import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { takeTurns } from './take-turns.ts'

test('never more places are taken than there are, and all work is done in the order it came', async () => {
  const needs = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(needs, fc.integer({ min: 1, max: 3 }), async (list, places) => {
      const inTurn = takeTurns({ places })
      const begun: number[] = []
      let taken = 0
      await Promise.all(
        list.map((need, index) =>
          inTurn({ places: need }, async () => {
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

test('work that fails gives its place back and its error to whoever asked for it', async () => {
  const inTurn = takeTurns({ places: 1 })
  const failing = inTurn({ places: 1 }, () => Promise.reject(new Error('broken')))
  const next = inTurn({ places: 1 }, () => Promise.resolve('done'))
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})
