import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CHARACTERS_PER_URL,
  countCharacters,
  countGraphemes,
  isLongerThan,
  isPostLongerThan,
} from './count-characters.ts'
import { extractUrls } from './entities/extract-entities.ts'
import { assertCpuTimeBelowLimit, entityTexts } from '../../../test/text/text-samples.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const graphemes = (text: string): number => Array.from(segmenter.segment(text)).length
const count = (text: string, spoilerText?: string): number =>
  countCharacters({ text, ...(spoilerText && { spoilerText }) })

test('each grapheme cluster counts one', () => {
  assert.equal(count(''), 0)
  assert.equal(count('hello\nworld'), 11)
  assert.equal(count('a\r\nb'), 3)
  assert.equal(count('👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪👍🏽'), 4)
  assert.equal(count('e\u0301क्षिが한'), 4)
  assert.equal(count('日本語'), 3)
  assert.equal(count('👨‍👩‍👧'.repeat(500)), 500)
})

test('each URL counts 23, independent of its length and script', () => {
  assert.equal(count('http://a.b'), 23)
  assert.equal(count(`https://example.com/${'x'.repeat(400)}`), 23)
  assert.equal(count('see https://日本語.jp/あ. and gemini://x.example'), 4 + 23 + 6 + 23)
  assert.equal(count('magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a'), 23)
  assert.equal(count('example.com'), 11, 'no scheme, no URL')
})

test('a remote mention counts its local part', () => {
  assert.equal(count('@bob'), 4)
  assert.equal(count('@bob@a-very-long-domain.example hi'), 7)
  assert.equal(count('bob@example.com'), 15, 'an e-mail address is text')
  assert.equal(count(`@bob@${'a.'.repeat(200)}example`), 412, 'a domain cannot be so long')
})

test('the content warning counts, too, with its complete URLs', () => {
  assert.equal(count('abc', 'déf'), 6)
  assert.equal(count('', 'https://example.com/a'), 21)
  assert.equal(countCharacters({ text: 'abc', spoilerText: null }), 3)
})

test('BI7: joiners and marks cannot hide a long text behind one character', () => {
  assert.equal(count(`${'👩\u200d'.repeat(5000)}👩`), 10_001 - 31)
  assert.equal(count(`a${'\u0301'.repeat(31)}`), 1)
  assert.equal(count(`a${'\u0301'.repeat(32)}`), 2)
  assert.ok(count(`a${'\u0301'.repeat(600)}`) > 500)
  assert.equal(count('🏴󠁧󠁢󠁥󠁮󠁧󠁿👩🏽‍❤️‍💋‍👨🏽'), 2, 'the longest emojis count one')
  assert.ok(count(`https://example.com/${'a'.repeat(5000)}`) > 500, 'a URL above the length limit counts completely')
})

test('without URLs the count is at most the number of grapheme clusters, and equal without mentions', () => {
  fc.assert(
    fc.property(fc.oneof(entityTexts, fc.string({ unit: 'grapheme' })), (text) => {
      const expected = graphemes(text)
      if (extractUrls(text).length > 0) return
      assert.ok(count(text) <= expected)
      if (!text.includes('@')) assert.equal(count(text), expected)
    }),
    { numRuns: 1000 },
  )
})

test('a URL adds 23 to the text around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '日', '👍🏽', '\n') }), (text) => {
      assert.equal(count(`${text} https://example.com/x ${text}`), 2 * graphemes(text) + 2 + CHARACTERS_PER_URL)
    }),
  )
})

test('the fast path for ASCII has the same result', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\t', '~', ' ') }), (text) => {
      assert.equal(countGraphemes(text), graphemes(text))
    }),
  )
})

test('BI16: counting 100 KB takes less than 50 ms', () => {
  for (const piece of ['a', '\r\n', '日', '👨‍👩‍👧', '\u0301', 'क्षि', '🇩🇪', '@a@b.c ', 'http://a.b ', '\u200d']) {
    const text = `é${piece.repeat(100_000 / piece.length)}`
    assertCpuTimeBelowLimit(() => count(text), JSON.stringify(piece))
  }
})

test('texts that are far too long are rejected without counting, and texts within the limit are not', () => {
  const url = `http://a.test/${'a'.repeat(4_096 - 'http://a.test/'.length)}`
  const longest = Array.from({ length: 20 }, () => url).join(' ')
  assert.equal(count(longest), 20 * CHARACTERS_PER_URL + 19)
  assert.equal(isPostLongerThan(500, { text: longest }), false)
  assert.equal(isPostLongerThan(500, { text: `${longest} ${'x'.repeat(20)}` }), false)
  assert.equal(isPostLongerThan(500, { text: `${longest} ${'x'.repeat(21)}` }), true)
  const cluster = `👩${'\u200d👩'.repeat(15)}`
  assert.equal(countGraphemes(cluster), 1)
  assert.equal(isLongerThan(50, cluster.repeat(50)), false)
  assert.equal(isLongerThan(50, 'x'.repeat(51)), true)
  assertCpuTimeBelowLimit(() => isPostLongerThan(500, { text: '@a '.repeat(600_000) }), 'a text of mentions')
  assertCpuTimeBelowLimit(
    () => isPostLongerThan(500, { text: '', spoilerText: 'é'.repeat(1_800_000) }),
    'a long warning',
  )
  assertCpuTimeBelowLimit(() => isLongerThan(500, 'é'.repeat(1_800_000)), 'a long name')
})
