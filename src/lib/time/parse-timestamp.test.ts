import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp } from './parse-timestamp.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

test('an ISO 8601 timestamp is parsed with or without an offset', () => {
  const cases: [string, string | null][] = [
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00.123456+01:00', '2026-01-01T09:00:00.123Z'],
    ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['9999-12-31T00:00:00Z', '9999-12-31T00:00:00.000Z'],
  ]
  for (const [text, iso] of cases) assert.equal(parseTimestamp(text)?.toISOString() ?? null, iso, text)
})

test('BI9 impossible dates, years after 9999 and other text return null', () => {
  const wrong = [
    '2026-02-30T00:00:00Z',
    '+275760-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    'NaN',
    '',
    '1',
    'tomorrow',
  ]
  for (const text of wrong) assert.equal(parseTimestamp(text), null, text)
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => {
      parseTimestamp(text)
    }),
  )
})

test('each formatted timestamp is parsed to the same time', () => {
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(dates, (date) => assert.deepEqual(parseTimestamp(date.toISOString()), date)))
})
