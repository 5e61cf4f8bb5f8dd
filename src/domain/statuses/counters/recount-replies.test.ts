import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { recountReplies } from './recount-replies.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

test('a reply that a blocked account deletes before the effect of the block is not counted any more', async () => {
  const [author, blocked, other] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { body: parent } = await author.client.post('/api/v1/statuses', { status: 'words' })
  const answer = { status: 'an answer', in_reply_to_id: parent.id }
  const { body: reply } = await blocked.client.post('/api/v1/statuses', answer)
  await other.client.post('/api/v1/statuses', answer)
  const count = async () => (await author.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count
  assert.equal(await count(), 2)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await blocked.client.delete(`/api/v1/statuses/${reply.id}`)
  assert.equal(await count(), 1)
  await recountReplies(testServer.ctx, { accountId: author.accountId, targetAccountId: blocked.accountId })
  assert.equal(await count(), 1)
})
