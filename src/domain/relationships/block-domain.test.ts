// Slow: races many actions at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { makeRemote, makeRemoteStatus, newName } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { boostStatus } from '../statuses/boost.ts'
import { favouriteStatus } from '../statuses/favourite.ts'
import { partFromDomain } from './block-domain.ts'
import { acceptOwnRequest } from './own-requests.ts'
import { receiveFollow } from './receive-follow.ts'
import type { Reception } from './receive-follow.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)
const { ctx } = world

const PATH = '/api/v1/domain_blocks'
const block = (person: Person, domain: string) => person.client.post(PATH, { domain })
const unblock = (person: Person, domain: string) => person.client.delete(PATH, { domain })

/** Somebody of a domain; the address of their account may be elsewhere. */
const remoteOf = (domain: string, host = domain) => {
  const name = newName('guest')
  return makeRemote(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

async function relation(person: Person, id: string) {
  const { body } = await person.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0]
}

/** Somebody there follows a person here. */
const receive = (accountId: string, person: Person): Promise<Reception> =>
  ctx.write((tx) =>
    receiveFollow(tx, {
      accountId,
      targetAccountId: person.accountId,
      uri: `https://any.test/follows/${newName()}`,
    }),
  )

/** A person here follows somebody there, who agrees. */
async function befriend(person: Person, id: string): Promise<void> {
  await person.client.post(`/api/v1/accounts/${id}/follow`)
  await ctx.write((tx) => acceptOwnRequest(tx, { accountId: person.accountId, targetAccountId: id }))
}

async function counters(id: string): Promise<[followers: number, following: number]> {
  const { body } = await world.anonymous.get(`/api/v1/accounts/${id}`)
  return [body.followers_count, body.following_count]
}

async function notified(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  // How many follows that ended is told, too.
  return body.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'severed_relationships')
}

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('FP1 a domain that is blocked loses follows and requests both ways at once, with counters and notifications', async () => {
  const [alice, shy] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const [friend, fan, asked, other] = [
    await remoteOf('bad.test'),
    await remoteOf('deep.bad.test'),
    await remoteOf('bad.test'),
    await remoteOf('notbad.test'),
  ]
  await befriend(alice, friend)
  await befriend(alice, other)
  await alice.client.post(`/api/v1/accounts/${asked}/follow`)
  for (const id of [friend, fan, other]) assert.equal(await receive(id, alice), 'following')
  assert.equal(await receive(fan, shy), 'requested')
  assert.deepEqual(await notified(alice), ['follow', 'follow', 'follow'])
  assert.deepEqual(await notified(shy), ['follow_request'])
  const preview = await alice.client.get(`${PATH}/preview`, { domain: 'BAD.test.' })
  assert.deepEqual(preview.body, { following_count: 1, followers_count: 2 })

  const { status, body } = await block(alice, 'bad.test')
  assert.deepEqual([status, body], [200, {}])
  await block(shy, 'bad.test')
  for (const id of [friend, fan, asked]) {
    const { following, requested, followed_by, requested_by, domain_blocking, blocking } = await relation(alice, id)
    assert.deepEqual(
      [following, requested, followed_by, requested_by, domain_blocking, blocking],
      [false, false, false, false, true, false],
    )
  }
  const kept = await relation(alice, other)
  assert.deepEqual([kept.following, kept.followed_by, kept.domain_blocking], [true, true, false])
  assert.equal((await relation(shy, fan)).requested_by, false)
  assert.deepEqual((await shy.client.get('/api/v1/follow_requests')).body, [])
  const all = await Promise.all([alice.accountId, friend, fan, asked, other].map(counters))
  assert.deepEqual(all, [
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
  ])
  assert.deepEqual([await notified(alice), await notified(shy)], [['follow'], []])
  const empty = await alice.client.get(`${PATH}/preview`, { domain: 'bad.test' })
  assert.deepEqual(empty.body, { following_count: 0, followers_count: 0 })
})

