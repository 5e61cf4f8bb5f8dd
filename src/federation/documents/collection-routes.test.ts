import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../test/performance/keep-caches.ts'
import { createSigningRemoteAccount } from '../../../test/federation/remote-account.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../test/servers/test-server.ts'

let testServer: TestServer

before(async () => {
  testServer = await openTestServer({ effects: false })
})
after(() => testServer.close())

const get = async (address: string) =>
  (
    await testServer.anonymous.send({
      method: 'GET',
      url: address.replace('https://linnet.test', ''),
      headers: { accept: 'application/activity+json' },
    })
  ).body

const follow = (from: { accountId: string }, to: { accountId: string }) =>
  testServer.ctx.db
    .insertInto('follows')
    .values({ account_id: from.accountId, target_account_id: to.accountId })
    .execute()

interface Item {
  type: string
  object: { id: string }
}

/** Returns the items, and their number on each page, of all pages from a URL on. */
async function walk(first: string, direction: 'next' | 'prev' = 'next'): Promise<{ items: Item[]; sizes: number[] }> {
  const items: Item[] = []
  const sizes: number[] = []
  for (let at: string | undefined = first; at !== undefined && sizes.length < 20;) {
    const page = await get(at)
    assert.equal(page.type, 'OrderedCollectionPage')
    assert.equal(page.id, at)
    if (page.orderedItems.length === 0) break
    items.push(...(direction === 'next' ? page.orderedItems : page.orderedItems.toReversed()))
    sizes.push(page.orderedItems.length)
    at = page[direction]
  }
  return { items, sizes }
}

async function post(user: TestUser, body: Record<string, unknown>): Promise<string> {
  const { status, body: made } = await user.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return made.uri
}

test('an outbox lists all public and unlisted statuses, newest first, in pages', async () => {
  const ann = await testServer.createUser()
  const bob = await testServer.createUser()
  const outbox = `https://linnet.test/ap/users/${ann.accountId}/outbox`
  const expected: string[] = []
  for (let n = 0; n < 43; n += 1) {
    expected.unshift(await post(ann, { status: `public ${n}`, visibility: n % 2 ? 'unlisted' : 'public' }))
  }
  await post(ann, { status: 'for followers', visibility: 'private' })
  await post(ann, { status: 'for one', visibility: 'direct' })
  await post(ann, { status: 'for here', local_only: true })
  const original = await bob.client.post('/api/v1/statuses', { status: 'boost me' })
  await ann.client.post(`/api/v1/statuses/${original.body.id}/reblog`)

  const collection = await get(outbox)
  const { '@context': _context, ...head } = collection
  assert.deepEqual(head, {
    id: outbox,
    type: 'OrderedCollection',
    totalItems: 46,
    first: `${outbox}?page=true`,
    last: `${outbox}?min_id=0&page=true`,
  })
  const { items, sizes } = await walk(head.first)
  assert.deepEqual(sizes, [20, 20, 4])
  assert.deepEqual<unknown>([items[0]!.type, items[0]!.object], ['Announce', original.body.uri])
  assert.deepEqual(
    items.slice(1).map(({ type, object }) => [type, object.id]),
    expected.map((uri) => ['Create', uri]),
  )
  assert.ok(items.every((item) => !('@context' in item)))
  const last = await walk(head.last, 'prev')
  assert.deepEqual(last.items.toReversed(), items)
})

test('any page of an outbox costs the same few statements', async () => {
  const ann = await testServer.createUser()
  const count = () => countQueries(() => get(`/ap/users/${ann.accountId}/outbox?page=true`))
  await post(ann, { status: 'one' })
  await keepCaches(async () => {
    await count()
    for (let n = 0; n < 12; n += 1) await post(ann, { status: `more #tag${n} @${ann.username}` })
    const many = await count()
    await post(ann, { status: 'another' })
    assert.equal(await count(), many)
    assert.ok(many <= 6, `${many}`)
  })
})

test('followers and followed accounts are listed by their ids, twelve per page', async () => {
  const ann = await testServer.createUser()
  const accounts = []
  for (let n = 0; n < 25; n += 1) accounts.push(await createSigningRemoteAccount(testServer, { username: `crowd${n}` }))
  const waiting = await testServer.createUser({ approved: false })
  const suspended = await createSigningRemoteAccount(testServer, { username: 'suspended' })
  await suspend(testServer.ctx, suspended)
  for (const one of [...accounts, waiting, suspended]) {
    await follow(one, ann)
    await follow(ann, one)
  }
  const uris = accounts.map(({ uri }) => uri).toReversed()
  for (const name of ['followers', 'following']) {
    const collection = await get(`/ap/users/${ann.accountId}/${name}`)
    assert.equal(collection.type, 'OrderedCollection')
    const { items, sizes } = await walk(collection.first)
    assert.deepEqual<unknown[]>(items, uris)
    assert.deepEqual(sizes, [12, 12, 1])
  }
})

