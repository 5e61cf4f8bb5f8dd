import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSigningRemoteAccount } from '../../../test/federation/remote-account.ts'
import { takeKeyPair } from '../../../test/services/rsa-keys.ts'
import type { RemoteAccount } from '../../../test/federation/remote-account.ts'
import { blockDomainAsStaff, sensitize, suspend, unsensitize } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../test/servers/test-server.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const JSON_TYPE = 'application/activity+json; charset=utf-8'

let testServer: TestServer
let ann: TestUser
let friend: RemoteAccount
let other: RemoteAccount

before(async () => {
  testServer = await openTestServer()
  ann = await testServer.createUser({ username: 'ann' })
  friend = await createSigningRemoteAccount(testServer, { username: 'friend' })
  other = await createSigningRemoteAccount(testServer, { username: 'other' })
  await follow(friend, ann)
})
after(() => testServer.close())

async function follow(from: { accountId: string }, to: { accountId: string }): Promise<void> {
  const values = { account_id: from.accountId, target_account_id: to.accountId }
  await testServer.ctx.write((tx) => tx.db.insertInto('follows').values(values).execute())
}

async function post(user: TestUser, body: Record<string, unknown>): Promise<{ id: string; path: string }> {
  const { status, body: made } = await user.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return { id: made.id, path: `/ap/users/${user.accountId}/statuses/${made.reblog ? made.reblog.id : made.id}` }
}

const get = (path: string, accept = 'application/activity+json') =>
  testServer.anonymous.send({ method: 'GET', url: path, headers: { accept } })

const actor = () => `https://linnet.test/ap/users/${ann.accountId}`

