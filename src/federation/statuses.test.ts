import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createStranger, testKeys } from '../../test/stranger.ts'
import type { Stranger } from '../../test/stranger.ts'
import { openWorld } from '../../test/world.ts'
import type { Person, World } from '../../test/world.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const JSON_TYPE = 'application/activity+json; charset=utf-8'

let world: World
let ann: Person
let friend: Stranger
let other: Stranger

before(async () => {
  world = await openWorld()
  ann = await world.createPerson({ username: 'ann' })
  friend = await createStranger(world, { username: 'friend' })
  other = await createStranger(world, { username: 'other' })
  await follow(friend, ann)
})
after(() => world.close())

async function follow(from: { accountId: string }, to: { accountId: string }): Promise<void> {
  const values = { account_id: from.accountId, target_account_id: to.accountId }
  await world.ctx.write((tx) => tx.db.insertInto('follows').values(values).execute())
}

async function post(person: Person, body: Record<string, unknown>): Promise<{ id: string; path: string }> {
  const { status, body: made } = await person.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return { id: made.id, path: `/ap/users/${person.accountId}/statuses/${made.reblog ? made.reblog.id : made.id}` }
}

const get = (path: string, accept = 'application/activity+json') =>
  world.anonymous.send({ method: 'GET', url: path, headers: { accept } })

const actor = () => `https://linnet.test/ap/users/${ann.accountId}`

test('a public note is there for everybody, and may be kept for a while', async () => {
  const { id, path } = await post(ann, { status: 'hello', language: 'en', spoiler_text: 'greeting' })
  const { status, headers, body } = await get(path)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], JSON_TYPE)
  assert.equal(headers['cache-control'], 'public, max-age=180')
  assert.equal(headers['vary'], 'Accept, Signature')
  assert.equal(body['@context'][0], 'https://www.w3.org/ns/activitystreams')
  assert.equal(body.id, `https://linnet.test${path}`)
  assert.equal(body.type, 'Note')
  assert.equal(body.attributedTo, actor())
  assert.deepEqual([body.to, body.cc], [[PUBLIC], [`${actor()}/followers`]])
  assert.equal(body.content, '<p>hello</p>')
  assert.deepEqual(body.contentMap, { en: '<p>hello</p>' })
  assert.equal(body.summary, 'greeting')
  assert.equal(body.sensitive, true)
  assert.equal(body.url, `https://linnet.test/@ann/${id}`)
  assert.match(body.published, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.equal(body.replies.first.next, `https://linnet.test${path}/replies?page=true&only_other_accounts=true`)
  assert.deepEqual(body.likes, { id: `https://linnet.test${path}/likes`, type: 'Collection', totalItems: 0 })
})

test('counters of a note are those of the moment, also when the note itself is kept', async () => {
  const { id, path } = await post(ann, { status: 'count me' })
  assert.equal((await get(path)).body.likes.totalItems, 0)
  const bob = await world.createPerson()
  await bob.client.post(`/api/v1/statuses/${id}/favourite`)
  await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const { body } = await get(path)
  assert.deepEqual([body.likes.totalItems, body.shares.totalItems], [1, 1])
  assert.equal((await get(`${path}/likes`)).body.totalItems, 1)
  assert.equal((await get(`${path}/shares`)).body.totalItems, 1)
})

for (const [visibility, readers] of [
  ['private', ['friend']],
  ['direct', ['mentioned']],
] as const) {
  test(`a ${visibility} note is only for those who may read it, and signed by them (VI5, CA1)`, async () => {
    const mentioned = await createStranger(world, { username: `mentioned_${visibility}` })
    const text = `hey @mentioned_${visibility}@remote.test`
    const { path } = await post(ann, { status: visibility === 'direct' ? text : 'for friends', visibility })
    const unknown = `/ap/users/${ann.accountId}/statuses/1`
    for (const part of ['', '/activity', '/replies', '/replies?page=true', '/likes', '/shares']) {
      for (const [name, stranger] of Object.entries({ friend, other, mentioned })) {
        const answer = await stranger.get(path + part)
        assert.equal(answer.headers['cache-control'], 'private, no-store', name)
        if ((readers as readonly string[]).includes(name)) assert.equal(answer.status, 200, `${name} ${part}`)
        else {
          const absent = await stranger.get(unknown + part)
          assert.deepEqual([answer.status, answer.body], [404, absent.body], `${name} ${part}`)
        }
      }
      const [hidden, absent] = [await get(path + part), await get(unknown + part)]
      assert.deepEqual([hidden.status, hidden.body], [404, absent.body])
      assert.equal(hidden.headers['cache-control'], 'private, no-store')
    }
  })
}