test('nobody follows across the block of a domain, in either direction; what they do is not notified', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const stranger = await remoteOf('rude.test')
  const { body: posted } = await alice.client.post('/api/v1/statuses', { status: 'hello' })
  const { body: ofBob } = await bob.client.post('/api/v1/statuses', { status: 'hello' })
  await block(alice, 'rude.test')
  const refused = await alice.client.post(`/api/v1/accounts/${stranger}/follow`)
  assert.equal(refused.status, 403)
  assert.equal(await receive(stranger, alice), 'rejected')
  assert.equal(await receive(stranger, bob), 'following')
  await makeRemoteStatus(ctx, { accountId: stranger, mentionedIds: [alice.accountId, bob.accountId] })
  for (const statusId of [posted.id, ofBob.id]) {
    const deeds = [
      () => ctx.write((tx) => favouriteStatus(tx, { accountId: stranger, statusId })),
      () => ctx.write((tx) => boostStatus(tx, { accountId: stranger, statusId })),
    ]
    for (const deed of deeds) {
      if (statusId === ofBob.id) await deed()
      // Whose domain the author blocks does not see the post.
      else await assert.rejects(deed, { name: 'NotFound' })
    }
  }
  assert.deepEqual(await notified(alice), [])
  assert.deepEqual((await notified(bob)).toSorted(), ['favourite', 'follow', 'mention', 'reblog'])
  await unblock(alice, 'rude.test')
  assert.equal((await relation(alice, stranger)).domain_blocking, false)
  assert.equal(await receive(stranger, alice), 'following')
  await ctx.write((tx) => favouriteStatus(tx, { accountId: stranger, statusId: posted.id }))
  assert.deepEqual((await notified(alice)).toSorted(), ['favourite', 'follow'])
})

