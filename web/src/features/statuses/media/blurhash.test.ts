import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from 'blurhash'
import fc from 'fast-check'
import { decodeBlurhash } from './blurhash.ts'

const SIZE = 8

test('a Blurhash decodes to the same picture as with the reference implementation', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: SIZE * SIZE * 4, maxLength: SIZE * SIZE * 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (pixels, columns, rows) => {
        const hash = encode(new Uint8ClampedArray(pixels), SIZE, SIZE, columns, rows)
        const [expected, actual] = [decode(hash, SIZE, SIZE), decodeBlurhash(hash, SIZE)!]
        for (const [index, value] of actual.entries()) assert.ok(Math.abs(value - expected[index]!) <= 1, hash)
      },
    ),
    { numRuns: 50 },
  )
})

test('a text that is no Blurhash decodes to nothing', () => {
  for (const hash of ['', 'L', 'LEHV6nWB2yk8pyo0adR*.7kCMdn', 'LEHV6nWB2yk8pyo0adR*.7kCMdnö', '\u{1f426}'])
    assert.equal(decodeBlurhash(hash, SIZE), null, hash)
})
