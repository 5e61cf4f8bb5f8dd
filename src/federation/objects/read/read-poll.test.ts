import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeDocument } from '../../wire/normalize.ts'
import { LIMITS } from './limits.ts'
import { readNote } from './read-note.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ID = 'https://a.example/notes/1'
const AUTHOR = 'https://a.example/users/ann'

const read = (more: object) =>
  readNote(normalizeDocument({ id: ID, type: 'Note', attributedTo: AUTHOR, content: '<p>hi</p>', ...more }), {
    now: NOW,
  })

test('a Question is read as a note with a poll, in every variant (IN21, IN22)', () => {
  const choice = (name: string, totalItems?: unknown) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  const poll = read({
    type: 'Question',
    oneOf: [
      choice('tea', 2),
      choice('coffee', 1e30),
      { type: 'Note', content: 'water' },
      choice('juice', -5),
      { type: 'Note' },
    ],
    endTime: '2026-12-01T00:00:00Z',
    votersCount: 3,
  }).poll
  assert.deepEqual(poll, {
    options: ['tea', 'coffee', 'water', 'juice'],
    tallies: [2, 2_147_483_647, 0, 0],
    multiple: false,
    votersCount: 3,
    expiresAt: new Date('2026-12-01T00:00:00Z'),
  })
  const question = (more: object) => read({ type: 'Question', ...more }).poll
  assert.equal(question({ anyOf: [choice('a'), choice('b')] })?.multiple, true)
  assert.deepEqual(question({ oneOf: [choice('a')], closed: true })?.expiresAt, NOW)
  assert.deepEqual(
    question({ oneOf: [choice('a')], closed: '2026-01-01T00:00:00Z' })?.expiresAt,
    new Date('2026-01-01T00:00:00Z'),
  )
  assert.equal(question({ oneOf: [choice('a')], closed: false })?.expiresAt, null)
  assert.equal(question({ oneOf: choice('a') }), null)
  assert.equal(question({ oneOf: [] }), null)
  const many = Array.from({ length: 5_000 }, (_, n) => choice(`option ${n} ${'x'.repeat(5_000)}`))
  assert.equal(question({ anyOf: many })?.options.length, LIMITS.options)
  assert.equal(question({ anyOf: many })?.options[0]?.length, LIMITS.option)
})

test('of anyOf and oneOf, the one that is not empty counts', () => {
  const choices = [{ name: 'tea' }, { name: 'coffee' }]
  const kinds = [
    { anyOf: [], oneOf: choices },
    { anyOf: choices, oneOf: [] },
  ].map((more) => read({ type: 'Question', ...more }).poll)
  assert.deepEqual(
    kinds.map((poll) => [poll?.multiple, poll?.options]),
    [
      [false, ['tea', 'coffee']],
      [true, ['tea', 'coffee']],
    ],
  )
})

test('an option retains its whitespace, because a vote has to name it exactly', () => {
  const oneOf = ['Oui\u00a0!', 'two  blanks ', ' \u00a0', '\u00e9'].map((name) => ({ name }))
  assert.deepEqual(read({ type: 'Question', oneOf }).poll?.options, ['Oui\u00a0!', 'two  blanks ', '\u00e9'])
})

test('the end of a poll is clamped to dates that the database and JSON can represent (IN23)', () => {
  const end = (endTime: string) => read({ type: 'Question', oneOf: [{ name: 'tea' }], endTime }).poll?.expiresAt
  for (const past of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '1969-01-01']) {
    assert.deepEqual(end(past), new Date(0), past)
  }
  assert.equal(end('9999-12-31T23:59:59-14:00')?.getUTCFullYear(), 9999)
})

test('a reply with a name may be a vote, whatever its text (IN28)', () => {
  const vote = { content: undefined, name: 'tea', inReplyTo: 'https://b.example/notes/1' }
  assert.equal(read(vote).vote, 'tea')
  assert.equal(read({ ...vote, content: '' }).vote, 'tea')
  assert.equal(read({ ...vote, content: '<p>and words</p>' }).vote, 'tea')
  assert.equal(read({ ...vote, inReplyTo: null }).vote, null)
  assert.equal(read({ ...vote, type: 'Article' }).vote, null)
})