test('an account that hides its network shows only the totals (VI12)', async () => {
  const ann = await testServer.createUser()
  const bob = await createSigningRemoteAccount(testServer, { username: 'fan' })
  await follow(bob, ann)
  await testServer.ctx.db
    .updateTable('accounts')
    .set({ hide_collections: true })
    .where('id', '=', ann.accountId)
    .execute()
  await testServer.ctx.db
    .updateTable('account_stats')
    .set({ followers_count: 1 })
    .where('account_id', '=', ann.accountId)
    .execute()
  for (const [name, totalItems] of [
    ['followers', 1],
    ['following', 0],
  ] as const) {
    const path = `/ap/users/${ann.accountId}/${name}`
    const { '@context': _context, ...collection } = await get(path)
    assert.deepEqual(collection, { id: `https://linnet.test${path}`, type: 'OrderedCollection', totalItems })
    assert.equal((await testServer.anonymous.get(`${path}?page=true`)).status, 403)
    assert.equal((await bob.get(`${path}?page=1`)).status, 403)
  }
})

test('the outbox shows followers-only statuses to followers, and no direct statuses (VI5, VI8)', async () => {
  const ann = await testServer.createUser()
  const friend = await createSigningRemoteAccount(testServer, { username: 'outboxfriend' })
  const unrelated = await createSigningRemoteAccount(testServer, { username: 'outboxunrelated' })
  await follow(friend, ann)
  const publicUri = await post(ann, { status: 'open' })
  const privateUri = await post(ann, { status: 'closed', visibility: 'private' })
  await post(ann, { status: '@outboxfriend@remote.test hi', visibility: 'direct' })
  const path = `/ap/users/${ann.accountId}/outbox?page=true`
  const seenBy = async (reader: typeof friend) =>
    (await reader.get(path)).body.orderedItems.map((item: Item) => item.object.id)
  assert.deepEqual(await seenBy(friend), [privateUri, publicUri])
  assert.deepEqual(await seenBy(unrelated), [publicUri])
})

test('the featured collections of an actor exist and are empty', async () => {
  const ann = await testServer.createUser()
  const featured = await get(`/ap/users/${ann.accountId}/collections/featured`)
  assert.deepEqual([featured.type, featured.totalItems, featured.orderedItems], ['OrderedCollection', 0, []])
  const tags = await get(`/ap/users/${ann.accountId}/collections/tags`)
  assert.deepEqual([tags.type, tags.totalItems, tags.items], ['Collection', 0, []])
})

test('pinned notes are embedded in the featured collection, polls are listed by their ids', async () => {
  const ann = await testServer.createUser()
  const uris = [
    await post(ann, { status: 'a note' }),
    await post(ann, { status: 'a poll', poll: { options: ['yes', 'no'], expires_in: 3600 } }),
  ]
  for (const uri of uris) {
    const { status } = await ann.client.post(`/api/v1/statuses/${uri.split('/').at(-1)}/pin`)
    assert.equal(status, 200)
  }
  const { totalItems, orderedItems } = await get(`/ap/users/${ann.accountId}/collections/featured`)
  const [poll, note] = orderedItems
  assert.deepEqual([totalItems, poll, note.type, note.id], [2, uris[1], 'Note', uris[0]])
})

test('invalid cursors are ignored', async () => {
  const ann = await testServer.createUser()
  const uri = await post(ann, { status: 'one' })
  for (const query of [
    'max_id=x',
    'min_id=-1',
    'max_id=0',
    'max_id[]=1',
    'max_id=99999999999999999999',
    'min_id=1%00',
  ]) {
    const page = await get(`/ap/users/${ann.accountId}/outbox?page=true&${query}`)
    assert.deepEqual(
      page.orderedItems.map((item: Item) => item.object.id),
      [uri],
      query,
    )
    assert.equal((await get(`/ap/users/${ann.accountId}/followers?page=true&${query}`)).type, 'OrderedCollectionPage')
  }
})
