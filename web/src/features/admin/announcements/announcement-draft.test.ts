import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, findProblems, NEW_ANNOUNCEMENT, parametersOf, withAllDay } from './announcement-draft.ts'

const now = new Date('2026-11-23T12:00:00Z')
const draft = { ...NEW_ANNOUNCEMENT, text: 'Maintenance' }
const local = (time: string) => new Date(time).toISOString()

test('times are sent as points in time, days in UTC, and read as the same values', () => {
  const timed = { ...draft, startsAt: '2026-12-01T20:00', endsAt: '2026-12-01T22:00' }
  const sent = parametersOf(timed, { isPublished: false })
  assert.deepEqual(
    [sent.startsAt, sent.endsAt, sent.scheduledAt],
    [local('2026-12-01T20:00'), local('2026-12-01T22:00'), ''],
  )
  const days = withAllDay(timed, true)
  const sentDays = parametersOf(days, { isPublished: true })
  assert.deepEqual([sentDays.startsAt, 'scheduledAt' in sentDays], ['2026-12-01T00:00:00.000Z', false])
  const read = {
    id: '1',
    content: '',
    ended: false,
    publishedAt: null,
    updatedAt: '',
    published: false,
    scheduledAt: null,
  }
  for (const one of [timed, days]) {
    const { text, allDay, startsAt, endsAt } = parametersOf(one, { isPublished: true })
    assert.deepEqual(draftOf({ ...read, text, allDay, startsAt, endsAt }), { ...one, publication: 'draft' })
  }
  assert.equal(withAllDay(days, false).startsAt, '2026-12-01T00:00')
})

test('contradicting times are found at their fields', () => {
  const problemsOf = (changes: Partial<typeof draft>) => findProblems({ ...draft, ...changes }, { now })
  assert.deepEqual(problemsOf({}), {})
  assert.deepEqual(problemsOf({ text: ' ' }), { text: 'text' })
  assert.deepEqual(problemsOf({ allDay: true }), { starts_at: 'days' })
  assert.deepEqual(problemsOf({ startsAt: '2026-12-02T10:00', endsAt: '2026-12-01T10:00' }), { ends_at: 'order' })
  assert.deepEqual(problemsOf({ endsAt: '2026-11-01T10:00' }), { ends_at: 'past' })
  assert.deepEqual(problemsOf({ allDay: true, endsAt: '2026-11-23' }), {})
  assert.deepEqual(problemsOf({ publication: 'scheduled' }), { scheduled_at: 'scheduled' })
  assert.deepEqual(
    problemsOf({ publication: 'scheduled', scheduledAt: '2026-12-05T10:00', endsAt: '2026-12-04T10:00' }),
    { scheduled_at: 'late' },
  )
})
