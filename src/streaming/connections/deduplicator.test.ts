import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deduplicator } from './deduplicator.ts'

test('each recipient is new once for each key', () => {
  const deduplicator = new Deduplicator()
  assert.deepEqual(deduplicator.filterNew('a', ['1', '2']), ['1', '2'])
  assert.deepEqual(deduplicator.filterNew('a', ['2', '3', '3']), ['3'])
  assert.deepEqual(deduplicator.filterNew('b', ['2']), ['2'])
})

test('the oldest keys are evicted first, but never the present one', () => {
  const deduplicator = new Deduplicator({ maxEntries: 3 })
  deduplicator.filterNew('a', ['1', '2'])
  deduplicator.filterNew('b', ['1', '2'])
  assert.deepEqual(deduplicator.filterNew('b', ['1', '2']), [])
  assert.deepEqual(deduplicator.filterNew('a', ['1', '2']), ['1', '2'])
  assert.deepEqual(deduplicator.filterNew('c', ['1', '2', '3', '4']), ['1', '2', '3', '4'])
  assert.deepEqual(deduplicator.filterNew('c', ['1', '2', '3', '4']), [])
})
