import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareIds, isId, firstStatusIdAt, timeOfStatusId } from './ids.ts'
import { CODE_POINT } from '../../test/text/code-points.ts'

const anyId = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)

test('an id is a positive 64-bit integer in decimal, and nothing else', () => {
  fc.assert(fc.property(anyId, (id) => assert.equal(isId(id), true, id)))
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => {
      assert.equal(isId(text), /^[1-9][0-9]*$/.test(text) && BigInt(text) < 2n ** 63n)
    }),
  )
  const none = [
    '9223372036854775808',
    '18446744073709551616',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '１',
    '١',
    '1\u0000',
    '',
    '9'.repeat(10_000),
    'null',
  ]
  for (const text of none) assert.equal(isId(text), false, text)
  for (const value of [1, 1n, null, undefined, ['1'], { toString: () => '1' }, true]) assert.equal(isId(value), false)
})

test('ids are ordered by their numeric value', () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      const order = BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0
      assert.equal(Math.sign(compareIds(a, b)), order)
    }),
  )
})

test('a status id contains its time in milliseconds, and the first id of a time is the smallest one', () => {
  const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, fc.integer({ min: 0, max: 0xffff }), (moment, low) => {
      const first = firstStatusIdAt(moment)
      const id = (BigInt(first) + BigInt(low)).toString()
      assert.equal(timeOfStatusId(id).getTime(), moment.getTime())
      assert.ok(compareIds(first, id) <= 0)
    }),
  )
})
