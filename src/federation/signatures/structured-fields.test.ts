import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as oracle from 'structured-headers'
import { MalformedSignatureError } from './signature.ts'
import { parseDictionary } from './structured-fields.ts'
import type { BareItem, Item, DictionaryMember } from './structured-fields.ts'

const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,5}$/)
const bareItem = fc.oneof(
  fc.stringMatching(/^[ -~]{0,12}$/),
  fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  fc.boolean(),
  fc.uint8Array({ maxLength: 40 }),
  fc.stringMatching(/^[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]{0,8}$/).map((text) => new oracle.Token(text)),
)
const params = fc.array(fc.tuple(key, bareItem), { maxLength: 3 }).map((all) => new Map(all))
const item = fc.tuple(bareItem, params)
const member = fc.oneof(item, fc.tuple(fc.array(item, { maxLength: 4 }), params))
const dictionary = fc
  .array(fc.tuple(key, member), { maxLength: 6 })
  .map((all) => oracle.serializeDictionary(new Map(all)))

/** A value of the oracle as `parseDictionary` returns it. */
function bareItemOf(value: oracle.BareItem): BareItem {
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  return value instanceof oracle.Token ? { token: value.toString() } : (value as BareItem)
}

function paramsOf(all: oracle.Parameters): Item['params'] {
  return new Map([...all].map(([name, value]) => [name, bareItemOf(value)]))
}

function memberOf([value, all]: oracle.Item | oracle.InnerList): Omit<DictionaryMember, 'raw'> {
  const read = Array.isArray(value)
    ? value.map(([inner, own]) => ({ value: bareItemOf(inner), params: paramsOf(own) }))
    : bareItemOf(value)
  return { value: read, params: paramsOf(all) }
}

function membersOf(text: string): [string, Omit<DictionaryMember, 'raw'>][] {
  return [...oracle.parseDictionary(text)].map(([name, one]) => [name, memberOf(one)])
}

const withoutRaw = ([name, { value, params: all }]: [string, DictionaryMember]) => [name, { value, params: all }]

function parseOrNull<T>(parse: (text: string) => T, text: string): T | null {
  try {
    return parse(text)
  } catch (err) {
    assert.ok(err instanceof MalformedSignatureError || err instanceof oracle.ParseError)
    return null
  }
}

test('a dictionary is parsed as by another implementation, and the raw text of each member means the same', () => {
  fc.assert(
    fc.property(dictionary, (text) => {
      const members = [...parseDictionary(text)]
      assert.deepEqual(members.map(withoutRaw), membersOf(text))
      for (const [name, { raw, ...read }] of members) {
        const isBare = raw === '' || raw.startsWith(';')
        assert.deepEqual(membersOf(`${name}${isBare ? '' : '='}${raw}`), [[name, read]])
      }
    }),
    { numRuns: 500 },
  )
})

test('a changed dictionary is refused as malformed, or parsed as by another implementation', () => {
  const piece = fc.constantFrom(
    '',
    ' ',
    '\t',
    ',',
    ';',
    '=',
    '(',
    ')',
    '"',
    '\\',
    ':',
    '?',
    '*',
    '-',
    '1',
    '.',
    'a',
    'é',
  )
  fc.assert(
    fc.property(dictionary, fc.nat(), piece, fc.nat({ max: 2 }), (text, position, inserted, removed) => {
      const at = position % (text.length + 1)
      const changed = text.slice(0, at) + inserted + text.slice(at + removed)
      const members = parseOrNull(parseDictionary, changed)
      const expected = parseOrNull(membersOf, changed)
      if (members && expected) assert.deepEqual([...members].map(withoutRaw), expected)
    }),
    { numRuns: 2_000 },
  )
})

test('repeated keys and parameters, and larger fields than a signature needs, are refused', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`).join(', ')
  for (const text of [
    'a=1, a=2',
    'a;b=1;b=2',
    'a=(1;b;b)',
    many(17),
    `a="${'x'.repeat(16 * 1024)}"`,
    'a=1.5',
    'a=@1',
  ]) {
    assert.throws(() => parseDictionary(text), MalformedSignatureError)
  }
  assert.equal(parseDictionary(many(16)).size, 16)
})
