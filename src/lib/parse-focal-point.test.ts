import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFocalPoint } from './parse-focal-point.ts'

test('a focal point is two decimal numbers separated by a comma', () => {
  assert.deepEqual(parseFocalPoint('0.5,-0.25'), { x: 0.5, y: -0.25 })
  assert.deepEqual(parseFocalPoint(' -1 , +1. '), { x: -1, y: 1 })
  assert.deepEqual(parseFocalPoint('.5,-0'), { x: 0.5, y: 0 })
})

test('ME9: a focal point outside the image is moved to its edge', () => {
  assert.deepEqual(parseFocalPoint('7,-3.5'), { x: 1, y: -1 })
  assert.deepEqual(parseFocalPoint(`${'9'.repeat(90)},0`), { x: 1, y: 0 })
})

test('ME9: a focal point that is not two decimal numbers is rejected', () => {
  const bad = [
    '',
    ',',
    '1',
    '1,',
    ',1',
    '1,2,3',
    'NaN,NaN',
    'NaN,0',
    'Infinity,0',
    '0x1,0',
    '1e9,0',
    'a,b',
    '0 5,1',
    '１,0',
  ]
  for (const text of [...bad, `${'9'.repeat(1_000_000)},0`])
    assert.equal(parseFocalPoint(text), null, text.slice(0, 20))
})

test('ME9: the focal point of any input is null or inside the image', () => {
  const numberish = fc.oneof(fc.double().map(String), fc.string(), fc.integer().map(String))
  fc.assert(
    fc.property(numberish, numberish, (x, y) => {
      const focus = parseFocalPoint(`${x},${y}`)
      if (focus === null) return
      for (const value of [focus.x, focus.y]) assert.ok(value >= -1 && value <= 1)
    }),
  )
})
