import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nest, parsePairs } from './nested.ts'

/** What a query means, as plain objects. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parsePairs(text)))

test('names say where a value belongs: in a list, in a record, in a list of records', () => {
  assert.deepEqual(read('a=1'), { a: '1' })
  assert.deepEqual(read('a[]=1&a[]=2'), { a: ['1', '2'] })
  assert.deepEqual(read('a[b]=1&a[c][d]=2'), { a: { b: '1', c: { d: '2' } } })
  assert.deepEqual(read('a[b][]=1&a[b][]=2'), { a: { b: ['1', '2'] } })
  assert.deepEqual(read('a[1][b]=x&a[0][b]=y'), { a: { 0: { b: 'y' }, 1: { b: 'x' } } })
})

test('in a list of records, a key that comes again begins the next record, however deep it lies', () => {
  assert.deepEqual(read('a[][b]=1&a[][c]=2&a[][b]=3'), { a: [{ b: '1', c: '2' }, { b: '3' }] })
  assert.deepEqual(read('a[][b][c]=1&a[][b][d]=2&a[][b][c]=3'), { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] })
  assert.deepEqual(read('a[][b][]=1&a[][b][]=2'), { a: [{ b: ['1', '2'] }] })
})

test('of a plain name that is repeated the last counts, and a name without a value holds nothing', () => {
  assert.deepEqual(read('a=1&a=2'), { a: '2' })
  assert.deepEqual(read('a&b='), { a: '', b: '' })
  assert.deepEqual(read('&&a=1&&'), { a: '1' })
  assert.deepEqual(read('a=b=c'), { a: 'b=c' })
})

test('BI6 escapes are undone; those that are broken, or no UTF-8, never throw', () => {
  assert.deepEqual(read('a=%C3%A9+%2B&b%5B%5D=1'), { a: 'é +', b: ['1'] })
  assert.deepEqual(read('a=%zz&b=%'), { a: '%zz', b: '%' })
  assert.deepEqual(read('a=%ff%C0%80'), { a: '\ufffd\ufffd\ufffd' })
  assert.deepEqual(read('a=%00'), { a: '\u0000' })
})

test('BI4 names of JavaScript’s own are plain keys, and change no prototype', () => {
  const record = parsePairs('__proto__[admin]=1&constructor[prototype][admin]=1&a[__proto__][admin]=1')
  assert.deepEqual(Object.keys(record), ['__proto__', 'constructor', 'a'])
  assert.equal(Object.getPrototypeOf(record), null)
  assert.equal(({} as { admin?: string }).admin, undefined)
})

test('BI3 what is deeper than five names, and what comes after two thousand pairs, is left out', () => {
  assert.deepEqual(read('a[b][c][d][e]=1&a[b][c][d][e][f]=2'), { a: { b: { c: { d: { e: '1' } } } } })
  const many = Array.from({ length: 10_000 }, (_, i) => `a[]=${i}`).join('&')
  assert.equal((parsePairs(many)['a'] as string[]).length, 2_000)
})

test('names that are none of this are taken as they stand', () => {
  assert.deepEqual(read('[a]=1&]=2&a]b=3'), { '[a]': '1', ']': '2', 'a]b': '3' })
  assert.deepEqual(read('=1'), {})
  assert.deepEqual(read('a[b=1'), { a: '1' })
})

test('any query is read, and a text comes back as it was encoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parsePairs(text)
      assert.equal(parsePairs(`a=${encodeURIComponent(text)}`)['a'], text)
      assert.equal(nest([['a', text]])['a'], text)
    }),
  )
})

test('BI16 two megabytes of any shape are read in well under a second', () => {
  for (const piece of ['a&', 'a=&', '&', 'a[]=1&', '%', '+', 'a[b][c][d][e]=1&', '[', 'a[', '=', '%41']) {
    const text = piece.repeat((2 * 1024 * 1024) / piece.length)
    const start = performance.now()
    parsePairs(text)
    const ms = performance.now() - start
    assert.ok(ms < 500, `${piece} took ${ms.toFixed(0)} ms`)
  }
})
