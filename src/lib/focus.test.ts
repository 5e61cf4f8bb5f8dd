import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFocus } from './focus.ts'

test('a focus is two decimals with a comma between', () => {
  assert.deepEqual(parseFocus('0.5,-0.25'), { x: 0.5, y: -0.25 })
  assert.deepEqual(parseFocus(' -1 , +1. '), { x: -1, y: 1 })
  assert.deepEqual(parseFocus('.5,-0'), { x: 0.5, y: 0 })
})

test('ME9: a focus outside the picture moves to its edge', () => {
  assert.deepEqual(parseFocus('7,-3.5'), { x: 1, y: -1 })
  assert.deepEqual(parseFocus(`${'9'.repeat(90)},0`), { x: 1, y: 0 })
})

test('ME9: a focus that is not two decimals is none', () => {
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
  for (const text of [...bad, `${'9'.repeat(1_000_000)},0`]) assert.equal(parseFocus(text), null, text.slice(0, 20))
})

test('ME9: whatever is sent, a focus is null or lies inside the picture', () => {
  const numberish = fc.oneof(fc.double().map(String), fc.string(), fc.integer().map(String))
  fc.assert(
    fc.property(numberish, numberish, (x, y) => {
      const focus = parseFocus(`${x},${y}`)
      if (focus === null) return
      for (const value of [focus.x, focus.y]) assert.ok(value >= -1 && value <= 1)
    }),
  )
})
