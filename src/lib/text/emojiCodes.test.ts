import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEmojiCodes, isEmojiCode } from './emojiCodes.ts'

test('codes stand between colons, beside no letter, digit or further colon', () => {
  assert.deepEqual(findEmojiCodes([':cat: :dog::cow: (:cat:)\n:Bird_2:', ':fox:']), ['cat', 'Bird_2', 'fox'])
  assert.deepEqual(findEmojiCodes([':cat: :dog: :cow:']), ['cat', 'dog', 'cow'])
  for (const text of [
    'a:cat:',
    ':cat:b',
    '::cat:',
    '10:30:15',
    'é:cat:',
    ':a:',
    ':c-t:',
    `:${'x'.repeat(129)}:`,
    ': cat:',
  ]) {
    assert.deepEqual(findEmojiCodes([text]), [], text)
  }
})

test('HT5: within an address a code is no emoji', () => {
  assert.deepEqual(findEmojiCodes(['https://a.test/:cat:/x :dog: http://b.test/?q=:cow:']), ['dog'])
})

test('a code has from 2 to 128 letters of ASCII, digits and underscores', () => {
  for (const code of ['ab', 'A_9', 'x'.repeat(128)]) assert.ok(isEmojiCode(code))
  for (const code of ['a', '', 'a-b', 'é2', 'a b', 'x'.repeat(129), 'ab\n']) assert.ok(!isEmojiCode(code))
})