test('a note that is local only has no document, whoever asks (VI5, VI6)', async () => {
  const { path } = await post(ann, { status: 'only here', local_only: true })
  const reply = await post(ann, { status: 'goes on', in_reply_to_id: path.split('/').at(-1) })
  for (const part of ['', '/activity', '/replies', '/likes', '/shares']) {
    assert.equal((await get(path + part)).status, 404)
    assert.equal((await friend.get(path + part)).status, 404)
  }
  assert.equal((await get(reply.path)).body.inReplyTo, null, 'nor does an answer to it tell of it')
  const { body: outbox } = await friend.get(`/ap/users/${ann.accountId}/outbox?page=true`)
  assert.ok(!JSON.stringify(outbox).includes('only here'))
  const bob = await world.createPerson()
  const { body: boost } = await bob.client.post(`/api/v1/statuses/${path.split('/').at(-1)}/reblog`)
  const boostPath = `/ap/users/${bob.accountId}/statuses/${boost.id}`
  await follow(friend, bob)
  for (const part of ['', '/activity'])
    assert.equal((await friend.get(boostPath + part)).status, 404, 'nor a boost of it')
  assert.deepEqual((await friend.get(`/ap/users/${bob.accountId}/outbox?page=true`)).body.orderedItems, [])
})

test('somebody who is blocked finds nothing with their signature (VI5)', async () => {
  const { path } = await post(ann, { status: 'not for you' })
  const blocked = await createStranger(world, { username: 'blocked' })
  await ann.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  for (const part of ['', '/activity', '/replies', '/likes', '/shares']) {
    assert.equal((await blocked.get(path + part)).status, 404, part)
  }
  const { body } = await blocked.get(`/ap/users/${ann.accountId}/outbox?page=true`)
  assert.deepEqual(body.orderedItems, [])
})

test('nobody of a blocked domain, and nobody who is suspended, finds anything with their signature (VI15)', async () => {
  const { path } = await post(ann, { status: 'not for you' })
  const shutOut = await createStranger(world, { username: 'shut', domain: 'sub.shut.test' })
  const suspended = await createStranger(world, { username: 'gone', suspended_at: new Date() })
  assert.equal((await shutOut.get(path)).status, 200)
  await world.ctx.write((tx) =>
    tx.db.insertInto('domain_blocks').values({ domain: 'shut.test', severity: 'suspend' }).execute(),
  )
  for (const stranger of [shutOut, suspended]) {
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await stranger.get(`/ap/users/${ann.accountId}`)).status, 404)
  }
})

test('a signature that does not hold counts as none (VI5)', async () => {
  const open = await post(ann, { status: 'open' })
  const closed = await post(ann, { status: 'closed', visibility: 'private' })
  const forged = { privateKey: testKeys(7).privateKey }
  assert.equal((await friend.get(closed.path)).status, 200)
  assert.equal((await friend.get(closed.path, { spec: 'rfc9421' })).status, 200)
  assert.equal((await friend.get(closed.path, forged)).status, 404)
  assert.equal((await friend.get(open.path, forged)).status, 200)
  assert.equal((await friend.get(closed.path, { keyId: other.keyId })).status, 404)
  const headers = { accept: 'application/activity+json', signature: 'nonsense' }
  assert.equal((await world.anonymous.send({ method: 'GET', url: open.path, headers })).status, 200)
  assert.equal((await world.anonymous.send({ method: 'GET', url: closed.path, headers })).status, 404)
})

test('an answer that was made for a signature is kept by nobody (CA1)', async () => {
  const { path } = await post(ann, { status: 'open' })
  for (const one of [path, `/ap/users/${ann.accountId}`, `/ap/users/${ann.accountId}/outbox`]) {
    const { status, headers } = await other.get(one)
    assert.deepEqual([status, headers['cache-control']], [200, 'private, no-store'])
    assert.equal(headers['vary'], 'Accept, Signature')
  }
})

