import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf, readEmojiFilters } from './emoji-filters.ts'

test('the filters of custom emojis are read from a URL, and those of the other origin are left out', () => {
  const search = { state: 'disabled', shortcode: ' blob ', category: 'Pets', byDomain: 'far.test', other: 'x' }
  assert.deepEqual(readEmojiFilters(search), { state: 'disabled', shortcode: 'blob', category: 'Pets' })
  const remote = readEmojiFilters({ ...search, origin: 'remote', state: 'x' })
  assert.deepEqual(remote, { origin: 'remote', shortcode: 'blob', byDomain: 'far.test' })
  assert.deepEqual(parametersOf(remote), { origin: 'remote', shortcode: 'blob', byDomain: 'far.test' })
  assert.deepEqual(parametersOf({ state: 'disabled' }), { origin: 'local', disabled: true })
})
