import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from './pushed-notification.ts'

const account = { id: '1', acct: 'bo' }
const status = { id: '7', visibility: 'public', account: { acct: 'ada' } }

test('a notification leads to the post, the collection or the account that it is about, else to the notifications', () => {
  assert.equal(pathOf('favourite', { account, status }), '/@ada/7')
  assert.equal(pathOf('added_to_collection', { account, collection: { id: '5' } }), '/collections/5')
  assert.equal(pathOf('follow', { account }), '/@bo')
  assert.equal(pathOf('follow_request', { account }), '/follow_requests')
  assert.equal(pathOf('admin.report', { account }), '/notifications')
  assert.equal(pathOf('mention', null), '/notifications')
})