test('VI15 a domain is blocked in every spelling, with what is below it, by handle and by address, and nothing beside it', async () => {
  const alice = await world.createPerson()
  const inside = await Promise.all([
    remoteOf('xn--mnchen-3ya.test'),
    remoteOf('a.b.xn--mnchen-3ya.test'),
    // The handle names another domain than the one where the account lies, and the other way round.
    remoteOf('innocent.test', 'www.xn--mnchen-3ya.test'),
    remoteOf('xn--mnchen-3ya.test', 'innocent.test'),
    remoteOf('port.test', 'XN--Mnchen-3ya.test.:8443'),
  ])
  const outside = await Promise.all([
    remoteOf('axn--mnchen-3ya.test'),
    remoteOf('xn--mnchen-3ya.test.example'),
    remoteOf('test.example', 'innocent.test'),
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

test('what is no domain is refused with 422, and blocking or unblocking twice changes nothing', async () => {
  const alice = await world.createPerson()
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

test('people of a blocked domain are in no timeline, thread or list of others, but can be looked up', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const author = await remoteOf('loud.test')
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  await receive(author, bob)
  const statusId = await makeRemoteStatus(ctx, { accountId: author, publishedAt: new Date() })
  const { body: root } = await bob.client.post('/api/v1/statuses', { status: 'a question' })
  const replyId = await makeRemoteStatus(ctx, { accountId: author, inReplyTo: root.uri })
  const { body: boost } = await bob.client.post(`/api/v1/statuses/${statusId}/reblog`)
  await world.settle()
  const shown = async (person: Person) => {
    const [open, home, thread, followers] = await Promise.all([
      person.client.get('/api/v1/timelines/public'),
      person.client.get('/api/v1/timelines/home'),
      person.client.get(`/api/v1/statuses/${root.id}/context`),
      person.client.get(`/api/v1/accounts/${bob.accountId}/followers`),
    ])
    return {
      open: idsOf(open.body).includes(statusId),
      home: idsOf(home.body).includes(boost.id),
      thread: idsOf(thread.body.descendants).includes(replyId),
      followers: idsOf(followers.body).includes(author),
    }
  }
  const everywhere = { open: true, home: true, thread: true, followers: true }
  assert.deepEqual(await shown(alice), everywhere)
  await block(alice, 'loud.test')
  await world.settle()
  assert.deepEqual(await shown(alice), { open: false, home: false, thread: false, followers: false })
  assert.deepEqual(await shown(bob), everywhere)
  const { body: found } = await alice.client.get('/api/v1/accounts/search', { q: 'guest' })
  assert.ok(idsOf(found).includes(author))
  assert.equal((await alice.client.get(`/api/v1/statuses/${statusId}`)).status, 200)
  await unblock(alice, 'loud.test')
  const after = await shown(alice)
  assert.deepEqual([after.open, after.thread, after.followers], [true, true, true])
})

test('more follows than one transaction takes end all the same, and a follow that slipped in ends too', async () => {
  const alice = await world.createPerson()
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, uri, url)
      select 'many' || n, 'many.test', 'https://many.test/' || n, 'https://many.test/@' || n
      from generate_series(1, 1200) n returning id
    ), stats as (insert into account_stats (account_id, following_count) select id, 1 from made)
    select id from made`.execute(ctx.db)
  await sql`insert into follows (account_id, target_account_id, uri)
    select id, ${alice.accountId}, 'https://many.test/follows/' || id from unnest(${rows.map(({ id }) => id)}::bigint[]) id`.execute(
    ctx.db,
  )
  await sql`update account_stats set followers_count = 1200 where account_id = ${alice.accountId}`.execute(ctx.db)
  await block(alice, 'many.test')
  await world.settle()
  const left = async () => {
    const { rows: counted } = await sql<{ follows: number; counter: number; of_others: number }>`
      select (select count(*)::int from follows where target_account_id = ${alice.accountId}) as follows,
        (select followers_count from account_stats where account_id = ${alice.accountId}) as counter,
        (select sum(following_count)::int from account_stats st join accounts a on a.id = st.account_id
          where a.domain = 'many.test') as of_others`.execute(ctx.db)
    return counted[0]
  }
  assert.deepEqual(await left(), { follows: 0, counter: 0, of_others: 0 })
  await sql`insert into follows (account_id, target_account_id) values (${rows[0]!.id}, ${alice.accountId})`.execute(
    ctx.db,
  )
  await partFromDomain(ctx, { accountId: alice.accountId, domain: 'many.test' })
  assert.equal((await left())!.follows, 0)
  // Without the block nothing is parted.
  await unblock(alice, 'many.test')
  await receive(rows[0]!.id, alice)
  await partFromDomain(ctx, { accountId: alice.accountId, domain: 'many.test' })
  assert.equal((await left())!.follows, 1)
})

test('BI17 blocks of a domain and follows at the same time leave no follow and exact counters', async () => {
  for (let round = 0; round < 4; round += 1) {
    const alice = await world.createPerson()
    const domain = `race${round}.test`
    const others = await Promise.all(Array.from({ length: 6 }, () => remoteOf(domain)))
    for (const id of others.slice(0, 3)) await befriend(alice, id)
    const answers = await Promise.all([
      ...others.map((id) => alice.client.post(`/api/v1/accounts/${id}/follow`)),
      block(alice, domain),
      ...others.map((id) => receive(id, alice).then(() => ({ status: 200 }))),
      block(alice, `sub.${domain}`),
    ])
    assert.ok(answers.every(({ status }) => status < 500))
    await world.settle()
    const { rows } = await sql<{ ties: number; sum: number; notices: number }>`
      with people as (select unnest(${[alice.accountId, ...others]}::bigint[]) as id)
      select (select count(*)::int from follows where account_id in (select id from people))
          + (select count(*)::int from follow_requests where account_id in (select id from people)) as ties,
        (select sum(followers_count + following_count)::int from account_stats where account_id in (select id from people)) as sum,
        (select count(*)::int from notifications where account_id = ${alice.accountId}
          and type <> 'severed_relationships') as notices`.execute(ctx.db)
    assert.deepEqual(rows[0], { ties: 0, sum: 0, notices: 0 })
  }
})
