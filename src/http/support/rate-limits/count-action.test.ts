import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { THROTTLES } from './throttles.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

test('BI19 a refused post is not counted, unless refusing it was expensive', async () => {
  const { ctx } = testServer
  const { client, accountId } = await testServer.createUser()
  const postAndCount = async (payload: object) => {
    const { status } = await client.post('/api/v1/statuses', payload)
    const { remaining } = await ctx.rateLimiter.peek(THROTTLES.statuses, `account:${accountId}`, ctx.now())
    return [status, THROTTLES.statuses.limit - remaining]
  }
  assert.deepEqual(await postAndCount({ status: 'one' }), [200, 1])
  assert.deepEqual(await postAndCount({ status: '' }), [422, 1])
  assert.deepEqual(await postAndCount({ status: '@a '.repeat(600_000) }), [422, 2])
  // The remote mention is resolved before the missing parent is detected.
  assert.deepEqual(await postAndCount({ status: '@a@unknown.test', in_reply_to_id: '1' }), [404, 3])
})
