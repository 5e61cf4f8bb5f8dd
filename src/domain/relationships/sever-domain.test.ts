import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { makeRemote, makeRemoteStatus, newName } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Notification } from '../../entities/notification.ts'
import { setDomainBlock } from '../moderation/change-domain-blocks.ts'
import type { DomainRule } from '../moderation/change-domain-blocks.ts'
import { acceptOwnRequest } from './own-requests.ts'
import { receiveFollow } from './receive-follow.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world

async function rule(domain: string, severity: DomainRule['severity'] = 'suspend'): Promise<void> {
  const comments = { publicComment: '', privateComment: '' }
  const more = { rejectMedia: false, rejectReports: false, obfuscate: false, ...comments }
  await ctx.write((tx) => setDomainBlock(tx, { domain, severity, ...more }))
  await world.settle()
}

/** Somebody of a domain; the address of their account may be elsewhere. */
const remoteOf = (domain: string, host = domain) => {
  const name = newName('guest')
  return makeRemote(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

const receive = (accountId: string, { accountId: targetAccountId }: Person) =>
  ctx.write((tx) => receiveFollow(tx, { accountId, targetAccountId, uri: `https://any.test/follows/${newName()}` }))

async function befriend({ client, accountId }: Person, id: string): Promise<void> {
  await client.post(`/api/v1/accounts/${id}/follow`)
  await ctx.write((tx) => acceptOwnRequest(tx, { accountId, targetAccountId: id }))
}

async function counters(id: string): Promise<[followers: number, following: number]> {
  const { body } = await world.anonymous.get(`/api/v1/accounts/${id}`)
  return [body.followers_count, body.following_count]
}

async function notified({ client }: Person): Promise<Notification[]> {
  await world.settle()
  const { body } = await client.get('/api/v1/notifications')
  for (const one of body) assertOnWire('Notification', one)
  return body
}

/** How much was ever meant for the servers that are suspended here. */
const sent = async () => (await sql`select from deliveries where domain like '%bad.test'`.execute(ctx.db)).rows.length

const home = async ({ client }: Person) =>
  (await client.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id)

test('when a server is suspended, follows there and from there end, and whoever here lost some is told how many', async () => {
  const [alice, bob, shy] = [
    await world.createPerson(),
    await world.createPerson(),
    await world.createPerson({ locked: true }),
  ]
  const [friend, fan, elsewhere, spared, other] = [
    await remoteOf('bad.test'),
    await remoteOf('deep.bad.test'),
    await remoteOf('innocent.test', 'www.bad.test'),
    await remoteOf('spared.bad.test'),
    await remoteOf('notbad.test'),
  ]
  await rule('spared.bad.test', 'noop')
  for (const id of [friend, elsewhere, spared, other]) await befriend(alice, id)
  await befriend(bob, other)
  for (const id of [fan, spared, other]) await receive(id, alice)
  await receive(fan, shy)
  await bob.client.post(`/api/v1/accounts/${friend}/follow`)
  await world.settle()
  const posts = await Promise.all([friend, other].map((accountId) => makeRemoteStatus(ctx, { accountId })))
  await world.settle()
  assert.deepEqual(new Set(await home(alice)), new Set(posts))

  // Of a server that is only limited nothing ends.
  await rule('bad.test', 'silence')
  assert.deepEqual(await counters(alice.accountId), [3, 4])
  const before = await sent()
  await rule('bad.test')
  const all = await Promise.all([alice.accountId, friend, fan, elsewhere, spared, other].map(counters))
  assert.deepEqual(all, [
    [2, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [2, 1],
  ])
  const { body } = await alice.client.get('/api/v1/accounts/relationships', { id: [friend, fan, spared] })
  assert.deepEqual(
    body.map((one: { following: boolean; followed_by: boolean }) => [one.following, one.followed_by]),
    [
      [false, false],
      [false, false],
      [true, true],
    ],
  )
  assert.deepEqual((await shy.client.get('/api/v1/follow_requests')).body, [])
  assert.equal((await bob.client.get(`/api/v1/accounts/relationships?id[]=${friend}`)).body[0].requested, false)
  assert.deepEqual(await home(alice), [posts[1]])

  const [told, ...earlier] = await notified(alice)
  assert.deepEqual(
    earlier.map(({ type }) => type),
    ['follow', 'follow'],
  )
  assert.deepEqual([told!.type, told!.account.id], ['severed_relationships', alice.accountId])
  const { id: _id, created_at: _at, ...event } = told!.event!
  assert.deepEqual(event, {
    type: 'domain_block',
    purged: true,
    target_name: 'bad.test',
    followers_count: 1,
    following_count: 2,
  })
  // Nobody is told of requests, or of what happened to others.
  assert.deepEqual([await notified(bob), await notified(shy)], [[], []])
  assert.equal(await sent(), before)
})

test('a server that is suspended again is told of again, with what was lost this time', async () => {
  const alice = await world.createPerson()
  const follow = async (count: number) => {
    for (let n = 0; n < count; n += 1) await receive(await remoteOf('again.test'), alice)
  }
  await follow(3)
  await rule('again.test')
  await rule('again.test')
  await rule('again.test', 'noop')
  await follow(1)
  await rule('again.test')
  const told = (await notified(alice)).map(({ event }) => event?.followers_count)
  assert.deepEqual(told, [1, 3])
})

test('VI4 of a follow that ends while it is being told of nothing is left', async () => {
  const alice = await world.createPerson()
  for (let round = 0; round < 5; round += 1) {
    const guests = await Promise.all(Array.from({ length: 10 }, () => remoteOf('rush.test')))
    await Promise.all(guests.map((id) => receive(id, alice)))
    await rule('rush.test')
    await rule('rush.test', 'noop')
  }
  const told = await notified(alice)
  assert.deepEqual(new Set(told.map(({ type }) => type)), new Set(['severed_relationships']))
  assert.deepEqual(await counters(alice.accountId), [0, 0])
})
