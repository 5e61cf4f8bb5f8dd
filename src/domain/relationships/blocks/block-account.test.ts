import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countDeadlocks, untilLockWaits } from '../../../../test/features/lock-waits.ts'
import type { ClientResponse } from '../../../../test/http/client.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { blockAccount } from './block-account.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const act = (from: TestUser, action: string, to: TestUser, body: object = {}) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`, body)
const post = async (user: TestUser, body: object) => (await user.client.post('/api/v1/statuses', body)).body.id

async function relationship(from: TestUser, to: TestUser) {
  const { body } = await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })
  return body[0]
}

async function notificationTypes(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map(({ type }: { type: string }) => type)
}

test('FP1 a block ends follows and requests in both directions at once, with counters and notifications', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const shy = await testServer.createUser({ locked: true })
  await act(alice, 'follow', bob)
  await act(bob, 'follow', alice)
  await act(alice, 'follow', shy)
  await testServer.waitForJobs()
  const response = await act(bob, 'block', alice)
  const { blocking, following, followed_by } = response.body
  assert.deepEqual([response.status, blocking, following, followed_by], [200, true, false, false])
  await act(shy, 'block', alice)
  assert.deepEqual(
    [await notificationTypes(bob), await notificationTypes(alice), await notificationTypes(shy)],
    [[], [], []],
  )
  assert.equal((await relationship(alice, bob)).blocked_by, true)
  assert.equal((await relationship(alice, shy)).requested, false)
  const { rows } = await sql<{ sum: number }>`
    select sum(followers_count + following_count)::int as sum from account_stats
    where account_id = any(${[alice.accountId, bob.accountId, shy.accountId]}::bigint[])`.execute(db)
  assert.equal(rows[0]!.sum, 0)
  assert.equal((await act(bob, 'block', alice)).status, 200)
})

for (const visibility of ['public', 'direct']) {
  test(`a block and the deletion of a status that notified the blocker do not deadlock: ${visibility}`, async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    // Otherwise Bob's policy filters the notification of a direct status.
    await act(bob, 'follow', alice)
    const id = await post(alice, { status: `@${bob.username}`, visibility })
    assert.deepEqual(await notificationTypes(bob), ['mention'])
    const deadlocks = await countDeadlocks(db)
    let deletion: Promise<ClientResponse> | undefined
    await testServer.ctx.write(async (tx) => {
      await lockAccounts(tx, { ids: [alice.accountId, bob.accountId] })
      deletion = alice.client.delete(`/api/v1/statuses/${id}`)
      await untilLockWaits(testServer, 1)
      await blockAccount(tx, { accountId: bob.accountId, targetAccountId: alice.accountId })
    })
    assert.equal((await deletion)?.status, 200)
    assert.equal(await countDeadlocks(db), deadlocks)
    assert.deepEqual(await notificationTypes(bob), [])
  })
}

test('FP1 during a block, neither account can follow, mention, reply to, favourite or reblog the other', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const aliceStatusId = await post(alice, { status: 'mine' })
  const bobStatusId = await post(bob, { status: 'mine' })
  await act(bob, 'block', alice)
  for (const [from, to, statusId] of [
    [alice, bob, bobStatusId],
    [bob, alice, aliceStatusId],
  ] as const) {
    assert.equal((await act(from, 'follow', to)).status, 403)
    assert.equal((await from.client.post(`/api/v1/statuses/${statusId}/favourite`)).status, 404)
    assert.equal((await from.client.post(`/api/v1/statuses/${statusId}/reblog`)).status, 404)
    await from.client.post('/api/v1/statuses', { status: `@${to.username} hello` })
  }
  assert.deepEqual([await notificationTypes(alice), await notificationTypes(bob)], [[], []])
  const { rows } = await sql`
    select from follows where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])`.execute(db)
  assert.equal(rows.length, 0)
})

test('the handle of an account that the author blocks stays plain text, also in an edit', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const early = { status: `@${bob.username} first`, visibility: 'direct' }
  const former = await post(alice, early)
  await act(alice, 'block', bob)
  const { body: status } = await alice.client.post('/api/v1/statuses', {
    status: `@${bob.username} is blocked`,
    visibility: 'private',
    allowed_mentions: [],
  })
  assert.deepEqual([status.content, status.mentions], [`<p>@${bob.username} is blocked</p>`, []])
  const edited = await alice.client.put(`/api/v1/statuses/${former}`, { status: `@${bob.username} second` })
  assert.deepEqual(edited.body.mentions, [])
  await act(alice, 'unblock', bob)
  const seen = (id: string) => bob.client.get(`/api/v1/statuses/${id}`).then((response) => response.status)
  // Former mentions keep access.
  assert.deepEqual([await seen(status.id), await seen(former)], [404, 200])
  assert.equal((await alice.client.post('/api/v1/statuses', early)).body.mentions.length, 1)
})

test('FP1 concurrent blocks, follows, favourites and mentions leave no relationship between two accounts', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const statusId = await post(bob, { status: 'look' })
    const responses = await Promise.all([
      act(alice, 'follow', bob),
      act(bob, 'follow', alice),
      alice.client.post(`/api/v1/statuses/${statusId}/favourite`),
      alice.client.post('/api/v1/statuses', { status: `@${bob.username} hi` }),
      act(bob, 'block', alice),
      act(alice, 'follow', bob, { notify: true }),
      act(alice, 'block', bob),
      act(bob, 'mute', alice),
      act(alice, 'mute', bob),
    ])
    assert.ok(responses.every(({ status }) => status < 500))
    assert.deepEqual([await notificationTypes(bob), await notificationTypes(alice)], [[], []])
    const { rows } = await sql<{ pairs: number; sum: number }>`
      select (select count(*)::int from follows
          where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])) as pairs,
        (select sum(followers_count + following_count)::int from account_stats
          where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])) as sum`.execute(db)
    assert.deepEqual(rows[0], { pairs: 0, sum: 0 })
  }
})

test('after an unblock, the account can follow again, but relationships that the block ended are not restored', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await act(alice, 'follow', bob)
  await act(bob, 'block', alice)
  assert.equal((await act(bob, 'unblock', alice)).body.blocking, false)
  assert.equal((await relationship(alice, bob)).following, false)
  assert.equal((await act(alice, 'follow', bob)).body.following, true)
})

test('blocking or muting one’s own account has no effect, and an unknown account gives 404', async () => {
  const alice = await testServer.createUser()
  assert.deepEqual((await act(alice, 'block', alice)).body.blocking, false)
  assert.deepEqual((await act(alice, 'mute', alice)).body.muting, false)
  for (const action of ['block', 'unblock', 'mute', 'unmute', 'unfollow', 'remove_from_followers']) {
    const response = await alice.client.post(`/api/v1/accounts/999999999/${action}`)
    assert.deepEqual([action, response.status, response.body], [action, 404, { error: 'Record not found' }])
  }
})

test('VI16 a mute hides statuses and, unless disabled, notifications; a second mute changes the option', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await act(alice, 'follow', bob)
  const statusId = await post(alice, { status: 'like me' })
  const mentionId = await post(bob, { status: `@${alice.username} hello` })
  assert.deepEqual(await notificationTypes(alice), ['mention'])

  const muted = await act(alice, 'mute', bob, { notifications: false })
  assert.deepEqual([muted.body.muting, muted.body.muting_notifications], [true, false])
  const home = await alice.client.get('/api/v1/timelines/home')
  assert.ok(!home.body.some(({ id }: { id: string }) => id === mentionId))
  await bob.client.post(`/api/v1/statuses/${statusId}/favourite`)
  assert.deepEqual(await notificationTypes(alice), ['favourite', 'mention'])

  const hidden = await act(alice, 'mute', bob, { notifications: null })
  assert.equal(hidden.body.muting_notifications, true)
  assert.deepEqual(await notificationTypes(alice), [])
  await bob.client.post(`/api/v1/statuses/${statusId}/reblog`)
  await post(bob, { status: `@${alice.username} again` })
  assert.deepEqual(await notificationTypes(alice), [])

  assert.equal((await act(alice, 'mute', bob, { notifications: 'false' })).body.muting_notifications, false)
  await post(bob, { status: `@${alice.username} once more` })
  assert.deepEqual(await notificationTypes(alice), ['mention'])
})

test('a mute with a duration shows its expiry and then ends; statuses posted meanwhile appear in the feed', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await act(alice, 'follow', bob)
  const muted = await act(alice, 'mute', bob, { duration: '3600' })
  const end = new Date(muted.body.muting_expires_at)
  assert.match(muted.body.muting_expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.ok(Math.abs(end.getTime() - Date.now() - 3_600_000) < 60_000)
  const id = await post(bob, { status: 'said in the meantime' })
  await testServer.waitForJobs()
  const list = await alice.client.get('/api/v1/mutes')
  assert.deepEqual(
    [list.body[0].id, list.body[0].mute_expires_at.slice(0, 19)],
    [bob.accountId, muted.body.muting_expires_at.slice(0, 19)],
  )

  await sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await relationship(alice, bob)).muting, false)
  assert.deepEqual((await alice.client.get('/api/v1/mutes')).body, [])
  await testServer.ctx.write(async (tx) => tx.emit('clock.minutely', {}))
  await testServer.waitForJobs()
  const { rows } = await sql`select from mutes where account_id = ${alice.accountId}`.execute(db)
  assert.equal(rows.length, 0)
  const home = await alice.client.get('/api/v1/timelines/home')
  assert.deepEqual(
    home.body.map((status: { id: string }) => status.id),
    [id],
  )
})

test('BI9 a mute with a negative, invalid or very long duration never expires', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  for (const duration of [-1, 0, 1e18, '1e400', 'x', [], {}]) {
    const { status, body } = await act(alice, 'mute', bob, { duration })
    assert.deepEqual([duration, status, body.muting], [duration, 200, true])
  }
  assert.equal((await act(alice, 'mute', bob, { duration: -1 })).body.muting_expires_at, null)
  assert.equal((await act(alice, 'mute', bob, { duration: 1e18 })).body.muting_expires_at, null)
  assert.equal((await act(alice, 'unmute', bob)).body.muting, false)
})
