import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanHashtag, MAX_TAG_LENGTH, normalizeHashtag } from './normalize-hashtag.ts'
import { CODE_POINT } from '../../../../test/text/code-points.ts'

const SAME: [typed: string, name: string][] = [
  ['CaturDay', 'caturday'],
  ['#HelloWorld', 'helloworld'],
  ['Élan', 'elan'],
  ['e\u0301lan', 'elan'],
  ['Tiếng_Việt', 'tieng_viet'],
  ['Łódź', 'lodz'],
  ['Ørsted', 'orsted'],
  ['İSTANBUL', 'istanbul'],
  ['Straße', 'straße'],
  ['ａｅｓｔｈｅｔｉｃ', 'aesthetic'],
  ['ﾎﾞｯﾁ', 'ボッチ'],
  ['ぼっち・ざ・ろっく', 'ぼっち・ざ・ろっく'],
  ['one·two', 'one·two'],
  ['が', 'が'],
  ['か\u3099', 'が'],
  ['Йога', 'йога'],
  ['ΟΔΟΣ', 'οδος'],
  ['หนังสือ', 'หนังสือ'],
  ['हिन्दी', 'हिन्दी'],
  ['می‌خواهم', 'می‌خواهم'],
  ['hello world', 'helloworld'],
  ['.abcdef123', 'abcdef123'],
  ['Hello❤️World', 'helloworld'],
  ['日❤️本', '日本'],
  ['3D', '3d'],
  ['1_2', '1_2'],
]

test('different spellings of a tag have the same name', () => {
  for (const [typed, name] of SAME) assert.equal(normalizeHashtag(typed), name, typed)
})

test('invalid names return null: empty, only digits, only separators, too long', () => {
  for (const typed of ['', '#', '   ', '123', '１２３', '_', '·・', '😀', '٣', 'a'.repeat(MAX_TAG_LENGTH + 1)]) {
    assert.equal(normalizeHashtag(typed), null, typed)
  }
  assert.equal(normalizeHashtag('ﷺ'.repeat(MAX_TAG_LENGTH)), null, 'a name whose normalised form is too long')
  assert.equal(normalizeHashtag('a'.repeat(MAX_TAG_LENGTH)), 'a'.repeat(MAX_TAG_LENGTH))
})

test('the displayed form has no characters that are not in the name, and normalises to the name', () => {
  const cleaned = SAME.map(([typed, name]) => [typed, cleanHashtag(typed, name)])
  assert.deepEqual(
    cleaned.filter(([typed, clean]) => clean !== typed),
    [
      ['#HelloWorld', 'HelloWorld'],
      ['hello world', 'helloworld'],
      ['.abcdef123', 'abcdef123'],
      ['Hello❤️World', 'HelloWorld'],
      ['日❤️本', '日本'],
    ],
  )
  // Without the circled digit, it would be another name.
  assert.equal(cleanHashtag('①A', '1a'), '1a')
})

test('normalising twice has the same result as normalising once', () => {
  const name = fc.oneof(
    fc.string({ unit: CODE_POINT, maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('a', 'İ', 'ı', '\u0301', '\u0307', 'ſ', 'ﬁ', 'K', '!', 'é', 'Σ', '・', 'ﾞ', 'か', 'ẞ'),
    }),
  )
  fc.assert(
    fc.property(name, (typed) => {
      const once = normalizeHashtag(typed)
      if (once === null) return
      assert.equal(normalizeHashtag(once), once)
      assert.equal(normalizeHashtag(`#${once.toUpperCase()}`), normalizeHashtag(once.toUpperCase()))
    }),
    { numRuns: 2000 },
  )
})
