import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import { breakerAfter, pauseAfter } from './pauses.ts'
import { healthAfter, judgeAnswer, judgeError } from './verdict.ts'
import type { Health, Verdict } from './verdict.ts'

const now = new Date('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000

test('FE15 each answer is judged by its status', () => {
  const expected: Record<Verdict['outcome'], number[]> = {
    delivered: [200, 201, 202, 204],
    refused: [400, 403, 404, 405, 410, 413, 422, 451, 501],
    denied: [401],
    busy: [429],
    failed: [100, 301, 302, 304, 307, 308, 408, 425, 500, 502, 503, 504, 599],
    unreachable: [],
    unsent: [],
  }
  for (const [outcome, codes] of Object.entries(expected)) {
    for (const status of codes)
      assert.equal(judgeAnswer({ status, headers: {} }, { now }).outcome, outcome, `${status}`)
  }
})

test('what never left is judged by whose fault it was', () => {
  assert.equal(judgeError(new FetchFailed('timeout', 'late')).outcome, 'unreachable')
  assert.equal(judgeError(new FetchRefused('address', '10.0.0.1')).outcome, 'refused')
  assert.equal(judgeError(new TypeError('our own mistake')).outcome, 'unsent')
})

test('pauses grow with the fourth power, up to half a day, and are never quite the same', () => {
  const seconds = [1, 2, 5, 8].map((failures) => pauseAfter(failures) / 1_000)
  for (const [n, [from, to]] of [
    [16, 18.5],
    [31, 40.5],
    [640, 954],
    [4111, 6161],
  ].entries()) {
    assert.ok(seconds[n]! >= from! && seconds[n]! <= to!, `${seconds[n]}`)
  }
  assert.notEqual(pauseAfter(5), pauseAfter(5))
  fc.assert(fc.property(fc.nat({ max: 40_000 }), (failures) => pauseAfter(failures) <= 12 * HOUR_MS))
})

test('ten failures in a row open a breaker, at first for a minute, and for half a day at most', () => {
  assert.deepEqual([9, 10, 11, 12].map(breakerAfter), [0, 60_000, 120_000, 240_000])
  assert.equal(breakerAfter(100_000), 12 * HOUR_MS)
})

const well: Health = { failures: 0, restsUntil: null }
const verdict = (outcome: Verdict['outcome'], until: Date | null = null): Verdict => ({
  outcome,
  status: null,
  error: null,
  until,
})

test('a host that does not answer rests at once, one that answers with errors after ten of them', () => {
  const silent = healthAfter(well, verdict('unreachable'), { now })
  assert.equal(silent.failures, 1)
  assert.ok(silent.restsUntil! > now)
  let failing = well
  for (let n = 1; n < 10; n += 1) {
    failing = healthAfter(failing, verdict('failed'), { now })
    assert.deepEqual(failing, { failures: n, restsUntil: null })
  }
  failing = healthAfter(failing, verdict('failed'), { now })
  assert.deepEqual(failing, { failures: 10, restsUntil: new Date(now.getTime() + 60_000) })
})

test('one answer that makes sense, and all failures are forgotten', () => {
  const failing = { failures: 25, restsUntil: new Date(now.getTime() - 1) }
  for (const outcome of ['delivered', 'refused', 'denied'] as const) {
    assert.deepEqual(healthAfter(failing, verdict(outcome), { now }), well)
  }
})

test('a host that asks for a pause has failed only if it says that it is not well', () => {
  const until = new Date(now.getTime() + 5_000)
  assert.deepEqual(healthAfter(well, verdict('busy', until), { now }), { failures: 0, restsUntil: until })
  assert.deepEqual(healthAfter(well, verdict('failed', until), { now }), { failures: 1, restsUntil: until })
  assert.equal(healthAfter(well, verdict('busy'), { now }).restsUntil!.getTime(), now.getTime() + 60_000)
  assert.deepEqual(healthAfter({ failures: 3, restsUntil: null }, verdict('unsent'), { now }), {
    failures: 3,
    restsUntil: null,
  })
})
