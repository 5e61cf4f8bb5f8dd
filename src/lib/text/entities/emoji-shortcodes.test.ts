import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEmojiShortcodes, isEmojiShortcode } from './emoji-shortcodes.ts'

test('shortcodes are between colons and not next to a letter, digit or further colon', () => {
  assert.deepEqual(findEmojiShortcodes([':cat: :dog::cow: (:cat:)\n:Bird_2:', ':fox:']), ['cat', 'Bird_2', 'fox'])
  assert.deepEqual(findEmojiShortcodes([':cat: :dog: :cow:']), ['cat', 'dog', 'cow'])
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
    assert.deepEqual(findEmojiShortcodes([text]), [], text)
  }
})

test('HT5: a shortcode within a URL is not an emoji', () => {
  assert.deepEqual(findEmojiShortcodes(['https://a.test/:cat:/x :dog: http://b.test/?q=:cow:']), ['dog'])
})

test('a shortcode has 2 to 128 ASCII letters, digits and underscores', () => {
  for (const code of ['ab', 'A_9', 'x'.repeat(128)]) assert.ok(isEmojiShortcode(code))
  for (const code of ['a', '', 'a-b', 'é2', 'a b', 'x'.repeat(129), 'ab\n']) assert.ok(!isEmojiShortcode(code))
})
