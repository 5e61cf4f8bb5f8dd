import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffWords } from './diff-words.ts'
import type { DiffPart } from './diff-words.ts'

/** Marks changes as `[-removed-]` and `{+added+}` in the text. */
function show(parts: readonly DiffPart[]): string {
  return parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('')
}

function sideOf(parts: readonly DiffPart[], without: DiffPart['kind']): string {
  return parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('')
}

test('only changed words are marked as changed', () => {
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
    assert.equal(show(diffWords(before, after)), shown)
  }
})

test('the parts of each side form its text, for any two texts', () => {
  const word = fc.constantFrom('a', 'b', 'c', ' ', ' ', '\n', 'é', '犬', '👩‍👧', '.')
  const text = fc.array(word, { maxLength: 40 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after)
      assert.equal(sideOf(parts, 'added'), before)
      assert.equal(sideOf(parts, 'removed'), after)
      for (const [index, { kind, text: words }] of parts.entries()) {
        assert.notEqual(words, '')
        assert.notEqual(kind, parts[index + 1]?.kind)
        if (before === after) assert.equal(kind, 'same')
      }
    }),
    { numRuns: 500 },
  )
})

test('comparing long texts that have nothing in common takes little time', () => {
  const before = Array.from({ length: 5_000 }, (_, n) => `a${n}`).join(' ')
  const start = process.threadCpuUsage()
  const parts = diffWords(before, before.replaceAll('a', 'b'))
  const { user, system } = process.threadCpuUsage(start)
  assert.equal(sideOf(parts, 'added'), before)
  assert.ok((user + system) / 1000 < 500, `${(user + system) / 1000} ms`)
})
