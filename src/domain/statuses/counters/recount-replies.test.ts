import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { purgeAccount } from '../../account-deletion/purge-account.ts'
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
    deleteReplier: async () => {
      await testServer.ctx.write((tx) => deleteAccount(tx, replier))
      await purgeAccount(testServer.ctx, replier)
    },
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

test('the replies of an account that is deleted between an unblock and its effect are not subtracted', async () => {
  const { count, change, runEffect, deleteReplier } = await createReplies()
  await change('block')
  await runEffect()
  await change('unblock')
  await deleteReplier()
  assert.equal(await count(), 1)
})

test('the replies of an account that is deleted between a block and its effect are not counted any more', async () => {
  const { count, change, deleteReplier } = await createReplies()
  await change('block')
  await deleteReplier()
  assert.equal(await count(), 1)
})
