import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

let laterMs = 0
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + laterMs) })
after(world.close)

const mute = async (from: Person, to: Person, body: object = {}) =>
  (await from.client.post(`/api/v1/accounts/${to.accountId}/mute`, body)).body
const relation = async (from: Person, to: Person) =>
  (await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })).body[0]

/** Lets time pass by the program's clock, and the clock tick once. */
async function pass(seconds: number): Promise<void> {
  laterMs += seconds * 1000
  await world.ctx.write(async (tx) => tx.emit('clock.minutely', {}))
  await world.settle()
}

test('a mute lasts as long as it was said last, and ends within the minute after', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await mute(alice, carol)
  await mute(alice, bob, { duration: 600 })
  await pass(300)
  const longer = await mute(alice, bob, { duration: 900, notifications: false })
  assert.deepEqual([longer.muting, longer.muting_notifications], [true, false])
  await pass(600)
  assert.equal((await relation(alice, bob)).muting, true)
  await pass(301)
  const ended = await relation(alice, bob)
  assert.deepEqual([ended.muting, ended.muting_notifications, ended.muting_expires_at], [false, false, null])
  assert.deepEqual(
    (await alice.client.get('/api/v1/mutes')).body.map((one: { id: string; mute_expires_at: unknown }) => [
      one.id,
      one.mute_expires_at,
    ]),
    [[carol.accountId, null]],
  )
  await mute(alice, bob, { duration: 600 })
  // Without a duration it is for ever now.
  assert.equal((await mute(alice, bob)).muting_expires_at, null)
  await pass(86_400)
  assert.equal((await relation(alice, bob)).muting, true)
})

test('VI16 who is muted does not learn it, and is heard by others as before', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await alice.client.post(`/api/v1/accounts/${carol.accountId}/follow`)
  await mute(alice, bob)
  const before = { ...(await relation(carol, alice)), id: '' }
  assert.deepEqual({ ...(await relation(bob, alice)), id: '' }, { ...before, followed_by: false })
  const { body: status } = await bob.client.post('/api/v1/statuses', {
    status: `hello @${alice.username} @${carol.username}`,
  })
  const { body: boost } = await carol.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await world.settle()
  const ids = async (path: string) => (await alice.client.get(path)).body.map(({ id }: { id: string }) => id)
  for (const path of ['/api/v1/timelines/home', '/api/v1/timelines/public']) {
    const shown = await ids(path)
    assert.ok(!shown.includes(status.id) && !shown.includes(boost.id), path)
  }
  assert.deepEqual((await alice.client.get('/api/v1/notifications')).body, [])
  // Asked for, it is there: a mute is no block.
  assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}`)).status, 200)
  assert.equal((await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)).body.following, true)
  const { body: notified } = await carol.client.get('/api/v1/notifications')
  assert.ok(notified.some(({ type }: { type: string }) => type === 'mention'))
})

test('BI17 following and unfollowing, muting and unmuting 50 times at once ends in one state with exact counters', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const deeds = ['follow', 'unfollow', 'mute', 'unmute', 'endorse']
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => alice.client.post(`/api/v1/accounts/${bob.accountId}/${deeds[n % 5]}`)),
  )
  assert.ok(answers.every(({ status }) => status === 200 || status === 422))
  const { following } = await relation(alice, bob)
  const { rows } = await sql<{ following_count: number; followers_count: number }>`
    select a.following_count, b.followers_count from account_stats a, account_stats b
    where a.account_id = ${alice.accountId} and b.account_id = ${bob.accountId}`.execute(world.ctx.db)
  assert.deepEqual(rows, [{ following_count: following ? 1 : 0, followers_count: following ? 1 : 0 }])
  await world.settle()
  const { body: notified } = await bob.client.get('/api/v1/notifications')
  assert.equal(notified.length, following ? 1 : 0)
})
