import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slicesBetween, slicesOf } from './time-slices.ts'

const id = fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }).map(String)
/** As ids of this century are. */
const recent = fc.bigInt({ min: 946_684_800_000n << 16n, max: 1_900_000_000_000n << 16n }).map(String)

test('of all stretches between two ids, every id between them lies in exactly one, and the later ones come first', () => {
  fc.assert(
    fc.property(fc.tuple(recent, recent, recent), (three) => {
      const [low, middle, high] = three.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)) as [string, string, string]
      const stretches = slicesBetween(low, high)
      const placeOf = (one: string) => {
        const places = slicesOf(one).flatMap((name) => (stretches.includes(name) ? [stretches.indexOf(name)] : []))
        assert.equal(places.length, 1)
        return places[0]!
      }
      assert.ok(placeOf(high) <= placeOf(middle) && placeOf(middle) <= placeOf(low))
      assert.ok(stretches.length < 200, String(stretches.length))
    }),
  )
})

test('whatever is asked for, the stretches are not many', () => {
  fc.assert(
    fc.property(id, id, (low, high) => {
      assert.ok(slicesBetween(low, high).length < 10_000)
    }),
    { examples: [['1', '9223372036854775807']] },
  )
  assert.deepEqual(slicesBetween('2', '1'), [])
})
