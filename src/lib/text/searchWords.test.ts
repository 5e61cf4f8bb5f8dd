import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wordsToFind, wordsToIndex } from './searchWords.ts'

const wordsOf = (text: string) => wordsToIndex(text).map(({ word }) => word)

/** Whether a text has what is looked for, at places as far apart. */
function holds(text: string, phrase: string): boolean {
  const at = new Set(wordsToIndex(text).map(({ word, place }) => `${place} ${word}`))
  const wanted = wordsToFind(phrase)
  const starts = wordsToIndex(text).map(({ place }) => place)
  return (
    wanted.length > 0 && starts.some((start) => wanted.every(({ word, place }) => at.has(`${start + place} ${word}`)))
  )
}

test('words are lower case, without accents and marks that nobody sees, wide ones as narrow ones', () => {
  assert.deepEqual(wordsOf('Ça va, ＡＢＣ? naïve co\u00adop l’été'), ['ca', 'va', 'abc', 'naive', 'coop', 'l', 'ete'])
  assert.deepEqual(wordsOf('İstanbul ıslak ΟΔΟΣ łódź Æon'), ['istanbul', 'islak', 'οδοσ', 'lodz', 'aeon'])
  assert.deepEqual(wordsOf(' \n\t.,;!?…—«»"\'()'), [])
})

test('vowels of scripts in which they are marks stay, and so do the sounds of kana', () => {
  assert.deepEqual(wordsOf('हिन्दी عَرَبي'), ['हिन्दी', 'عَرَبي'.normalize('NFC')])
  assert.ok(holds('ガッコウ', 'ｶﾞｯｺｳ'))
  assert.ok(!holds('カツコウ', 'ガッコウ'))
  assert.ok(!holds('แมว', 'แม่ว'))
})

test('writing without blanks is cut into its characters and pairs, each at its place', () => {
  assert.deepEqual(wordsToIndex('a猫がB'), [
    { word: 'a', place: 0 },
    { word: '猫', place: 1 },
    { word: 'が', place: 2 },
    { word: '猫が', place: 1 },
    { word: 'b', place: 3 },
  ])
  assert.deepEqual(wordsOf('🐈‍⬛🐈️'), ['🐈', '⬛', '🐈', '🐈⬛', '⬛🐈'])
})

test('every part of a text that is whole words, or stands in writing without blanks, is found in it', () => {
  const word = fc.constantFrom('a', 'bc', 'É', '猫', '名前', 'ガ', 'แมว', '고양이', '🐈', '１')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), fc.nat(), fc.nat(), (words, a, b) => {
      const from = a % words.length
      const part = words.slice(from, from + 1 + (b % (words.length - from))).join(' ')
      assert.ok(holds(words.join(' '), part))
      assert.ok(!holds(words.join(' '), `${part} zz`))
    }),
  )
})

test('BI16 a hundred kilobytes of anything take no time', () => {
  const texts = ['a', 'a ', '猫', '\u0301', 'a\u0301\u0323', '\ufdfa', '\ud800', '🐈', '_-', '\u200d'].map((text) =>
    text.repeat(100_000 / text.length),
  )
  for (const text of texts) {
    const once = () => {
      const before = process.threadCpuUsage()
      wordsToIndex(text)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    }
    const spent = Math.min(once(), once(), once())
    assert.ok(spent < 200, `${text.slice(0, 4)}: ${spent} ms`)
  }
})
