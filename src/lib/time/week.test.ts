import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startsOfLastWeeks, startOfWeek } from './week.ts'

test('FP11: a week begins on Monday at midnight UTC, also around the end of a year', () => {
  for (const [moment, monday] of [
    ['2026-12-31T23:59:59.999Z', '2026-12-28'],
    ['2027-01-01T00:00:00Z', '2026-12-28'],
    ['2027-01-03T23:59:59.999Z', '2026-12-28'],
    ['2027-01-04T00:00:00Z', '2027-01-04'],
    // In ISO 8601, this Monday belongs to the next year, and the Sunday before it to the previous one.
    ['2024-12-30T00:00:00Z', '2024-12-30'],
    ['2024-12-29T23:59:59Z', '2024-12-23'],
    ['2020-02-29T12:00:00Z', '2020-02-24'],
    ['1969-12-31T12:00:00Z', '1969-12-29'],
  ] as const) {
    assert.equal(startOfWeek(new Date(moment)).toISOString(), `${monday}T00:00:00.000Z`, moment)
  }
})

test('FP11: each week has the same length in all time zones, also with daylight saving time', () => {
  const zone = process.env.TZ
  try {
    for (const name of ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
      process.env.TZ = name
      fc.assert(
        fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (moment) => {
          const [start, before] = startsOfLastWeeks(moment, 2) as [Date, Date]
          assert.deepEqual([start.getUTCDay(), start.toISOString().slice(10)], [1, 'T00:00:00.000Z'])
          assert.ok(start <= moment && moment.getTime() - start.getTime() < 7 * 86_400_000)
          assert.equal(start.getTime() - before.getTime(), 7 * 86_400_000)
        }),
      )
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
