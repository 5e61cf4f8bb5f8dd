// Slow: sends many concurrent requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus, uniqueName } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { reblogStatus } from '../../statuses/interactions/reblog-status.ts'
import { favouriteStatus } from '../../statuses/interactions/favourite-status.ts'
import { recordFollowAccept } from '../follows/answered-requests.ts'
import { recordRemoteFollow } from '../follows/record-remote-follow.ts'
import type { FollowOutcome } from '../follows/record-remote-follow.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { ctx } = testServer

const PATH = '/api/v1/domain_blocks'
const block = (user: TestUser, domain: string) => user.client.post(PATH, { domain })
const unblock = (user: TestUser, domain: string) => user.client.delete(PATH, { domain })

/** Creates an account of a domain; `host` is the host of its id. */
const createRemote = (domain: string, host = domain) => {
  const name = uniqueName('guest')
  return createRemoteAccount(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

async function relationship(user: TestUser, id: string) {
  const { body } = await user.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0]
}

/** Records the follow of a local user by a remote account. */
const recordFollow = (accountId: string, { accountId: targetAccountId }: TestUser): Promise<FollowOutcome> =>
  ctx.write((tx) =>
    recordRemoteFollow(tx, { accountId, targetAccountId, uri: `https://any.test/follows/${uniqueName()}` }),
  )

/** Lets a user follow a remote account, which accepts. */
async function followAndAccept(user: TestUser, id: string): Promise<void> {
  await user.client.post(`/api/v1/accounts/${id}/follow`)
  await ctx.write((tx) => recordFollowAccept(tx, { accountId: user.accountId, targetAccountId: id }))
}

async function counters(id: string): Promise<[followers: number, following: number]> {
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${id}`)
  return [body.followers_count, body.following_count]
}

async function notificationTypes(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  // Severed relationships are notified, too.
  return body.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'severed_relationships')
}

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('FP1 a domain block ends follows and requests in both directions at once, with counters and notifications', async () => {
  const [alice, shy] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const [friend, fan, pending, other] = [
    await createRemote('bad.test'),
    await createRemote('deep.bad.test'),
    await createRemote('bad.test'),
    await createRemote('notbad.test'),
  ]
  await followAndAccept(alice, friend)
  await followAndAccept(alice, other)
  await alice.client.post(`/api/v1/accounts/${pending}/follow`)
  for (const id of [friend, fan, other]) assert.equal(await recordFollow(id, alice), 'following')
  assert.equal(await recordFollow(fan, shy), 'requested')
  assert.deepEqual(await notificationTypes(alice), ['follow', 'follow', 'follow'])
  assert.deepEqual(await notificationTypes(shy), ['follow_request'])
  const preview = await alice.client.get(`${PATH}/preview`, { domain: 'BAD.test.' })
  assert.deepEqual(preview.body, { following_count: 1, followers_count: 2 })

  const { status, body } = await block(alice, 'bad.test')
  assert.deepEqual([status, body], [200, {}])
  await block(shy, 'bad.test')
  for (const id of [friend, fan, pending]) {
    const { following, requested, followed_by, requested_by, domain_blocking, blocking } = await relationship(alice, id)
    assert.deepEqual(
      [following, requested, followed_by, requested_by, domain_blocking, blocking],
      [false, false, false, false, true, false],
    )
  }
  const unaffected = await relationship(alice, other)
  assert.deepEqual([unaffected.following, unaffected.followed_by, unaffected.domain_blocking], [true, true, false])
  assert.equal((await relationship(shy, fan)).requested_by, false)
  assert.deepEqual((await shy.client.get('/api/v1/follow_requests')).body, [])
  const all = await Promise.all([alice.accountId, friend, fan, pending, other].map(counters))
  assert.deepEqual(all, [
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
  ])
  assert.deepEqual([await notificationTypes(alice), await notificationTypes(shy)], [['follow'], []])
  const empty = await alice.client.get(`${PATH}/preview`, { domain: 'bad.test' })
  assert.deepEqual(empty.body, { following_count: 0, followers_count: 0 })
})

test('during a domain block, neither side can follow the other, and interactions are not notified', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const remoteId = await createRemote('rude.test')
  const { body: aliceStatus } = await alice.client.post('/api/v1/statuses', { status: 'hello' })
  const { body: bobStatus } = await bob.client.post('/api/v1/statuses', { status: 'hello' })
  await block(alice, 'rude.test')
  const refused = await alice.client.post(`/api/v1/accounts/${remoteId}/follow`)
  assert.equal(refused.status, 403)
  assert.equal(await recordFollow(remoteId, alice), 'rejected')
  assert.equal(await recordFollow(remoteId, bob), 'following')
  await createRemoteStatus(ctx, { accountId: remoteId, mentionedIds: [alice.accountId, bob.accountId] })
  for (const statusId of [aliceStatus.id, bobStatus.id]) {
    const interactions = [
      () => ctx.write((tx) => favouriteStatus(tx, { accountId: remoteId, statusId })),
      () => ctx.write((tx) => reblogStatus(tx, { accountId: remoteId, statusId })),
    ]
    for (const interact of interactions) {
      if (statusId === bobStatus.id) await interact()
      // Accounts of a domain that the author blocks cannot see the status.
      else await assert.rejects(interact, { name: 'NotFoundError' })
    }
  }
  assert.deepEqual(await notificationTypes(alice), [])
  assert.deepEqual((await notificationTypes(bob)).toSorted(), ['favourite', 'follow', 'mention', 'reblog'])
  await unblock(alice, 'rude.test')
  assert.equal((await relationship(alice, remoteId)).domain_blocking, false)
  assert.equal(await recordFollow(remoteId, alice), 'following')
  await ctx.write((tx) => favouriteStatus(tx, { accountId: remoteId, statusId: aliceStatus.id }))
  assert.deepEqual((await notificationTypes(alice)).toSorted(), ['favourite', 'follow'])
})

test('VI15 a domain block covers every spelling, subdomains, handles and account ids, and no other domain', async () => {
  const alice = await testServer.createUser()
  const inside = await Promise.all([
    createRemote('xn--mnchen-3ya.test'),
    createRemote('a.b.xn--mnchen-3ya.test'),
    // The domain of the handle differs from the host of the account id.
    createRemote('innocent.test', 'www.xn--mnchen-3ya.test'),
    createRemote('xn--mnchen-3ya.test', 'innocent.test'),
    createRemote('port.test', 'XN--Mnchen-3ya.test.:8443'),
  ])
  const outside = await Promise.all([
    createRemote('axn--mnchen-3ya.test'),
    createRemote('xn--mnchen-3ya.test.example'),
    createRemote('test.example', 'innocent.test'),
  ])
  for (const spelling of [
    'MÜNCHEN.test',
    ' münchen.test. ',
    'xn--mnchen-3ya.TEST',
    'münchen．test',
    'münchen.test:443',
  ]) {
    assert.equal((await block(alice, spelling)).status, 200)
    assert.deepEqual((await alice.client.get(PATH)).body, ['xn--mnchen-3ya.test'], spelling)
    const { body } = await alice.client.get('/api/v1/accounts/relationships', { id: [...inside, ...outside] })
    assert.deepEqual(
      body.map((one: { domain_blocking: boolean }) => one.domain_blocking),
      [...inside.map(() => true), ...outside.map(() => false)],
    )
    assert.equal((await unblock(alice, spelling.trim().toUpperCase())).status, 200)
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  }
})

test('an invalid domain gives 422, and blocking or unblocking a domain twice has no effect', async () => {
  const alice = await testServer.createUser()
  for (const domain of [
    '',
    '   ',
    'no domain',
    'https://x.test/',
    'a..test',
    '@x.test',
    null,
    [],
    `${'a'.repeat(64)}.test`,
  ]) {
    for (const { status, body } of [
      await alice.client.post(PATH, { domain }),
      await alice.client.delete(PATH, { domain }),
      await alice.client.get(`${PATH}/preview`, typeof domain === 'string' ? { domain } : {}),
    ]) {
      assert.deepEqual([domain, status], [domain, 422])
      assert.match(body.error, /^Validation failed: Domain /)
    }
  }
  for (const _ of [1, 2]) assert.equal((await block(alice, 'twice.test')).status, 200)
  assert.deepEqual((await alice.client.get(PATH)).body, ['twice.test'])
  for (const _ of [1, 2]) assert.equal((await alice.client.delete(`${PATH}?domain=twice.test`)).status, 200)
  assert.deepEqual((await alice.client.get(PATH)).body, [])
})

test('accounts of a blocked domain are hidden in timelines, threads and lists, but can be looked up', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const author = await createRemote('loud.test')
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  await recordFollow(author, bob)
  const statusId = await createRemoteStatus(ctx, { accountId: author, publishedAt: new Date() })
  const { body: root } = await bob.client.post('/api/v1/statuses', { status: 'a question' })
  const replyId = await createRemoteStatus(ctx, { accountId: author, inReplyTo: root.uri })
  const { body: reblog } = await bob.client.post(`/api/v1/statuses/${statusId}/reblog`)
  await testServer.waitForJobs()
  const visibility = async (user: TestUser) => {
    const [federated, home, thread, followers] = await Promise.all([
      user.client.get('/api/v1/timelines/public'),
      user.client.get('/api/v1/timelines/home'),
      user.client.get(`/api/v1/statuses/${root.id}/context`),
      user.client.get(`/api/v1/accounts/${bob.accountId}/followers`),
    ])
    return {
      federated: idsOf(federated.body).includes(statusId),
      home: idsOf(home.body).includes(reblog.id),
      thread: idsOf(thread.body.descendants).includes(replyId),
      followers: idsOf(followers.body).includes(author),
    }
  }
  const everywhere = { federated: true, home: true, thread: true, followers: true }
  assert.deepEqual(await visibility(alice), everywhere)
  await block(alice, 'loud.test')
  await testServer.waitForJobs()
  assert.deepEqual(await visibility(alice), { federated: false, home: false, thread: false, followers: false })
  assert.deepEqual(await visibility(bob), everywhere)
  const { body: found } = await alice.client.get('/api/v1/accounts/search', { q: 'guest' })
  assert.ok(idsOf(found).includes(author))
  assert.equal((await alice.client.get(`/api/v1/statuses/${statusId}`)).status, 200)
  await unblock(alice, 'loud.test')
  const after = await visibility(alice)
  assert.deepEqual([after.federated, after.thread, after.followers], [true, true, true])
})

test('BI17 concurrent domain blocks and follows leave no follow and exact counters', async () => {
  for (let round = 0; round < 4; round += 1) {
    const alice = await testServer.createUser()
    const domain = `race${round}.test`
    const others = await Promise.all(Array.from({ length: 6 }, () => createRemote(domain)))
    for (const id of others.slice(0, 3)) await followAndAccept(alice, id)
    const responses = await Promise.all([
      ...others.map((id) => alice.client.post(`/api/v1/accounts/${id}/follow`)),
      block(alice, domain),
      ...others.map((id) => recordFollow(id, alice).then(() => ({ status: 200 }))),
      block(alice, `sub.${domain}`),
    ])
    assert.ok(responses.every(({ status }) => status < 500))
    await testServer.waitForJobs()
    const { rows } = await sql<{ relationships: number; sum: number; notifications: number }>`
      with parties as (select unnest(${[alice.accountId, ...others]}::bigint[]) as id)
      select (select count(*)::int from follows where account_id in (select id from parties))
          + (select count(*)::int from follow_requests where account_id in (select id from parties)) as relationships,
        (select sum(followers_count + following_count)::int from account_stats where account_id in (select id from parties)) as sum,
        (select count(*)::int from notifications where account_id = ${alice.accountId}
          and type <> 'severed_relationships') as notifications`.execute(ctx.db)
    assert.deepEqual(rows[0], { relationships: 0, sum: 0, notifications: 0 })
  }
})