test('a boost leads to what it boosts, and is announced', async () => {
  const bob = await world.createPerson()
  const { path, id } = await post(ann, { status: 'boost me' })
  const { body: boost } = await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const boostPath = `/ap/users/${bob.accountId}/statuses/${boost.id}`
  const { status, headers } = await get(boostPath)
  assert.deepEqual([status, headers['location']], [302, `https://linnet.test${path}`])
  const { body } = await get(`${boostPath}/activity`)
  assert.equal(body.type, 'Announce')
  assert.equal(body.id, `https://linnet.test${boostPath}/activity`)
  assert.equal(body.object, `https://linnet.test${path}`)
  assert.deepEqual(body.to, [PUBLIC])
  assert.deepEqual(body.cc, [actor(), `https://linnet.test/ap/users/${bob.accountId}/followers`])
  for (const part of ['/replies', '/likes', '/shares']) assert.equal((await get(boostPath + part)).status, 404)
})

test("a boost of one's own note for followers carries the note (VI7)", async () => {
  const { id } = await post(ann, { status: 'again', visibility: 'private' })
  const { body: boost } = await ann.client.post(`/api/v1/statuses/${id}/reblog`)
  const path = `/ap/users/${ann.accountId}/statuses/${boost.id}/activity`
  assert.equal((await get(path)).status, 404)
  assert.equal((await other.get(path)).status, 404)
  const { body } = await friend.get(path)
  assert.equal(body.object.content, '<p>again</p>')
  assert.deepEqual(body.to, [`${actor()}/followers`])
})

test('a status belongs to its author’s address only', async () => {
  const bob = await world.createPerson()
  const { id } = await post(ann, { status: 'mine' })
  assert.equal((await get(`/ap/users/${bob.accountId}/statuses/${id}`)).status, 404)
  for (const odd of ['0', '-1', 'abc', '99999999999999999999', '1%00', '1e3']) {
    assert.equal((await get(`/ap/users/${ann.accountId}/statuses/${odd}`)).status, 404, odd)
  }
})

test('replies come in pages, the author’s own first, and only those for everybody (VI2)', async () => {
  const { id, path } = await post(ann, { status: 'a thread' })
  const bob = await world.createPerson()
  const own: string[] = []
  for (let n = 0; n < 7; n += 1) {
    const reply = await post(ann, { status: `own ${n}`, in_reply_to_id: id })
    own.push(`https://linnet.test${reply.path}`)
  }
  const theirs = await post(bob, { status: 'theirs', in_reply_to_id: id, visibility: 'unlisted' })
  await post(bob, { status: 'hidden', in_reply_to_id: id, visibility: 'private' })
  await post(bob, { status: 'only here', in_reply_to_id: id, local_only: true })
  const { body: note } = await get(path)
  assert.deepEqual(note.replies.first.items, own.slice(0, 5))
  const rest = (await get(note.replies.first.next.replace('https://linnet.test', ''))).body
  assert.deepEqual(rest.items, own.slice(5))
  assert.equal(rest.partOf, `https://linnet.test${path}/replies`)
  const others = (await get(rest.next.replace('https://linnet.test', ''))).body
  assert.deepEqual(others.items, [`https://linnet.test${theirs.path}`])
  assert.equal(others.next, undefined)
  const { body: collection } = await get(`${path}/replies`)
  const first = (await get(collection.first.replace('https://linnet.test', ''))).body
  assert.deepEqual(first.items, own)
})

test('a browser is led to the page of a status, if it may see it', async () => {
  const open = await post(ann, { status: 'open' })
  const closed = await post(ann, { status: 'closed', visibility: 'private' })
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const { status, headers } = await get(open.path, html)
  assert.deepEqual([status, headers['location']], [302, `https://linnet.test/@ann/${open.id}`])
  assert.equal((await get(closed.path, html)).status, 404)
  const led = await get(`/@ann/${open.id}`)
  assert.deepEqual([led.status, led.headers['location']], [302, `https://linnet.test${open.path}`])
  assert.equal((await get(`/@ann/${closed.id}`)).status, 302, 'the way is the same, whether there is something or not')
})
