import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseMoment } from './moment.ts'

test('a moment is read from ISO 8601, with or without an offset', () => {
  const cases: [string, string | null][] = [
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00.123456+01:00', '2026-01-01T09:00:00.123Z'],
    ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['9999-12-31T00:00:00Z', '9999-12-31T00:00:00.000Z'],
  ]
  for (const [text, iso] of cases) assert.equal(parseMoment(text)?.toISOString() ?? null, iso, text)
})

test('BI9 days that there are not, years beyond 9999, and what is no date name no moment', () => {
  const wrong = [
    '2026-02-30T00:00:00Z',
    '+275760-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    'NaN',
    '',
    '1',
    'tomorrow',
  ]
  for (const text of wrong) assert.equal(parseMoment(text), null, text)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseMoment(text)
    }),
  )
})

test('every moment that is written is read again', () => {
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(dates, (date) => assert.deepEqual(parseMoment(date.toISOString()), date)))
})
