import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNearestName } from './find-nearest-name.ts'

const NAMES = ['title', 'timelines-local-live', 'timelines-remote-live', 'trends', 'peers']

test('a mistyped name returns the most similar one', () => {
  for (const [typed, meant] of [
    ['titel', 'title'],
    ['tilte', 'title'],
    ['TITLE', 'title'],
    ['ttle', 'title'],
    ['trend', 'trends'],
    ['timelines_local_live', 'timelines-local-live'],
    ['timelins-remot-live', 'timelines-remote-live'],
  ] as const) {
    assert.equal(findNearestName(typed, NAMES), meant, typed)
  }
})

test('a word that is similar to no name returns null', () => {
  for (const typed of ['', 'colour', 'x', 'pe', 'live']) assert.equal(findNearestName(typed, NAMES), null, typed)
  assert.equal(findNearestName('title', []), null)
})
