import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { oneOf } from '../../../entities/schema/one-of.ts'
import { coerce } from './coerce.ts'
import { parsePairs } from './parse-pairs.ts'

/** Returns the coerced value of a parameter; `absent` if the value counts as not sent. */
function read(schema: TSchema, value: unknown): unknown {
  const result = coerce(Type.Object({ a: Type.Optional(schema) }), { a: value }) as { a?: unknown }
  return 'a' in result ? result.a : 'absent'
}

const matchingError = (status: number, message: string) => ({ status, message })

test('BI5 booleans are cast as in Mastodon, and null, empty texts, lists and objects count as absent', () => {
  for (const value of [false, 0, '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']) {
    assert.equal(read(Type.Boolean(), value), false, JSON.stringify(value))
  }
  for (const value of [true, 1, '1', 't', 'true', 'TRUE', 'on', 'yes', 'no', 'False', 'null', ' ', -1]) {
    assert.equal(read(Type.Boolean(), value), true, JSON.stringify(value))
  }
  for (const value of [null, undefined, '', [], ['1'], {}, { a: '1' }]) {
    assert.equal(read(Type.Boolean(), value), 'absent', JSON.stringify(value))
  }
})

test('BI5 every scalar can be cast to a text, and lists and objects count as absent', () => {
  assert.equal(read(Type.String(), 'x'), 'x')
  assert.equal(read(Type.String(), ''), '')
  assert.equal(read(Type.String(), 12), '12')
  assert.equal(read(Type.String(), false), 'false')
  for (const value of [null, undefined, [], ['x'], {}, { x: 'y' }]) {
    assert.equal(read(Type.String(), value), 'absent', JSON.stringify(value))
  }
})

test('BI6 NUL and lone surrogates, which PostgreSQL cannot store, are removed or replaced', () => {
  assert.equal(read(Type.String(), 'a\u0000b'), 'ab')
  assert.equal(read(Type.String(), 'a\ud800b\udc00'), 'a\ufffdb\ufffd')
  assert.equal(read(Type.String(), '👩‍👧'), '👩‍👧')
  assert.deepEqual(read(Type.Array(Type.String()), ['\u0000', '\udfff']), ['', '\ufffd'])
})

test('BI2 a number is parsed from the leading digits, is 0 without any, and is clamped', () => {
  const cases: [unknown, unknown][] = [
    ['5', 5],
    ['5x', 5],
    [' 7', 7],
    ['-3', -3],
    ['1.9', 1],
    ['x', 0],
    ['', 0],
    ['１', 0],
    ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
    [`-${'9'.repeat(500)}`, Number.MIN_SAFE_INTEGER],
    [Infinity, Number.MAX_SAFE_INTEGER],
    [2.5, 2],
    [NaN, 'absent'],
    [true, 0],
    [null, 'absent'],
    [[], 'absent'],
    [{}, 'absent'],
  ]
  for (const [value, number] of cases) assert.equal(read(Type.Integer(), value), number, JSON.stringify(value))
  for (const blank of ['', ' ']) assert.equal(read(Type.Integer({ 'x-blank-is-absent': true }), blank), 'absent')
  assert.equal(read(Type.Integer({ 'x-blank-is-absent': true }), 'x'), 0)
  assert.equal(read(Type.Number(), '0.25'), 0.25)
  assert.equal(read(Type.Number(), '-0.5,1'), -0.5)
})

test('BI3 a scalar becomes a list of one, an index map a list in numeric order, and long lists are cut', () => {
  const list = Type.Array(Type.String())
  assert.deepEqual(read(list, 'x'), ['x'])
  assert.deepEqual(read(list, ['x', 1, null, {}]), ['x', '1'])
  assert.deepEqual(read(list, ''), [])
  assert.deepEqual(read(list, []), [])
  assert.equal(read(list, null), 'absent')
  assert.deepEqual(read(list, parsePairs('a[10]=c&a[2]=b&a[0]=a')['a']), ['a', 'b', 'c'])
  assert.equal((read(list, Array.from({ length: 10_000 }, String)) as string[]).length, 1_000)
})

test('a scalar in place of a list of objects counts as absent', () => {
  const list = Type.Array(Type.Object({ name: Type.Optional(Type.String()) }))
  for (const value of ['x', '', 1, true]) assert.equal(read(list, value), 'absent', JSON.stringify(value))
  assert.deepEqual(read(list, []), [])
  assert.deepEqual(read(list, [{ name: 'x' }, 'y']), [{ name: 'x' }])
})

test('a value outside an enum is refused with the name of the parameter, and empty values count as absent', () => {
  const visibility = oneOf(['public', 'private'])
  assert.equal(read(visibility, 'private'), 'private')
  assert.equal(read(visibility, ''), 'absent')
  assert.equal(read(visibility, null), 'absent')
  assert.equal(read(visibility, ['public']), 'absent')
  assert.throws(
    () => coerce(Type.Object({ visibility }), { visibility: 'all' }),
    matchingError(422, 'Validation failed: Visibility is not included in the list'),
  )
})

test('a union of a list and a text accepts both', () => {
  const either = Type.Union([Type.Array(Type.String()), Type.String()])
  assert.equal(read(either, 'x'), 'x')
  assert.deepEqual(read(either, ['x', 'y']), ['x', 'y'])
  assert.deepEqual(read(either, { 0: 'x', 1: 'y' }), ['x', 'y'])
})

test('the error for a missing or blank required parameter contains its name', () => {
  const schema = Type.Object({ id: Type.String() })
  for (const value of [undefined, null, '', ' ', '\t\u3000\n', [], {}]) {
    assert.throws(
      () => coerce(schema, { id: value }),
      matchingError(400, 'param is missing or the value is empty or invalid: id'),
    )
  }
  assert.deepEqual(coerce(schema, { id: ' x ' }), { id: ' x ' })
  assert.equal(read(Type.String(), '  '), '  ', 'an optional text may consist of spaces')
})

test('BI4 only properties of the schema are accepted, and never those of a prototype', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()), toString: Type.Optional(Type.String()) })
  const value: unknown = JSON.parse('{"a":"1","admin":true,"__proto__":{"b":"2","toString":"x"}}')
  assert.deepEqual(coerce(schema, value), { a: '1' })
  assert.deepEqual(coerce(schema, Object.create({ a: 'inherited' })), {})
})

test('any value for any schema becomes a value of the schema, or is absent', () => {
  const schemas: [TSchema, (value: unknown) => boolean][] = [
    [Type.Boolean(), (value) => typeof value === 'boolean'],
    [Type.Integer(), Number.isSafeInteger],
    [Type.Number(), Number.isFinite],
    [Type.String(), (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')],
    [Type.Array(Type.Integer()), (value) => Array.isArray(value) && value.every(Number.isSafeInteger)],
    [Type.Object({}), (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  ]
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.constantFrom(...schemas), (value, [schema, holds]) => {
      const result = read(schema, value)
      assert.ok(result === 'absent' || holds(result), String(result))
    }),
  )
})
