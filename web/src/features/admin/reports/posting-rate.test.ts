import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postsPerDay } from './posting-rate.ts'

test('the posting rate is the number of posts by day', () => {
  const createdAt = '2026-01-01T00:00:00.000Z'
  assert.equal(postsPerDay({ statusesCount: 25, createdAt }, new Date('2026-01-11T00:00:00.000Z')), 2.5)
})

test('an account of today has published all of its posts on one day', () => {
  const createdAt = '2026-01-01T00:00:00.000Z'
  assert.equal(postsPerDay({ statusesCount: 12, createdAt }, new Date('2026-01-01T01:00:00.000Z')), 12)
})
