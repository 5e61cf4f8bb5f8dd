import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const act = (from: Person, action: string, to: Person, body: object = {}) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`, body)
const post = async (person: Person, body: object) => (await person.client.post('/api/v1/statuses', body)).body.id

async function relation(from: Person, to: Person) {
  const { body } = await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })
  return body[0]
}

async function notified(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map(({ type }: { type: string }) => type)
}

test('FP1 a block ends follows and requests both ways, in one moment, with their counters and notifications', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const shy = await world.createPerson({ locked: true })
  await act(alice, 'follow', bob)
  await act(bob, 'follow', alice)
  await act(alice, 'follow', shy)
  await world.settle()
  const answer = await act(bob, 'block', alice)
  const { blocking, following, followed_by } = answer.body
  assert.deepEqual([answer.status, blocking, following, followed_by], [200, true, false, false])
  await act(shy, 'block', alice)
  assert.deepEqual([await notified(bob), await notified(alice), await notified(shy)], [[], [], []])
  assert.equal((await relation(alice, bob)).blocked_by, true)
  assert.equal((await relation(alice, shy)).requested, false)
  const { rows } = await sql<{ sum: number }>`
    select sum(followers_count + following_count)::int as sum from account_stats
    where account_id = any(${[alice.accountId, bob.accountId, shy.accountId]}::bigint[])`.execute(db)
  assert.equal(rows[0]!.sum, 0)
  assert.equal((await act(bob, 'block', alice)).status, 200)
})

test('FP1 while there is a block, neither side can follow, mention, answer, favourite or boost the other', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const ofAlice = await post(alice, { status: 'mine' })
  const ofBob = await post(bob, { status: 'mine' })
  await act(bob, 'block', alice)
  for (const [from, to, statusId] of [
    [alice, bob, ofBob],
    [bob, alice, ofAlice],
  ] as const) {
    assert.equal((await act(from, 'follow', to)).status, 403)
    assert.equal((await from.client.post(`/api/v1/statuses/${statusId}/favourite`)).status, 404)
    assert.equal((await from.client.post(`/api/v1/statuses/${statusId}/reblog`)).status, 404)
    await from.client.post('/api/v1/statuses', { status: `@${to.username} hello` })
  }
  assert.deepEqual([await notified(alice), await notified(bob)], [[], []])
  const { rows } = await sql`
    select from follows where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])`.execute(db)
  assert.equal(rows.length, 0)
})

test('FP1 blocks, follows, favourites and mentions at the same time leave nothing between the two', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const statusId = await post(bob, { status: 'look' })
    const answers = await Promise.all([
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
    assert.ok(answers.every(({ status }) => status < 500))
    assert.deepEqual([await notified(bob), await notified(alice)], [[], []])
    const { rows } = await sql<{ pairs: number; sum: number }>`
      select (select count(*)::int from follows
          where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])) as pairs,
        (select sum(followers_count + following_count)::int from account_stats
          where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])) as sum`.execute(db)
    assert.deepEqual(rows[0], { pairs: 0, sum: 0 })
  }
})

test('after a block ends, people can begin anew; what it ended does not come back', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await act(alice, 'follow', bob)
  await act(bob, 'block', alice)
  assert.equal((await act(bob, 'unblock', alice)).body.blocking, false)
  assert.equal((await relation(alice, bob)).following, false)
  assert.equal((await act(alice, 'follow', bob)).body.following, true)
})

test('blocking or muting oneself, or nobody, changes nothing', async () => {
  const alice = await world.createPerson()
  assert.deepEqual((await act(alice, 'block', alice)).body.blocking, false)
  assert.deepEqual((await act(alice, 'mute', alice)).body.muting, false)
  for (const action of ['block', 'unblock', 'mute', 'unmute', 'unfollow', 'remove_from_followers']) {
    const answer = await alice.client.post(`/api/v1/accounts/999999999/${action}`)
    assert.deepEqual([action, answer.status, answer.body], [action, 404, { error: 'Record not found' }])
  }
})

test('VI16 a mute hides posts and notifications, unless it says to keep the latter; a second mute changes that', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await act(alice, 'follow', bob)
  const statusId = await post(alice, { status: 'like me' })
  const spoken = await post(bob, { status: `@${alice.username} hello` })
  assert.deepEqual(await notified(alice), ['mention'])

  const kept = await act(alice, 'mute', bob, { notifications: false })
  assert.deepEqual([kept.body.muting, kept.body.muting_notifications], [true, false])
  const home = await alice.client.get('/api/v1/timelines/home')
  assert.ok(!home.body.some(({ id }: { id: string }) => id === spoken))
  await bob.client.post(`/api/v1/statuses/${statusId}/favourite`)
  assert.deepEqual(await notified(alice), ['favourite', 'mention'])

  const hidden = await act(alice, 'mute', bob, { notifications: null })
  assert.equal(hidden.body.muting_notifications, true)
  assert.deepEqual(await notified(alice), [])
  await bob.client.post(`/api/v1/statuses/${statusId}/reblog`)
  await post(bob, { status: `@${alice.username} again` })
  assert.deepEqual(await notified(alice), [])

  assert.equal((await act(alice, 'mute', bob, { notifications: 'false' })).body.muting_notifications, false)
  await post(bob, { status: `@${alice.username} once more` })
  assert.deepEqual(await notified(alice), ['mention'])
})

test('a mute for a time shows its end, and is over then; what was posted meanwhile comes into the feed', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await act(alice, 'follow', bob)
  const muted = await act(alice, 'mute', bob, { duration: '3600' })
  const end = new Date(muted.body.muting_expires_at)
  assert.match(muted.body.muting_expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.ok(Math.abs(end.getTime() - Date.now() - 3_600_000) < 60_000)
  const id = await post(bob, { status: 'said in the meantime' })
  await world.settle()
  const list = await alice.client.get('/api/v1/mutes')
  assert.deepEqual(
    [list.body[0].id, list.body[0].mute_expires_at.slice(0, 19)],
    [bob.accountId, muted.body.muting_expires_at.slice(0, 19)],
  )

  await sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await relation(alice, bob)).muting, false)
  assert.deepEqual((await alice.client.get('/api/v1/mutes')).body, [])
  await world.ctx.write(async (tx) => tx.emit('clock.minutely', {}))
  await world.settle()
  const { rows } = await sql`select from mutes where account_id = ${alice.accountId}`.execute(db)
  assert.equal(rows.length, 0)
  const home = await alice.client.get('/api/v1/timelines/home')
  assert.deepEqual(
    home.body.map((status: { id: string }) => status.id),
    [id],
  )
})

test('BI9 a duration below zero, or longer than a life, is a mute without an end', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  for (const duration of [-1, 0, 1e18, '1e400', 'x', [], {}]) {
    const { status, body } = await act(alice, 'mute', bob, { duration })
    assert.deepEqual([duration, status, body.muting], [duration, 200, true])
  }
  assert.equal((await act(alice, 'mute', bob, { duration: -1 })).body.muting_expires_at, null)
  assert.equal((await act(alice, 'mute', bob, { duration: 1e18 })).body.muting_expires_at, null)
  assert.equal((await act(alice, 'unmute', bob)).body.muting, false)
})
