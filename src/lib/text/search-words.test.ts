import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokenizeForQuery, tokenizeForIndex } from './search-words.ts'

const wordsOf = (text: string) => tokenizeForIndex(text).map(({ word }) => word)

/** Returns whether a text has the terms of a phrase at the same distances. */
function matches(text: string, phrase: string): boolean {
  const at = new Set(tokenizeForIndex(text).map(({ word, place }) => `${place} ${word}`))
  const terms = tokenizeForQuery(phrase)
  const starts = tokenizeForIndex(text).map(({ place }) => place)
  return (
    terms.length > 0 && starts.some((start) => terms.every(({ word, place }) => at.has(`${start + place} ${word}`)))
  )
}

test('words are lower case, without accents and invisible marks, and wide forms are unified', () => {
  assert.deepEqual(wordsOf('Ça va, ＡＢＣ? naïve co\u00adop l’été'), ['ca', 'va', 'abc', 'naive', 'coop', 'l', 'ete'])
  assert.deepEqual(wordsOf('İstanbul ıslak ΟΔΟΣ łódź Æon'), ['istanbul', 'islak', 'οδοσ', 'lodz', 'aeon'])
  assert.deepEqual(wordsOf(' \n\t.,;!?…—«»"\'()'), [])
})

test('Arabic and Hebrew words are the same with and without vowel signs, and with a stroke that lengthens them', () => {
  assert.deepEqual(wordsOf('مُحَمَّدٌ محمـــد هٰذا'), ['محمد', 'محمد', 'هذا'])
  assert.deepEqual(wordsOf('שָׁלוֹם בְּרֵאשִׁית'), ['שלום', 'בראשית'])
  assert.deepEqual(wordsOf('أب آب ؤ'), ['أب', 'آب', 'ؤ'])
})

test('vowel marks of other scripts and the sound marks of kana are kept', () => {
  assert.deepEqual(wordsOf('हिन्दी'), ['हिन्दी'])
  assert.ok(matches('ガッコウ', 'ｶﾞｯｺｳ'))
  assert.ok(!matches('カツコウ', 'ガッコウ'))
  assert.ok(!matches('แมว', 'แม่ว'))
})

test('text of scripts without spaces is split into characters and pairs with their positions', () => {
  assert.deepEqual(tokenizeForIndex('a猫がB'), [
    { word: 'a', place: 0 },
    { word: '猫', place: 1 },
    { word: 'が', place: 2 },
    { word: '猫が', place: 1 },
    { word: 'b', place: 3 },
  ])
  assert.deepEqual(wordsOf('🇺🇦🇩🇪'), ['🇺🇦', '🇩🇪', '🇺🇦🇩🇪'])
  assert.ok(!matches('🇺🇦🇩🇪', '🇦🇩'))
  assert.deepEqual(wordsOf('🐈‍⬛🐈️'), ['🐈', '⬛', '🐈', '🐈⬛', '⬛🐈'])
})

test('a text matches each of its parts that consists of complete words or of a script without spaces', () => {
  const word = fc.constantFrom('a', 'bc', 'É', '猫', '名前', 'ガ', 'แมว', '고양이', '🐈', '🇺🇦', '１')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), fc.nat(), fc.nat(), (words, a, b) => {
      const from = a % words.length
      const part = words.slice(from, from + 1 + (b % (words.length - from))).join(' ')
      assert.ok(matches(words.join(' '), part))
      assert.ok(!matches(words.join(' '), `${part} zz`))
    }),
  )
})

test('BI16 any hundred kilobytes take little time', () => {
  const texts = ['a', 'a ', '猫', '\u0301', 'a\u0301\u0323', '\ufdfa', '\ud800', '🐈', '🇺🇦', '_-', '\u200d'].map(
    (text) => text.repeat(100_000 / text.length),
  )
  for (const text of texts) {
    const once = () => {
      const before = process.threadCpuUsage()
      tokenizeForIndex(text)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    }
    const spent = Math.min(once(), once(), once())
    assert.ok(spent < 200, `${text.slice(0, 4)}: ${spent} ms`)
  }
})
