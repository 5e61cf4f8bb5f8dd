import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { recountReplies } from './recount-replies.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

/** Posts a reply by each account to a status of the author, and returns functions for both. */
async function createReplies() {
  const [author, replier, other] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { body: parent } = await author.client.post('/api/v1/statuses', { status: 'words' })
  const answer = { status: 'an answer', in_reply_to_id: parent.id }
  const { body: reply } = await replier.client.post('/api/v1/statuses', answer)
  await other.client.post('/api/v1/statuses', answer)
  return {
    count: async () => (await author.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count,
    change: async (action: 'block' | 'unblock') =>
      author.client.post(`/api/v1/accounts/${replier.accountId}/${action}`),
    runEffect: async () =>
      recountReplies(testServer.ctx, { accountId: author.accountId, targetAccountId: replier.accountId }),
    deleteReply: async () => replier.client.delete(`/api/v1/statuses/${reply.id}`),
  }
}

test('a reply that a blocked account deletes before the effect of the block is not counted any more', async () => {
  const { count, change, runEffect, deleteReply } = await createReplies()
  assert.equal(await count(), 2)
  await change('block')
  await deleteReply()
  assert.equal(await count(), 1)
  await runEffect()
  assert.equal(await count(), 1)
})

test('a reply that an unblocked account deletes before the effect of the unblock is not subtracted', async () => {
  const { count, change, runEffect, deleteReply } = await createReplies()
  await change('block')
  await runEffect()
  assert.equal(await count(), 1)
  await change('unblock')
  await deleteReply()
  assert.equal(await count(), 1)
  await runEffect()
  assert.equal(await count(), 1)
})
