import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countJson } from './count-json.ts'
import type { JsonCounts } from './count-json.ts'

const UNLIMITED = { depth: Infinity, names: Infinity, distinctNames: Infinity, values: Infinity }

const count = (text: string, limits = {}) => countJson(Buffer.from(text), { ...UNLIMITED, ...limits })

/** Counts the same, and the depth, in the parsed value. */
function countParsed(value: unknown): JsonCounts & { depth: number } {
  const spellings = new Set<string>()
  let names = 0
  let values = 0
  const visit = (one: unknown): number => {
    values += 1
    if (typeof one !== 'object' || one === null) return 0
    if (!Array.isArray(one)) {
      names += Object.keys(one).length
      for (const name of Object.keys(one)) spellings.add(name)
    }
    return 1 + Math.max(0, ...Object.values(one).map(visit))
  }
  const depth = visit(value)
  return { names, distinctNames: spellings.size, values, depth }
}

const json = fc.oneof(fc.json({ maxDepth: 6 }), fc.json({ maxDepth: 6, stringUnit: 'binary' }))
/** The same JSON with spaces, tabs and line ends. */
const spaced = fc
  .tuple(json, fc.constantFrom(undefined, ' ', '\t', 3))
  .map(([text, space]) => `\r\n${JSON.stringify(JSON.parse(text), null, space)} `)

test('counts of valid JSON agree with what JSON.parse builds', () => {
  fc.assert(
    fc.property(spaced, (text) => {
      const { depth: _depth, ...counts } = countParsed(JSON.parse(text))
      assert.deepEqual(count(text), counts)
    }),
    { numRuns: 500 },
  )
})

test('JSON at a limit is accepted, and one above it is not', () => {
  fc.assert(
    fc.property(spaced, (text) => {
      const limits = countParsed(JSON.parse(text))
      assert.ok(count(text, limits))
      for (const name of ['names', 'distinctNames', 'values', 'depth'] as const) {
        if (limits[name] > 0) assert.equal(count(text, { ...limits, [name]: limits[name] - 1 }), null, name)
      }
    }),
    { numRuns: 500 },
  )
})

test('quotes, colons and brackets within strings count as text', () => {
  const text = JSON.stringify({ 'a":{[,': '\\"[{:,', '\\': ['\\\\', '"'] })
  assert.deepEqual(count(text), { names: 2, distinctNames: 2, values: 5 })
})

test('any bytes can be counted', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void countJson(bytes, UNLIMITED)))
})

/** Returns the shortest time of several runs, in milliseconds: other work on the machine only adds to it. */
function measure(text: string): number {
  const bytes = Buffer.from(text)
  const times = Array.from({ length: 5 }, () => {
    const before = performance.now()
    countJson(bytes, UNLIMITED)
    return performance.now() - before
  })
  return Math.min(...times)
}

test('the time grows with the number of bytes, however they are arranged', () => {
  const half = (size: number) => '"'.concat('x'.repeat(size / 2), '"')
  const texts: Record<string, (size: number) => string> = {
    'an unfinished string': (size) => '"'.padEnd(size, 'x'),
    backslashes: (size) => '"'.padEnd(size, '\\'),
    'escaped quotes': (size) => '"' + '\\"'.repeat(size / 2),
    'a long name with many colons': (size) => half(size) + ':'.repeat(size / 2),
    'long digits': (size) => '1'.repeat(size),
    blanks: (size) => ' '.repeat(size),
    quotes: (size) => '"'.repeat(size),
  }
  for (const [name, make] of Object.entries(texts)) {
    const [small, large] = [measure(make(2 ** 14)), measure(make(2 ** 18))]
    // 16 times the bytes: quadratic time would be 256 times as long. The constant absorbs the time for JIT compilation.
    assert.ok(large < 64 * small + 20, `${name}: ${small} ms, then ${large} ms`)
  }
})
