import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findPlaceholders } from '../../../bin/messages.ts'
import { CATALOGUES, findPattern } from './catalogues.ts'
import { LOCALES } from './locales.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const TAGS = ['link', 'privacy', 'terms', 'unseen']

for (const locale of LOCALES) {
  test(`every message in ${locale} exists in English with the same placeholders`, () => {
    const messages = Object.entries(CATALOGUES[locale])
    assert.ok(messages.length > 0)
    for (const [id, pattern] of messages) {
      const english = CATALOGUES.en[id]
      assert.ok(english !== undefined, `${id} is not in the English catalogue`)
      assert.deepEqual(sorted(findPlaceholders(pattern)), sorted(findPlaceholders(english)), id)
    }
  })
}

test('no message contains markup, and each file of a catalogue is loaded', () => {
  for (const locale of LOCALES) {
    for (const [id, pattern] of Object.entries(CATALOGUES[locale])) {
      const tags = [...findPlaceholders(pattern)].filter(([, kind]) => kind === 'tag').map(([name]) => name)
      for (const tag of tags) assert.ok(TAGS.includes(tag), `<${tag}> in ${id} (${locale})`)
      assert.doesNotMatch(pattern, /&\w+;|&#/, `${id} (${locale})`)
    }
    const files = globSync(`src/lib/messages/catalogues/${locale}/*.json`, { cwd: ROOT })
    const ids = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(ROOT + file, 'utf8')) as object))
    assert.deepEqual(ids.toSorted(), Object.keys(CATALOGUES[locale]).toSorted())
  }
})

test('the program uses all messages', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', 'src/lib/messages/message-kinds.ts'] })
  const source = files.map((file) => readFileSync(ROOT + file, 'utf8')).join('\n')
  const families = [...source.matchAll(/`([\w-]+\.[\w.-]*)\$\{[^`]*?\}([\w.-]*)`/g)].map(
    ([, start = '', end = '']) => new RegExp(`^${RegExp.escape(start)}.+${RegExp.escape(end)}$`),
  )
  const unused = Object.keys(CATALOGUES.en).filter(
    (id) => !source.includes(`'${id}'`) && !families.some((family) => family.test(id)),
  )
  assert.deepEqual(unused, [])
})

test('a message without a translation is English, with the plural rules of English', () => {
  const catalogues = { en: { a: 'one', b: 'two' }, ar: {}, de: { a: 'eins' }, es: {} }
  assert.deepEqual(findPattern(catalogues, { locale: 'de', id: 'a' }), { pattern: 'eins', language: 'de' })
  assert.deepEqual(findPattern(catalogues, { locale: 'de', id: 'b' }), { pattern: 'two', language: 'en' })
})

test('placeholders are found in plural forms and tags, and unsupported ones are rejected', () => {
  const pattern = '<link>{name}</link> {count, plural, one {# of {total, number}} other {#}} {kind, select, other {x}}'
  assert.deepEqual(sorted(findPlaceholders(pattern)), [
    ['count', 'number'],
    ['kind', 'text'],
    ['link', 'tag'],
    ['name', 'text'],
    ['total', 'number'],
  ])
  assert.throws(() => findPlaceholders('{when, date}'), /when/)
  assert.throws(() => findPlaceholders('{a} {a, number}'), /used as text and as number/)
  assert.throws(() => findPlaceholders('{a'), /EXPECT/)
})

function sorted(placeholders: ReadonlyMap<string, string>): [string, string][] {
  return [...placeholders].toSorted(([a], [b]) => a.localeCompare(b))
}
