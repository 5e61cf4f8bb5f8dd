import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fitArea } from './fit-area.ts'

test('a size within the limit does not change', () => {
  assert.deepEqual(fitArea({ width: 640, height: 360 }, { maxPixels: 230_400 }), { width: 640, height: 360 })
})

test('a size above the limit keeps its aspect ratio', () => {
  assert.deepEqual(fitArea({ width: 1280, height: 720 }, { maxPixels: 230_400 }), { width: 640, height: 360 })
  assert.deepEqual(fitArea({ width: 3000, height: 4000 }, { maxPixels: 8_294_400 }), { width: 2494, height: 3325 })
  assert.deepEqual(fitArea({ width: 1, height: 1_000_000 }, { maxPixels: 1_000 }), { width: 1, height: 1_000 })
})

test('the result has at least one pixel, is within the limit, never larger, with nearly the same ratio', () => {
  const length = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(length, length, fc.integer({ min: 1, max: 10_000_000 }), (width, height, maxPixels) => {
      const fitted = fitArea({ width, height }, { maxPixels })
      for (const [side, before] of [
        [fitted.width, width],
        [fitted.height, height],
      ] as const)
        assert.ok(Number.isInteger(side) && side >= 1 && side <= before)
      assert.ok(fitted.width * fitted.height <= Math.max(maxPixels, 1))
      const shorter = Math.min(fitted.width, fitted.height)
      const drift = (fitted.width * height) / (fitted.height * width)
      if (shorter > 10) assert.ok(Math.abs(drift - 1) < 1.5 / shorter, `${drift}`)
    }),
  )
})
