import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteLimitedCache } from './byte-limited-cache.ts'

const MAX_BYTES = 100

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('set' as const), key, bytes: fc.nat({ max: MAX_BYTES }) }),
    fc.record({ does: fc.constant('get' as const), key }),
  ),
  { maxLength: 200, size: 'max' },
)

test('a cache stays within its limit, returns the last value or none, and retains recently used entries', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const cache = new ByteLimitedCache<number>({ maxBytes: MAX_BYTES })
      const last = new Map<string, number>()
      let isThere = { key: '', value: -1 }
      for (const [n, step] of history.entries()) {
        if (step.does === 'set') {
          cache.set(step.key, n, step.bytes)
          last.set(step.key, n)
          isThere = { key: step.key, value: n }
        } else {
          const found = cache.get(step.key)
          if (isThere.key === step.key) assert.equal(found, isThere.value)
          assert.ok(found === undefined || found === last.get(step.key))
          if (found !== undefined) isThere = { key: step.key, value: found }
        }
        assert.ok(cache.bytes >= 0 && cache.bytes <= MAX_BYTES, `${cache.bytes} bytes`)
      }
    }),
    { numRuns: 500 },
  )
})

test('frequently read entries are not evicted by any number of new ones', () => {
  const cache = new ByteLimitedCache<number>({ maxBytes: MAX_BYTES })
  cache.set('wanted', 0, 10)
  for (let n = 1; n < 1_000; n += 1) {
    cache.set(`other ${n}`, n, 10)
    assert.equal(cache.get('wanted'), 0)
  }
  assert.equal(cache.get('other 1'), undefined)
})

test('entries that fit together are never evicted, independent of the order and frequency of reads', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 200, size: 'max' }), (order) => {
      const cache = new ByteLimitedCache<number>({ maxBytes: MAX_BYTES })
      for (let n = 0; n < 100; n += 1) cache.set(`thing ${n}`, n, 10)
      for (const n of order) assert.equal(cache.get(`thing ${90 + n}`), 90 + n)
      for (let n = 90; n < 100; n += 1) cache.set(`thing ${n}`, -n, 10)
      for (const n of order) assert.equal(cache.get(`thing ${90 + n}`), -(90 + n))
    }),
  )
})

test('a value above the limit is not stored, evicts no others, and removes the previous value of its key', () => {
  const cache = new ByteLimitedCache<number>({ maxBytes: MAX_BYTES })
  cache.set('small', 1, 10)
  cache.set('huge', 2, 10)
  cache.set('huge', 3, MAX_BYTES + 1)
  assert.deepEqual([cache.get('small'), cache.get('huge'), cache.bytes], [1, undefined, 10])
})

test('entries that are not read any more make room for those that are read in turn', () => {
  const cache = new ByteLimitedCache<number>({ maxBytes: MAX_BYTES })
  const add = (prefix: string, count: number): void => {
    for (let n = 0; n < count; n += 1) cache.set(`${prefix} ${n}`, n, 10)
  }
  add('old', 5)
  for (let n = 0; n < 5; n += 1) cache.get(`old ${n}`)
  add('once', 5)
  // The hand passes the old entries, and stops at those that were never read.
  cache.set('another', 0, 10)
  const readInTurn = (): number => {
    let missing = 0
    for (let n = 0; n < 6; n += 1) {
      if (cache.get(`new ${n}`) !== undefined) continue
      cache.set(`new ${n}`, n, 10)
      missing += 1
    }
    return missing
  }
  assert.deepEqual([readInTurn(), readInTurn(), readInTurn()], [6, 0, 0])
})
