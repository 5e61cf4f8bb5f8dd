import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withReaction } from './with-reaction.ts'

const reactions = [
  { name: '👍', count: 2, me: true },
  { name: '🎉', count: 1, me: false },
]
const counts = (name: string, on: boolean) =>
  withReaction(reactions, { name, on }).map(
    (reaction) => `${reaction.name}${reaction.count}${reaction.me ? ' me' : ''}`,
  )

test('a reaction is counted once for each user, and disappears with the last one', () => {
  assert.deepEqual(counts('🎉', true), ['👍2 me', '🎉2 me'])
  assert.deepEqual(counts('👍', true), ['👍2 me', '🎉1'])
  assert.deepEqual(counts('👍', false), ['👍1', '🎉1'])
  assert.deepEqual(counts('😮', true), ['👍2 me', '🎉1', '😮1 me'])
  assert.deepEqual(withReaction([{ name: '🎉', count: 1, me: true }], { name: '🎉', on: false }), [])
})
