import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

let laterMs = 0
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + laterMs) })
after(testServer.close)

const mute = async (from: TestUser, to: TestUser, body: object = {}) =>
  (await from.client.post(`/api/v1/accounts/${to.accountId}/mute`, body)).body
const relationship = async (from: TestUser, to: TestUser) =>
  (await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })).body[0]

/** Advances the server's clock and runs the jobs of one minute. */
async function advance(seconds: number): Promise<void> {
  laterMs += seconds * 1000
  await testServer.ctx.write(async (tx) => tx.emit('clock.minutely', {}))
  await testServer.waitForJobs()
}

test('the latest duration of a mute applies, and the mute ends within a minute of its expiry', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await mute(alice, carol)
  await mute(alice, bob, { duration: 600 })
  await advance(300)
  const longer = await mute(alice, bob, { duration: 900, notifications: false })
  assert.deepEqual([longer.muting, longer.muting_notifications], [true, false])
  await advance(600)
  assert.equal((await relationship(alice, bob)).muting, true)
  await advance(301)
  const ended = await relationship(alice, bob)
  assert.deepEqual([ended.muting, ended.muting_notifications, ended.muting_expires_at], [false, false, null])
  assert.deepEqual(
    (await alice.client.get('/api/v1/mutes')).body.map((one: { id: string; mute_expires_at: unknown }) => [
      one.id,
      one.mute_expires_at,
    ]),
    [[carol.accountId, null]],
  )
  await mute(alice, bob, { duration: 600 })
  // Without a duration, the mute no longer expires.
  assert.equal((await mute(alice, bob)).muting_expires_at, null)
  await advance(86_400)
  assert.equal((await relationship(alice, bob)).muting, true)
})

test('VI16 a muted account cannot detect the mute, and other users see it as before', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await alice.client.post(`/api/v1/accounts/${carol.accountId}/follow`)
  await mute(alice, bob)
  const before = { ...(await relationship(carol, alice)), id: '' }
  assert.deepEqual({ ...(await relationship(bob, alice)), id: '' }, { ...before, followed_by: false })
  const { body: status } = await bob.client.post('/api/v1/statuses', {
    status: `hello @${alice.username} @${carol.username}`,
  })
  const { body: reblog } = await carol.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await testServer.waitForJobs()
  const ids = async (path: string) => (await alice.client.get(path)).body.map(({ id }: { id: string }) => id)
  for (const path of ['/api/v1/timelines/home', '/api/v1/timelines/public']) {
    const shown = await ids(path)
    assert.ok(!shown.includes(status.id) && !shown.includes(reblog.id), path)
  }
  assert.deepEqual((await alice.client.get('/api/v1/notifications')).body, [])
  // The status can still be requested: a mute is not a block.
  assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}`)).status, 200)
  assert.equal((await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)).body.following, true)
  const { body: notifications } = await carol.client.get('/api/v1/notifications')
  assert.ok(notifications.some(({ type }: { type: string }) => type === 'mention'))
})

test('BI17 50 concurrent follows, unfollows, mutes and unmutes end in one state with exact counters', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const actions = ['follow', 'unfollow', 'mute', 'unmute', 'endorse']
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, n) => alice.client.post(`/api/v1/accounts/${bob.accountId}/${actions[n % 5]}`)),
  )
  assert.ok(responses.every(({ status }) => status === 200 || status === 422))
  const { following } = await relationship(alice, bob)
  const { rows } = await sql<{ following_count: number; followers_count: number }>`
    select a.following_count, b.followers_count from account_stats a, account_stats b
    where a.account_id = ${alice.accountId} and b.account_id = ${bob.accountId}`.execute(testServer.ctx.db)
  assert.deepEqual(rows, [{ following_count: following ? 1 : 0, followers_count: following ? 1 : 0 }])
  await testServer.waitForJobs()
  const { body: notifications } = await bob.client.get('/api/v1/notifications')
  assert.equal(notifications.length, following ? 1 : 0)
})
