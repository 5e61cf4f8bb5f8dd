import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPost } from '../drafts/draft.ts'
import type { Draft } from '../drafts/draft.ts'
import { ComposerState } from './composer-state.ts'

const POLL = { options: ['', ''], expiresIn: 86_400, multiple: false, hideTotals: false }

const createDraft = (): Draft => ({
  id: 'draft',
  accountId: '1',
  context: { type: 'new', statusId: null },
  inReplyToId: null,
  quotedStatusId: null,
  posts: [createPost({ text: 'First' }), createPost({ text: 'Second' }), createPost({ text: 'Third' })],
  visibility: 'public',
  quotePolicy: 'public',
  language: 'en',
  scheduledAt: null,
  initialText: '',
  updatedAt: 0,
})

/** Returns the state of a draft, and the texts of the versions that were stored. */
function openState() {
  const stored: string[][] = []
  const save = async ({ posts }: Draft) => void stored.push(posts.map(({ text }) => text))
  const state = new ComposerState(createDraft(), { save, delete: async () => undefined })
  return { state, stored }
}

test('a content warning and a poll that are removed and added again are as they were', () => {
  const { state } = openState()
  const { key } = state.draft.posts[0]!
  state.toggleWarning(key)
  state.togglePoll(key, POLL)
  assert.deepEqual([state.draft.posts[0]!.warning, state.draft.posts[0]!.poll], ['', POLL])
  const poll = { ...POLL, options: ['Yes', 'No'] }
  state.changePost(key, { warning: 'Food', poll })
  state.toggleWarning(key)
  state.togglePoll(key, POLL)
  assert.deepEqual([state.draft.posts[0]!.warning, state.draft.posts[0]!.poll], [null, null])
  state.toggleWarning(key)
  state.togglePoll(key, POLL)
  assert.deepEqual([state.draft.posts[0]!.warning, state.draft.posts[0]!.poll], ['Food', poll])
})

test('a removed post can be put back in its place, and is stored again unless the draft was sent meanwhile', async () => {
  const { state, stored } = openState()
  const restore = state.removePost(state.draft.posts[1]!.key)
  await state.flush()
  restore()
  await state.flush()
  assert.deepEqual(stored, [
    ['First', 'Third'],
    ['First', 'Second', 'Third'],
  ])
  await state.discard()
  restore()
  await state.flush()
  assert.equal(stored.length, 2)
})

test('after the draft was opened again, an earlier state, for which an upload ends, does not store its older text', async () => {
  const earlier = openState()
  earlier.state.changePost(earlier.state.draft.posts[0]!.key, { text: 'Older' })
  await earlier.state.flush()
  assert.equal(earlier.stored.length, 1)
  const later = openState()
  earlier.state.change({ updatedAt: 1 })
  later.state.change({ updatedAt: 2 })
  await earlier.state.flush()
  await later.state.flush()
  assert.deepEqual([earlier.stored.length, later.stored.length], [1, 1])
})
