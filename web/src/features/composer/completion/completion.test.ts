import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extractEntities } from '../../../../../src/lib/text/entities/extract-entities.ts'
import { findToken, insertWord } from './completion.ts'

/** The token before `|`, as its type and its word. */
function tokenOf(marked: string): string | null {
  const text = marked.replace('|', '')
  const token = findToken(text, marked.indexOf('|'))
  return token && `${token.type} ${text.slice(token.start, token.end)}`
}

test('a mention, a hashtag or an emoji code before the cursor can be completed', () => {
  assert.equal(tokenOf('Hello @bo|'), 'mention @bo')
  assert.equal(tokenOf('Hello @bo@far.te|'), 'mention @bo@far.te')
  assert.equal(tokenOf('(@bo|)'), 'mention @bo')
  assert.equal(tokenOf('I like #lin| and more'), 'hashtag #lin')
  assert.equal(tokenOf('#日本|'), 'hashtag #日本')
  assert.equal(tokenOf('so :lin|'), 'emoji :lin')
  assert.equal(tokenOf('so :müde_ka|'), 'emoji :müde_ka')
  assert.equal(tokenOf('so :قلب|'), 'emoji :قلب')
})

test('other text cannot be completed', () => {
  for (const text of ['ada@bo|', 'https://a.test/@bo|', 'a#b|', 'at 10:30|', ':l|', ':linnet:|', '@|', '#|', '@bo |']) {
    assert.equal(tokenOf(text), null, text)
  }
})

test('what the server finds as a mention or hashtag at the end of a text can be completed', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
  fc.assert(
    fc.property(
      fc.constantFrom('', 'Hello ', '(', 'ß ', '日本 '),
      fc.constantFrom('@', '#'),
      word,
      (before, sign, name) => {
        const text = `${before}${sign}${name}`
        const found = extractEntities(text).some(({ start }) => start === before.length)
        assert.equal(findToken(text, text.length)?.start === before.length, found, text)
      },
    ),
  )
})

test('a completed word has spaces around it, and the cursor is behind them', () => {
  assert.deepEqual(insertWord('Hi @b', { start: 3, end: 5, word: '@bo' }), { text: 'Hi @bo ', cursor: 7 })
  assert.deepEqual(insertWord('Hi @b there', { start: 3, end: 5, word: '@bo' }), { text: 'Hi @bo there', cursor: 7 })
  assert.deepEqual(insertWord('Hi', { start: 2, end: 2, word: ':linnet:' }), { text: 'Hi :linnet: ', cursor: 12 })
  assert.deepEqual(insertWord('', { start: 0, end: 0, word: ':linnet:' }), { text: ':linnet: ', cursor: 9 })
})
