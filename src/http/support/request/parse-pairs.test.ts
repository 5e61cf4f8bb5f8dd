import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nestPairs, parsePairs } from './parse-pairs.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'
import { CODE_POINT } from '../../../../test/text/code-points.ts'

/** Parses a query, as plain objects. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parsePairs(text)))

test('names describe lists, objects and lists of objects', () => {
  assert.deepEqual(read('a=1'), { a: '1' })
  assert.deepEqual(read('a[]=1&a[]=2'), { a: ['1', '2'] })
  assert.deepEqual(read('a[b]=1&a[c][d]=2'), { a: { b: '1', c: { d: '2' } } })
  assert.deepEqual(read('a[b][]=1&a[b][]=2'), { a: { b: ['1', '2'] } })
  assert.deepEqual(read('a[1][b]=x&a[0][b]=y'), { a: { 0: { b: 'y' }, 1: { b: 'x' } } })
})

test('in a list of objects, a repeated key starts the next object, at any depth', () => {
  assert.deepEqual(read('a[][b]=1&a[][c]=2&a[][b]=3'), { a: [{ b: '1', c: '2' }, { b: '3' }] })
  assert.deepEqual(read('a[][b][c]=1&a[][b][d]=2&a[][b][c]=3'), { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] })
  assert.deepEqual(read('a[][b][]=1&a[][b][]=2'), { a: [{ b: ['1', '2'] }] })
})

test('the last value of a repeated plain name counts, and a name without a value is empty', () => {
  assert.deepEqual(read('a=1&a=2'), { a: '2' })
  assert.deepEqual(read('a&b='), { a: '', b: '' })
  assert.deepEqual(read('&&a=1&&'), { a: '1' })
  assert.deepEqual(read('a=b=c'), { a: 'b=c' })
})

test('BI6 escapes are decoded; malformed ones and invalid UTF-8 never throw', () => {
  assert.deepEqual(read('a=%C3%A9+%2B&b%5B%5D=1'), { a: 'é +', b: ['1'] })
  assert.deepEqual(read('a=%zz&b=%'), { a: '%zz', b: '%' })
  assert.deepEqual(read('a=%ff%C0%80'), { a: '\ufffd\ufffd\ufffd' })
  assert.deepEqual(read('a=%00'), { a: '\u0000' })
})

test('BI4 names such as __proto__ are ordinary keys, and change no prototype', () => {
  const record = parsePairs('__proto__[admin]=1&constructor[prototype][admin]=1&a[__proto__][admin]=1')
  assert.deepEqual(Object.keys(record), ['__proto__', 'constructor', 'a'])
  assert.equal(Object.getPrototypeOf(record), null)
  assert.equal(({} as { admin?: string }).admin, undefined)
})

test('BI3 names with more than five levels, and pairs after two thousand, are ignored', () => {
  assert.deepEqual(read('a[b][c][d][e]=1&a[b][c][d][e][f]=2'), { a: { b: { c: { d: { e: '1' } } } } })
  const many = Array.from({ length: 10_000 }, (_, i) => `a[]=${i}`).join('&')
  assert.equal((parsePairs(many)['a'] as string[]).length, 2_000)
})

test('malformed names are taken literally', () => {
  assert.deepEqual(read('[a]=1&]=2&a]b=3'), { '[a]': '1', ']': '2', 'a]b': '3' })
  assert.deepEqual(read('=1'), {})
  assert.deepEqual(read('a[b=1'), { a: '1' })
})

test('any query can be parsed, and encoded texts are decoded correctly', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => {
      parsePairs(text)
      assert.equal(parsePairs(`a=${encodeURIComponent(text)}`)['a'], text)
      assert.equal(nestPairs([['a', text]])['a'], text)
    }),
  )
})

test('BI16 two megabytes of any structure are parsed in less than half a second', async () => {
  for (const piece of ['a&', 'a=&', '&', 'a[]=1&', '%', '+', 'a[b][c][d][e]=1&', '[', 'a[', '=', '%41']) {
    const text = piece.repeat((2 * 1024 * 1024) / piece.length)
    const ms = await measureEventLoopBlock(async () => void parsePairs(text))
    assert.ok(ms < 500, `${piece} took ${ms.toFixed(0)} ms`)
  }
})
