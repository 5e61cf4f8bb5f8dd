import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { timeSlicesBetween, slicesOf } from './time-slices.ts'

const id = fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }).map(String)
/** Ids of this century. */
const recent = fc.bigInt({ min: 946_684_800_000n << 16n, max: 1_900_000_000_000n << 16n }).map(String)

test('every id between two ids is in exactly one of the slices between them, and later slices come first', () => {
  fc.assert(
    fc.property(fc.tuple(recent, recent, recent), (ids) => {
      const [low, middle, high] = ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)) as [string, string, string]
      const slices = timeSlicesBetween(low, high)
      const indexOf = (statusId: string) => {
        const indexes = slicesOf(statusId).flatMap((name) => (slices.includes(name) ? [slices.indexOf(name)] : []))
        assert.equal(indexes.length, 1)
        return indexes[0]!
      }
      assert.ok(indexOf(high) <= indexOf(middle) && indexOf(middle) <= indexOf(low))
      assert.ok(slices.length < 200, String(slices.length))
    }),
  )
})

test('the number of slices between any two ids is limited', () => {
  fc.assert(
    fc.property(id, id, (low, high) => {
      assert.ok(timeSlicesBetween(low, high).length < 10_000)
    }),
    { examples: [['1', '9223372036854775807']] },
  )
  assert.deepEqual(timeSlicesBetween('2', '1'), [])
})
