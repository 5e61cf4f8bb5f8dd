import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanText } from './clean-text.ts'

test('BI6: NUL, other control characters and lone surrogates never reach the database', () => {
  assert.equal(cleanText('a\0b'), 'ab')
  assert.equal(cleanText('\u001b[31mred\u009b0m\u007f'), '[31mred0m')
  assert.equal(cleanText('\ud83d and \ude00'), '\ufffd and \ufffd')
  assert.equal(cleanText('\ud83d\0\ude00'), '😀', 'two surrogates form a character again')
})

test('line ends of all systems are unified; tabs and other text do not change', () => {
  assert.equal(cleanText('a\r\nb\rc\nd\te  '), 'a\nb\nc\nd\te  ')
  assert.equal(cleanText('👩‍👩‍👧 e\u0301 می‌خواهم\u2028'), '👩‍👩‍👧 e\u0301 می‌خواهم\u2028')
})

test('BI6: any input results in well-formed text, and cleaning it again changes nothing', () => {
  const anything = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
  fc.assert(
    fc.property(anything, (text) => {
      const clean = cleanText(text)
      assert.ok(clean.isWellFormed())
      assert.ok(!clean.includes('\0') && !clean.includes('\r'))
      assert.equal(cleanText(clean), clean)
    }),
  )
})
