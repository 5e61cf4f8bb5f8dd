import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeUnicodeEmojis, findRow, searchUnicodeEmojis, withTone } from './unicode-emojis.ts'
import type { EmojiRow } from './unicode-emojis.ts'

const wave: EmojiRow = ['👋', 'waving hand', 'hello', '👋*']
const pilot: EmojiRow = ['👩‍✈️', 'woman pilot', 'plane', '👩*‍✈️']
const crow: EmojiRow = ['🐦‍⬛', 'black bird', 'crow beak']
const bird: EmojiRow = ['🐦', 'bird', 'animal']
const cuckoo: EmojiRow = ['🕰️', 'clock', 'birdhouse cuckoo']
const cafe: EmojiRow = ['☕', 'Café', 'bebida']
const groups = [[wave, pilot], [crow, cuckoo, bird], [cafe]]

test('a skin tone follows the person of an emoji, and emojis without tones stay as they are', () => {
  assert.equal(withTone(wave, 0), '👋')
  assert.equal(withTone(wave, 3), '👋🏽')
  assert.equal(withTone(pilot, 5), '👩🏿‍✈️')
  assert.equal(withTone(bird, 5), '🐦')
})

test('an emoji is found by its character with any skin tone', () => {
  assert.equal(findRow(groups, '👋🏿'), wave)
  assert.equal(findRow(groups, '🐦'), bird)
  assert.equal(findRow(groups, ':linnet:'), undefined)
})

test('a search prefers names to keywords and beginnings to the middle, and ignores case and accents', () => {
  assert.deepEqual(searchUnicodeEmojis(groups, 'Bird'), [bird, crow, cuckoo])
  assert.deepEqual(searchUnicodeEmojis(groups, 'cafe'), [cafe])
  assert.deepEqual(searchUnicodeEmojis(groups, 'beak black'), [crow])
  assert.deepEqual(searchUnicodeEmojis(groups, 'avin'), [wave])
  assert.deepEqual(searchUnicodeEmojis(groups, 'zebra'), [])
})

test('a completion leaves out emojis that contain a text only in the middle of a word', () => {
  assert.deepEqual(completeUnicodeEmojis(groups, 'bird'), [bird, crow, cuckoo])
  assert.deepEqual(completeUnicodeEmojis(groups, 'avin'), [])
})
