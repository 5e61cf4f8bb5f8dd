import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullTime, timeAgo } from './time.ts'

const now = new Date('2026-05-14T12:00:00Z')
const words = (at: string) =>
  timeAgo('en', { at: new Date(at), now })
    .toString()
    .replace(/<[^>]*>/g, '')
    .trim()

test('a time is relative for a week, and a date after that', () => {
  assert.equal(words('2026-05-14T11:59:30Z'), 'now')
  assert.equal(words('2026-05-14T11:56:00Z'), '4m ago')
  assert.equal(words('2026-05-14T01:00:00Z'), '11h ago')
  assert.equal(words('2026-05-13T11:00:00Z'), 'yesterday')
  assert.equal(words('2026-05-08T12:00:00Z'), '6d ago')
  assert.equal(words('2026-05-01T12:00:00Z'), 'May 1')
  assert.equal(words('2025-12-31T23:59:59Z'), 'Dec 31, 2025')
})

test('a time in the future, by a wrong clock, is shown as now', () => {
  assert.equal(words('2026-05-14T12:00:20Z'), 'now')
})

test('the exact time is in UTC and says so', () => {
  assert.match(fullTime('en', new Date('2026-05-14T23:30:00Z')), /^May 14, 2026, 11:30\sPM UTC$/)
})
