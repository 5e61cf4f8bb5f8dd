import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRetryAfter } from './parse-retry-after.ts'

const now = new Date('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000

test('FE15 the delay is parsed from seconds or a date, and is at most a day', () => {
  const read = (header: string) => parseRetryAfter(header, { now })?.getTime()
  assert.equal(read('120'), now.getTime() + 120_000)
  assert.equal(read('Sun, 01 Mar 2026 13:00:00 GMT'), now.getTime() + HOUR_MS)
  assert.equal(read('1000000000'), now.getTime() + 24 * HOUR_MS)
  assert.equal(read('99999999999999999999'), now.getTime() + 24 * HOUR_MS)
  assert.equal(read('Fri, 01 Jan 2100 00:00:00 GMT'), now.getTime() + 24 * HOUR_MS)
  assert.equal(read('0'), now.getTime() + 1_000)
  assert.equal(read('Sun, 01 Mar 2020 13:00:00 GMT'), now.getTime() + 1_000)
  for (const odd of ['', 'soon', '-5', '1.5', '1e9', '2026-03-01T13:00:00Z', '9'.repeat(21)])
    assert.equal(read(odd), undefined)
})

test('the delay of any header is between a second and a day', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (header) => {
        const until = parseRetryAfter(header, { now })
        if (until === null) return
        const delay = until.getTime() - now.getTime()
        assert.ok(delay >= 1_000 && delay <= 24 * HOUR_MS, `${delay}`)
      },
    ),
  )
})
