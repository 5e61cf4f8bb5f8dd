import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentUsageOf, relativeUses } from './usage.ts'

const history = ['4', '0', '2'].map((uses, index) => ({ day: String(index), uses, accounts: uses }))

test('the use of a tag is that of today and yesterday', () => {
  assert.deepEqual(recentUsageOf(history), { posts: 4, people: 4 })
})

test('the days of a chart run from the oldest to today, relative to the highest', () => {
  assert.deepEqual(relativeUses(history), [0.5, 0, 1])
  assert.deepEqual(relativeUses([]), [])
})
