import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differencesOf } from './differences.ts'
import type { Piece } from './differences.ts'

/** `[-removed-]` and `{+added+}` in the text. */
function show(pieces: readonly Piece[]): string {
  return pieces
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('')
}

function sideOf(pieces: readonly Piece[], without: Piece['kind']): string {
  return pieces.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('')
}

test('words that were changed are told, and nothing around them', () => {
  for (const [before, after, shown] of [
    ['', '', ''],
    ['a b', 'a b', 'a b'],
    ['', 'new', '{+new+}'],
    ['old', '', '[-old-]'],
    ['I like cats.', 'I like dogs.', 'I like [-cats-]{+dogs+}.'],
    ['one two three', 'one three', 'one [-two -]three'],
    ['one three', 'one two three', 'one {+two +}three'],
    ['one red fox runs', 'one blue dog runs', 'one [-red fox-]{+blue dog+} runs'],
    ['今日は良い天気です', '今日は悪い天気です', '今日は[-良い-]{+悪い+}天気です'],
    ['a\n\nb', 'a\n\nb\n\nc', 'a\n\nb{+\n\nc+}'],
  ] as const) {
    assert.equal(show(differencesOf(before, after)), shown)
  }
})

test('the pieces of either side make up its text, whatever both are', () => {
  const word = fc.constantFrom('a', 'b', 'c', ' ', ' ', '\n', 'é', '犬', '👩‍👧', '.')
  const text = fc.array(word, { maxLength: 40 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = differencesOf(before, after)
      assert.equal(sideOf(pieces, 'added'), before)
      assert.equal(sideOf(pieces, 'removed'), after)
      for (const [index, { kind, text: words }] of pieces.entries()) {
        assert.notEqual(words, '')
        assert.notEqual(kind, pieces[index + 1]?.kind)
        if (before === after) assert.equal(kind, 'same')
      }
    }),
    { numRuns: 500 },
  )
})

test('long texts that have nothing in common cost little', () => {
  const before = Array.from({ length: 5_000 }, (_, n) => `a${n}`).join(' ')
  const start = process.threadCpuUsage()
  const pieces = differencesOf(before, before.replaceAll('a', 'b'))
  const { user, system } = process.threadCpuUsage(start)
  assert.equal(sideOf(pieces, 'added'), before)
  assert.ok((user + system) / 1000 < 500, `${(user + system) / 1000} ms`)
})
