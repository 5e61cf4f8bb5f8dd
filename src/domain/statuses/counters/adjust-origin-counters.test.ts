import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

test('a status with the largest counters that its server can report can be favourited, boosted and answered', async () => {
  const { client } = await testServer.createUser()
  const accountId = await createRemoteAccount(ctx)
  const largest = 2_147_483_647
  const counters = { repliesCount: largest, sharesCount: largest, likesCount: largest }
  const id = await createRemoteStatus(ctx, { accountId, ...counters })
  for (const action of ['favourite', 'reblog', 'unfavourite', 'favourite'])
    assert.equal((await client.post(`/api/v1/statuses/${id}/${action}`)).status, 200, action)
  const reply = await client.post('/api/v1/statuses', { status: 'answer', in_reply_to_id: id })
  assert.equal(reply.status, 200)
  const { body } = await client.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([body.replies_count, body.reblogs_count, body.favourites_count], [largest, largest, largest])
})
