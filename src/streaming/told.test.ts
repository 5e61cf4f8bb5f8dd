import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Told } from './told.ts'

test('each listener is new once for each thing', () => {
  const told = new Told()
  assert.deepEqual(told.keepNew('a', ['1', '2']), ['1', '2'])
  assert.deepEqual(told.keepNew('a', ['2', '3', '3']), ['3'])
  assert.deepEqual(told.keepNew('b', ['2']), ['2'])
})

test('what is oldest is forgotten first, and nothing of what is told just now', () => {
  const told = new Told({ kept: 3 })
  told.keepNew('a', ['1', '2'])
  told.keepNew('b', ['1', '2'])
  assert.deepEqual(told.keepNew('b', ['1', '2']), [])
  assert.deepEqual(told.keepNew('a', ['1', '2']), ['1', '2'])
  assert.deepEqual(told.keepNew('c', ['1', '2', '3', '4']), ['1', '2', '3', '4'])
  assert.deepEqual(told.keepNew('c', ['1', '2', '3', '4']), [])
})
