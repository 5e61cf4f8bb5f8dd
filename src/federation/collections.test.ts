import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countQueries } from '../../test/count-queries.ts'
import { createStranger } from '../../test/stranger.ts'
import { openWorld } from '../../test/world.ts'
import type { Person, World } from '../../test/world.ts'

let world: World

before(async () => {
  world = await openWorld({ effects: false })
})
after(() => world.close())

const get = async (address: string) =>
  (
    await world.anonymous.send({
      method: 'GET',
      url: address.replace('https://linnet.test', ''),
      headers: { accept: 'application/activity+json' },
    })
  ).body

const follow = (from: { accountId: string }, to: { accountId: string }) =>
  world.ctx.db.insertInto('follows').values({ account_id: from.accountId, target_account_id: to.accountId }).execute()

interface Item {
  type: string
  object: { id: string }
}

/** Everything on the pages that follow on each other from an address. */
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

async function post(person: Person, body: Record<string, unknown>): Promise<string> {
  const { status, body: made } = await person.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return made.uri
}

test('an outbox tells everything that is for everybody, newest first, in pages', async () => {
  const ann = await world.createPerson()
  const bob = await world.createPerson()
  const outbox = `https://linnet.test/ap/users/${ann.accountId}/outbox`
  const expected: string[] = []
  for (let n = 0; n < 43; n += 1) {
    expected.unshift(await post(ann, { status: `public ${n}`, visibility: n % 2 ? 'unlisted' : 'public' }))
  }
  await post(ann, { status: 'for followers', visibility: 'private' })
  await post(ann, { status: 'for one', visibility: 'direct' })
  await post(ann, { status: 'for here', local_only: true })
  const theirs = await bob.client.post('/api/v1/statuses', { status: 'boost me' })
  await ann.client.post(`/api/v1/statuses/${theirs.body.id}/reblog`)

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
  assert.deepEqual<unknown>([items[0]!.type, items[0]!.object], ['Announce', theirs.body.uri])
  assert.deepEqual(
    items.slice(1).map(({ type, object }) => [type, object.id]),
    expected.map((uri) => ['Create', uri]),
  )
  assert.ok(items.every((item) => !('@context' in item)))
  const last = await walk(head.last, 'prev')
  assert.deepEqual(last.items.toReversed(), items)
})

test('an outbox costs the same few statements for any page', async () => {
  const ann = await world.createPerson()
  const count = () => countQueries(() => get(`/ap/users/${ann.accountId}/outbox?page=true`))
  await post(ann, { status: 'one' })
  await count()
  for (let n = 0; n < 12; n += 1) await post(ann, { status: `more #tag${n} @${ann.username}` })
  const many = await count()
  await post(ann, { status: 'another' })
  assert.equal(await count(), many)
  assert.ok(many <= 6, `${many}`)
})

test('followers and followed are listed by their ids, twelve on a page', async () => {
  const ann = await world.createPerson()
  const people = []
  for (let n = 0; n < 25; n += 1) people.push(await createStranger(world, { username: `crowd${n}` }))
  const waiting = await world.createPerson({ approved: false })
  const suspended = await createStranger(world, { username: 'suspended', suspended_at: new Date() })
  for (const one of [...people, waiting, suspended]) {
    await follow(one, ann)
    await follow(ann, one)
  }
  const uris = people.map(({ uri }) => uri).toReversed()
  for (const name of ['followers', 'following']) {
    const collection = await get(`/ap/users/${ann.accountId}/${name}`)
    assert.equal(collection.type, 'OrderedCollection')
    const { items, sizes } = await walk(collection.first)
    assert.deepEqual<unknown[]>(items, uris)
    assert.deepEqual(sizes, [12, 12, 1])
  }
})

test('who hides their network tells only how large it is (VI12)', async () => {
  const ann = await world.createPerson()
  const bob = await createStranger(world, { username: 'fan' })
  await follow(bob, ann)
  await world.ctx.db.updateTable('accounts').set({ hide_collections: true }).where('id', '=', ann.accountId).execute()
  await world.ctx.db
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
    assert.equal((await world.anonymous.get(`${path}?page=true`)).status, 403)
    assert.equal((await bob.get(`${path}?page=1`)).status, 403)
  }
})

test('the outbox shows a follower what is for followers, and nobody what is for one (VI5, VI8)', async () => {
  const ann = await world.createPerson()
  const friend = await createStranger(world, { username: 'outboxfriend' })
  const stranger = await createStranger(world, { username: 'outboxstranger' })
  await follow(friend, ann)
  const open = await post(ann, { status: 'open' })
  const closed = await post(ann, { status: 'closed', visibility: 'private' })
  await post(ann, { status: '@outboxfriend@remote.test hi', visibility: 'direct' })
  const path = `/ap/users/${ann.accountId}/outbox?page=true`
  const seen = async (who: typeof friend) => (await who.get(path)).body.orderedItems.map((item: Item) => item.object.id)
  assert.deepEqual(await seen(friend), [closed, open])
  assert.deepEqual(await seen(stranger), [open])
})

test('what the actor names beside is there and empty', async () => {
  const ann = await world.createPerson()
  const featured = await get(`/ap/users/${ann.accountId}/collections/featured`)
  assert.deepEqual([featured.type, featured.totalItems, featured.orderedItems], ['OrderedCollection', 0, []])
  const tags = await get(`/ap/users/${ann.accountId}/collections/tags`)
  assert.deepEqual([tags.type, tags.totalItems, tags.items], ['Collection', 0, []])
})

test('cursors that are none count as if they had not been sent', async () => {
  const ann = await world.createPerson()
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
