import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FetchFailedError, FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import { circuitBreakerBackoff, retryBackoff } from './backoff.ts'
import { updateHealth, resultOfResponse, resultOfError } from './response-policy.ts'
import type { HostHealth, DeliveryResult } from './response-policy.ts'

const now = new Date('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000

test('FE15 each response is classified by its status', () => {
  const expected: Record<DeliveryResult['outcome'], number[]> = {
    delivered: [200, 201, 202, 204],
    rejected: [400, 403, 404, 405, 410, 413, 422, 451, 501],
    denied: [401],
    busy: [429],
    failed: [100, 301, 302, 304, 307, 308, 408, 425, 500, 502, 503, 504, 599],
    'no response': [],
    unsent: [],
  }
  for (const [outcome, codes] of Object.entries(expected)) {
    for (const status of codes)
      assert.equal(resultOfResponse({ status, headers: {} }, { now }).outcome, outcome, `${status}`)
  }
})

test('an error without a response is classified by its cause', () => {
  assert.equal(resultOfError(new FetchFailedError('timeout', 'late')).outcome, 'no response')
  assert.equal(resultOfError(new FetchRefusedError('address', '10.0.0.1')).outcome, 'rejected')
  assert.equal(resultOfError(new TypeError('local error')).outcome, 'unsent')
})

test('the backoff grows with the fourth power of the failures, up to half a day, and has a jitter', () => {
  const seconds = [1, 2, 5, 8].map((failures) => retryBackoff(failures) / 1_000)
  for (const [n, [from, to]] of [
    [16, 18.5],
    [31, 40.5],
    [640, 954],
    [4111, 6161],
  ].entries()) {
    assert.ok(seconds[n]! >= from! && seconds[n]! <= to!, `${seconds[n]}`)
  }
  assert.notEqual(retryBackoff(5), retryBackoff(5))
  fc.assert(fc.property(fc.nat({ max: 40_000 }), (failures) => retryBackoff(failures) <= 12 * HOUR_MS))
})

test('ten consecutive failures open the circuit breaker, at first for a minute, and for half a day at most', () => {
  assert.deepEqual([9, 10, 11, 12].map(circuitBreakerBackoff), [0, 60_000, 120_000, 240_000])
  assert.equal(circuitBreakerBackoff(100_000), 12 * HOUR_MS)
})

const healthy: HostHealth = { failures: 0, backoffUntil: null }
const result = (outcome: DeliveryResult['outcome'], until: Date | null = null): DeliveryResult => ({
  outcome,
  status: null,
  error: null,
  retryAfter: until,
})

test('a host that does not respond backs off at once, one that responds with errors after ten of them', () => {
  const withoutResponse = updateHealth(healthy, result('no response'), { now })
  assert.equal(withoutResponse.failures, 1)
  assert.ok(withoutResponse.backoffUntil! > now)
  let failing = healthy
  for (let n = 1; n < 10; n += 1) {
    failing = updateHealth(failing, result('failed'), { now })
    assert.deepEqual(failing, { failures: n, backoffUntil: null })
  }
  failing = updateHealth(failing, result('failed'), { now })
  assert.deepEqual(failing, { failures: 10, backoffUntil: new Date(now.getTime() + 60_000) })
})

test('one meaningful response resets the failures', () => {
  const failing = { failures: 25, backoffUntil: new Date(now.getTime() - 1) }
  for (const outcome of ['delivered', 'rejected', 'denied'] as const) {
    assert.deepEqual(updateHealth(failing, result(outcome), { now }), healthy)
  }
})

test('a host that sends Retry-After has failed only if it also reports an error', () => {
  const until = new Date(now.getTime() + 5_000)
  assert.deepEqual(updateHealth(healthy, result('busy', until), { now }), { failures: 0, backoffUntil: until })
  assert.deepEqual(updateHealth(healthy, result('failed', until), { now }), { failures: 1, backoffUntil: until })
  assert.equal(updateHealth(healthy, result('busy'), { now }).backoffUntil!.getTime(), now.getTime() + 60_000)
  assert.deepEqual(updateHealth({ failures: 3, backoffUntil: null }, result('unsent'), { now }), {
    failures: 3,
    backoffUntil: null,
  })
})
