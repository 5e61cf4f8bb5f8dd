import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ClientResponse } from '../../../../test/http/client.ts'
import { createClient } from '../../../../test/http/client.ts'
import { createTokens } from '../../../../test/http/more-clients.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { THROTTLES } from './throttles.ts'

const now = new Date('2026-11-05T00:00:10Z')
const testServer = await openTestServer({ effects: false, now: () => now })
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

test('a failed post is not counted, and the headers show the throttle with the fewest remaining', async () => {
  const { client, userId } = await testServer.createUser()
  const [token] = await createTokens(testServer.ctx, { userId, count: 1 })
  const other = createClient(testServer.server, { token: token! })
  const rateLimitOf = ({ headers }: ClientResponse) => [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
  const post = async (status: string) => client.post('/api/v1/statuses', { status })
  const first = await post('one')
  assert.deepEqual(rateLimitOf(first), ['299', '2026-11-05T03:00:00.000000Z'])
  const failed = await post('')
  assert.deepEqual([failed.status, ...rateLimitOf(failed)], [422, '298', '2026-11-05T00:05:00.000000Z'])
  const second = await other.post('/api/v1/statuses', { status: 'two' })
  assert.deepEqual(rateLimitOf(second), ['298', '2026-11-05T03:00:00.000000Z'])
  const reblog = await other.post(`/api/v1/statuses/${second.body.id}/reblog`)
  assert.deepEqual(rateLimitOf(reblog), ['298', '2026-11-05T03:00:00.000000Z'])
  const edit = await other.put(`/api/v1/statuses/${second.body.id}`, { status: 'edited' })
  assert.deepEqual([edit.status, ...rateLimitOf(edit)], [200, '297', '2026-11-05T03:00:00.000000Z'])
  const last = await post('three')
  assert.deepEqual(rateLimitOf(last), ['296', '2026-11-05T03:00:00.000000Z'])
})

test('of fifty concurrent posts, the successful ones are counted', async () => {
  const { client, accountId } = await testServer.createUser()
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => client.post('/api/v1/statuses', { status: i % 2 ? `${i}` : '' })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 25)
  const { remaining } = await testServer.ctx.rateLimiter.peek(THROTTLES.statuses, `account:${accountId}`, now)
  assert.equal(remaining, 275)
})
