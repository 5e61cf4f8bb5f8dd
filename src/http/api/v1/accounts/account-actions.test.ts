import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

// Noon, so that the throttle's day does not end during the test.
let clock = new Date('2026-11-20T12:00:00Z')
const testServer = await openTestServer({ effects: false, now: () => clock })
after(testServer.close)

test('BI19 the 401st follow of a day gets 429 until the next day; failed follows do not count', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const follow = (id: string) => alice.client.post(`/api/v1/accounts/${id}/follow`)
  for (let n = 0; n < 20; n += 1) assert.equal((await follow(alice.accountId)).status, 403)
  for (let n = 0; n < 400; n += 1) {
    if (n % 200 === 0) clock = new Date(clock.getTime() + 600_000)
    assert.equal((await follow(bob.accountId)).status, 200)
  }
  const response = await follow(carol.accountId)
  assert.deepEqual([response.status, response.headers['x-ratelimit-limit']], [429, '400'])
  assert.ok(Number(response.headers['retry-after']) > 3_600)
  assert.equal((await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)).status, 200)
  clock = new Date('2026-11-21T00:00:00Z')
  assert.equal((await follow(carol.accountId)).status, 200)
})
