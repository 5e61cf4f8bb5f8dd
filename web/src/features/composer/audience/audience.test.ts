import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedVisibilities } from './audience.ts'

const allowed = (options: Partial<Parameters<typeof allowedVisibilities>[0]>) =>
  allowedVisibilities({ parent: undefined, quoted: undefined, ...options }).join(' ')

test('a new post may have each visibility', () => {
  assert.equal(allowed({}), 'public unlisted private direct')
})

test('a reply is never more public than its parent', () => {
  assert.equal(allowed({ parent: 'public' }), 'public unlisted private direct')
  assert.equal(allowed({ parent: 'unlisted' }), 'unlisted private direct')
  assert.equal(allowed({ parent: 'private' }), 'private direct')
  assert.equal(allowed({ parent: 'direct' }), 'direct')
})

test('a post that quotes one for followers is not public', () => {
  assert.equal(allowed({ quoted: 'unlisted' }), 'public unlisted private direct')
  assert.equal(allowed({ quoted: 'private' }), 'private direct')
  assert.equal(allowed({ quoted: 'private', parent: 'direct' }), 'direct')
})