test('a public note is served to anonymous requests, and shared caches may store it', async () => {
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

test('the counters of a cached note are current', async () => {
  const { id, path } = await post(ann, { status: 'count me' })
  assert.equal((await get(path)).body.likes.totalItems, 0)
  const bob = await testServer.createUser()
  await bob.client.post(`/api/v1/statuses/${id}/favourite`)
  await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const { body } = await get(path)
  assert.deepEqual([body.likes.totalItems, body.shares.totalItems], [1, 1])
  assert.equal((await get(`${path}/likes`)).body.totalItems, 1)
  assert.equal((await get(`${path}/shares`)).body.totalItems, 1)
})

test('a cached note says that staff mark the media of its author as sensitive', async () => {
  const user = await testServer.createUser()
  const { path } = await post(user, { status: 'a picture' })
  const isSensitive = async () => (await get(path)).body.sensitive
  assert.equal(await isSensitive(), false)
  await sensitize(testServer.ctx, user)
  assert.equal(await isSensitive(), true)
  await unsensitize(testServer.ctx, user)
  assert.equal(await isSensitive(), false)
})

for (const [visibility, readers] of [
  ['private', ['friend']],
  ['direct', ['mentioned']],
] as const) {
  test(`a ${visibility} note is only served to signed requests of accounts that can see it (VI5, CA1)`, async () => {
    const mentioned = await createSigningRemoteAccount(testServer, { username: `mentioned_${visibility}` })
    const text = `hey @mentioned_${visibility}@remote.test`
    const { path } = await post(ann, { status: visibility === 'direct' ? text : 'for friends', visibility })
    const unknown = `/ap/users/${ann.accountId}/statuses/1`
    for (const part of ['', '/activity', '/replies', '/replies?page=true', '/likes', '/shares']) {
      for (const [name, reader] of Object.entries({ friend, other, mentioned })) {
        const response = await reader.get(path + part)
        assert.equal(response.headers['cache-control'], 'private, no-store', name)
        if ((readers as readonly string[]).includes(name)) assert.equal(response.status, 200, `${name} ${part}`)
        else {
          const absent = await reader.get(unknown + part)
          assert.deepEqual([response.status, response.body], [404, absent.body], `${name} ${part}`)
        }
      }
      const [hidden, absent] = [await get(path + part), await get(unknown + part)]
      assert.deepEqual([hidden.status, hidden.body], [404, absent.body])
      assert.equal(hidden.headers['cache-control'], 'private, no-store')
    }
  })
}

test('a local-only note has no document for any signer (VI5, VI6)', async () => {
  const { path } = await post(ann, { status: 'only here', local_only: true })
  const reply = await post(ann, { status: 'goes on', in_reply_to_id: path.split('/').at(-1) })
  for (const part of ['', '/activity', '/replies', '/likes', '/shares']) {
    assert.equal((await get(path + part)).status, 404)
    assert.equal((await friend.get(path + part)).status, 404)
  }
  assert.equal((await get(reply.path)).body.inReplyTo, null, 'a reply to it does not reveal it')
  const { body: outbox } = await friend.get(`/ap/users/${ann.accountId}/outbox?page=true`)
  assert.ok(!JSON.stringify(outbox).includes('only here'))
  const bob = await testServer.createUser()
  const { body: reblog } = await bob.client.post(`/api/v1/statuses/${path.split('/').at(-1)}/reblog`)
  const reblogPath = `/ap/users/${bob.accountId}/statuses/${reblog.id}`
  await follow(friend, bob)
  for (const part of ['', '/activity'])
    assert.equal((await friend.get(reblogPath + part)).status, 404, 'a reblog of it is not served')
  assert.deepEqual((await friend.get(`/ap/users/${bob.accountId}/outbox?page=true`)).body.orderedItems, [])
})

test('a blocked account gets 404 for signed requests (VI5)', async () => {
  const { path } = await post(ann, { status: 'not for you' })
  const blocked = await createSigningRemoteAccount(testServer, { username: 'blocked' })
  await ann.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  for (const part of ['', '/activity', '/replies', '/likes', '/shares']) {
    assert.equal((await blocked.get(path + part)).status, 404, part)
  }
  const { body } = await blocked.get(`/ap/users/${ann.accountId}/outbox?page=true`)
  assert.deepEqual(body.orderedItems, [])
})

test('accounts of suspended domains and suspended accounts get 404 for signed requests (VI15)', async () => {
  const { path } = await post(ann, { status: 'not for you' })
  const blocked = await createSigningRemoteAccount(testServer, { username: 'shut', domain: 'sub.shut.test' })
  const suspended = await createSigningRemoteAccount(testServer, { username: 'gone' })
  await suspend(testServer.ctx, suspended)
  assert.equal((await blocked.get(path)).status, 200)
  await blockDomainAsStaff(testServer.ctx, 'shut.test', { severity: 'suspend' })
  for (const account of [blocked, suspended]) {
    assert.equal((await account.get(path)).status, 404)
    assert.equal((await account.get(`/ap/users/${ann.accountId}`)).status, 404)
  }
})

test('a request with an invalid signature is anonymous (VI5)', async () => {
  const publicStatus = await post(ann, { status: 'open' })
  const privateStatus = await post(ann, { status: 'closed', visibility: 'private' })
  const forged = { privateKey: takeKeyPair().privateKey }
  assert.equal((await friend.get(privateStatus.path)).status, 200)
  assert.equal((await friend.get(privateStatus.path, { spec: 'rfc9421' })).status, 200)
  assert.equal((await friend.get(privateStatus.path, forged)).status, 404)
  assert.equal((await friend.get(publicStatus.path, forged)).status, 200)
  assert.equal((await friend.get(privateStatus.path, { keyId: other.keyId })).status, 404)
  const headers = { accept: 'application/activity+json', signature: 'nonsense' }
  assert.equal((await testServer.anonymous.send({ method: 'GET', url: publicStatus.path, headers })).status, 200)
  assert.equal((await testServer.anonymous.send({ method: 'GET', url: privateStatus.path, headers })).status, 404)
})

test('a response to a signed request must not be stored by caches (CA1)', async () => {
  const { path } = await post(ann, { status: 'open' })
  for (const one of [path, `/ap/users/${ann.accountId}`, `/ap/users/${ann.accountId}/outbox`]) {
    const { status, headers } = await other.get(one)
    assert.deepEqual([status, headers['cache-control']], [200, 'private, no-store'])
    assert.equal(headers['vary'], 'Accept, Signature')
  }
})

test('a reblog redirects to its original, and has an Announce', async () => {
  const bob = await testServer.createUser()
  const { path, id } = await post(ann, { status: 'boost me' })
  const { body: reblog } = await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const reblogPath = `/ap/users/${bob.accountId}/statuses/${reblog.id}`
  const { status, headers } = await get(reblogPath)
  assert.deepEqual([status, headers['location']], [302, `https://linnet.test${path}`])
  const { body } = await get(`${reblogPath}/activity`)
  assert.equal(body.type, 'Announce')
  assert.equal(body.id, `https://linnet.test${reblogPath}/activity`)
  assert.equal(body.object, `https://linnet.test${path}`)
  assert.deepEqual(body.to, [PUBLIC])
  assert.deepEqual(body.cc, [actor(), `https://linnet.test/ap/users/${bob.accountId}/followers`])
  for (const part of ['/replies', '/likes', '/shares']) assert.equal((await get(reblogPath + part)).status, 404)
})

test('a reblog of an own followers-only note embeds the note (VI7)', async () => {
  const { id } = await post(ann, { status: 'again', visibility: 'private' })
  const { body: reblog } = await ann.client.post(`/api/v1/statuses/${id}/reblog`)
  const path = `/ap/users/${ann.accountId}/statuses/${reblog.id}/activity`
  assert.equal((await get(path)).status, 404)
  assert.equal((await other.get(path)).status, 404)
  const { body } = await friend.get(path)
  assert.equal(body.object.content, '<p>again</p>')
  assert.deepEqual(body.to, [`${actor()}/followers`])
})

test('a status is served only at its author’s URL', async () => {
  const bob = await testServer.createUser()
  const { id } = await post(ann, { status: 'mine' })
  assert.equal((await get(`/ap/users/${bob.accountId}/statuses/${id}`)).status, 404)
  for (const odd of ['0', '-1', 'abc', '99999999999999999999', '1%00', '1e3']) {
    assert.equal((await get(`/ap/users/${ann.accountId}/statuses/${odd}`)).status, 404, odd)
  }
})

test('replies come in pages, the first in the collection, self-replies first, and only public or unlisted ones (VI2)', async () => {
  const { id, path } = await post(ann, { status: 'a thread' })
  const bob = await testServer.createUser()
  const own: string[] = []
  for (let n = 0; n < 7; n += 1) {
    const reply = await post(ann, { status: `own ${n}`, in_reply_to_id: id })
    own.push(`https://linnet.test${reply.path}`)
  }
  const foreign = await post(bob, { status: 'theirs', in_reply_to_id: id, visibility: 'unlisted' })
  await post(bob, { status: 'hidden', in_reply_to_id: id, visibility: 'private' })
  await post(bob, { status: 'only here', in_reply_to_id: id, local_only: true })
  const { body: note } = await get(path)
  assert.deepEqual(note.replies.first.items, own.slice(0, 5))
  const rest = (await get(note.replies.first.next.replace('https://linnet.test', ''))).body
  assert.deepEqual(rest.items, own.slice(5))
  assert.equal(rest.partOf, `https://linnet.test${path}/replies`)
  const others = (await get(rest.next.replace('https://linnet.test', ''))).body
  assert.deepEqual(others.items, [`https://linnet.test${foreign.path}`])
  assert.equal(others.next, undefined)
  const { body: collection } = await get(`${path}/replies`)
  assert.deepEqual([collection.id, collection.type], [note.replies.id, 'Collection'])
  const { '@context': context, ...first } = (await get(collection.first.id.replace('https://linnet.test', ''))).body
  assert.deepEqual([typeof context, collection.first], ['string', first])
  assert.deepEqual([first.type, first.partOf, first.items], ['CollectionPage', collection.id, own])
})

test('a browser is redirected to the web page of a status, if that is public', async () => {
  const publicStatus = await post(ann, { status: 'open' })
  const privateStatus = await post(ann, { status: 'closed', visibility: 'private' })
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const { status, headers } = await get(publicStatus.path, html)
  assert.deepEqual([status, headers['location']], [302, `https://linnet.test/@ann/${publicStatus.id}`])
  assert.equal((await get(privateStatus.path, html)).status, 404)
  const redirect = await get(`/@ann/${publicStatus.id}`)
  assert.deepEqual([redirect.status, redirect.headers['location']], [302, `https://linnet.test${publicStatus.path}`])
  assert.equal(
    (await get(`/@ann/${privateStatus.id}`)).status,
    302,
    'the redirect is the same whether the status is visible or not',
  )
})

test('the suffix .json requests a document without the header Accept', async () => {
  const { id } = await post(ann, { status: 'A document' })
  for (const [path, target] of [
    ['/@ann.json', actor()],
    ['/users/ANN.json', actor()],
    [`/@ann/${id}.json`, `${actor()}/statuses/${id}`],
    [`/users/ann/statuses/${id}.json`, `${actor()}/statuses/${id}`],
    ['/users/ann/outbox.json?page=true', `${actor()}/outbox?page=true`],
  ] as const) {
    const { status, headers } = await get(path, '*/*')
    assert.deepEqual([status, headers['location']], [302, target])
    assert.equal((await get(target, '*/*')).body.id, target)
  }
  for (const path of ['/@nobody.json', '/users/nobody.json', '/@ann/media.json'])
    assert.equal((await get(path, '*/*')).status, 404, path)
})
