import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInPercent, linePoints, roundMaximum } from './chart-scale.ts'

test('the scale of a chart ends at a round number that no value exceeds', () => {
  assert.equal(roundMaximum([]), 1)
  assert.equal(roundMaximum([0, 0]), 1)
  assert.equal(roundMaximum([3, 1]), 5)
  assert.equal(roundMaximum([20]), 20)
  assert.equal(roundMaximum([21, 4]), 50)
  assert.equal(roundMaximum([987]), 1000)
})

test('a line goes from one side to the other, with large values above small ones', () => {
  assert.equal(linePoints([0, 5, 10], { width: 100, height: 40 }), '0,40 50,20 100,0')
})

test('a line with one value or none has no further points', () => {
  assert.equal(linePoints([1], { width: 100, height: 40 }), '0,0')
  assert.equal(linePoints([], { width: 100, height: 40 }), '')
})

test('a change is relative to the period before, if there was anything', () => {
  assert.equal(changeInPercent(15, 10), 50)
  assert.equal(changeInPercent(5, 10), -50)
  assert.equal(changeInPercent(5, 0), null)
})
