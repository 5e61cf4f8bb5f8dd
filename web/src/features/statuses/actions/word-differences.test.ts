import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareWords } from './word-differences.ts'

const texts = fc
  .array(fc.constantFrom('a', 'b', 'tern', ' ', '\n', '  ', 'x y'), { maxLength: 30 })
  .map((a) => a.join(''))

test('a difference contains both texts in full, and changes alternate', () => {
  fc.assert(
    fc.property(texts, texts, (older, newer) => {
      const differences = compareWords(older, newer)
      const join = (without: string) =>
        differences
          .filter(({ type }) => type !== without)
          .map(({ text }) => text)
          .join('')
      assert.equal(join('added'), older)
      assert.equal(join('removed'), newer)
      for (const [index, { type }] of differences.entries()) assert.notEqual(type, differences[index + 1]?.type)
    }),
  )
})

test('only the words that changed are marked', () => {
  assert.deepEqual(compareWords('The linnet sings loudly', 'The linnet sang loudly'), [
    { type: 'same', text: 'The linnet ' },
    { type: 'removed', text: 'sings' },
    { type: 'added', text: 'sang' },
    { type: 'same', text: ' loudly' },
  ])
})

test('texts that are too long to compare are replaced as a whole', () => {
  const words = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word}${index}`).join(' ')
  const types = compareWords(words('a'), words('b')).map(({ type }) => type)
  assert.deepEqual(types, ['removed', 'added'])
})
