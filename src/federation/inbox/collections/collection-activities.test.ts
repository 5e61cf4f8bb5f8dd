import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createCollection, createDiscoverableUser, readCollection } from '../../../../test/features/collections.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { redirectTo } from '../../../../test/federation/peer/behaviour.ts'
import { openCollectionServers } from '../../../../test/federation/collection-servers.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Collection } from '../../../entities/accounts/collection.ts'

const recommending = await openCollectionServers()
after(recommending.close)
const {
  testServer,
  uriOf,
  deliver,
  followEachOther,
  remote,
  other,
  makeActor,
  accountOf,
  serveCollection,
  serveAuthorization,
  collectionsOf,
  countOwn,
} = recommending
const { db } = testServer.ctx

suite('remote collections', () => {
  const add = (actor: PeerActor, object: unknown) =>
    actor.activity('Add', object, { target: `${actor.id}/featured_collections` })

  test('are shown once their owner is followed, with the accounts that approved', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, dora, erin, finn] = [
      await makeActor(),
      await makeActor(),
      await makeActor(other),
      await makeActor(other),
    ]
    const bob = await createDiscoverableUser(testServer)
    const collection = serveCollection(carol, [
      { actor: dora },
      { actor: erin },
      // The approvals of these are forged.
      { actor: finn, approval: serveAuthorization(dora, 'x') },
      { actor: finn, approval: `${dora.id}/stamps/forged` },
      { actor: finn, approval: serveAuthorization(finn, `${carol.id}/featured/another`) },
      { actor: { id: uriOf(bob) }, approval: `${uriOf(bob)}/feature_authorizations/1` },
    ])
    remote.serve({
      id: `${dora.id}/stamps/forged`,
      type: 'FeatureAuthorization',
      interactingObject: collection['id'],
      interactionTarget: finn.id,
    })
    await deliver(carol, add(carol, collection))
    assert.equal((await sql`select from collections where uri = ${collection['id']}`.execute(db)).rows.length, 0)
    await followEachOther(alice, carol)
    await deliver(carol, add(carol, collection['id']))
    const [shown, ...more] = await collectionsOf(alice, carol)
    assertEntity('Collection', shown)
    assert.deepEqual([more, shown?.name, shown?.uri, shown?.url], [[], 'Cute cats', collection['id'], collection['id']])
    assert.equal(shown?.item_count, 6)
    const { accounts } = await readCollection(alice.client, shown.id)
    assert.deepEqual(
      accounts.map(({ uri }) => uri),
      [carol.id, dora.id, erin.id],
    )
    assert.equal(await countOwn(bob), 0)
    for (const method of ['patch', 'delete'] as const) {
      assert.equal((await alice.client[method](`/api/v1/collections/${shown.id}`)).status, 403)
    }
  })

  test('FE8 contain no account whose server only leads to an approval of another server', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, dora, erin] = [await makeActor(), await makeActor(other), await makeActor(other)]
    await followEachOther(alice, carol)
    const collection = serveCollection(carol, [
      { actor: dora, approval: `${dora.id}/link` },
      { actor: erin, approval: `${erin.id}/copy` },
    ])
    const forge = ({ id }: PeerActor, name: string) =>
      remote.serve({
        id: `${carol.id}/forged/${name}`,
        type: 'FeatureAuthorization',
        interactingObject: collection['id'],
        interactionTarget: id,
      })
    other.behave(new URL(`${dora.id}/link`).pathname, redirectTo(forge(dora, 'dora')['id']))
    other.serveAt(new URL(`${erin.id}/copy`).pathname, forge(erin, 'erin'))
    await deliver(carol, add(carol, collection['id']))
    const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
    const { accounts } = await readCollection(alice.client, id)
    assert.deepEqual(
      accounts.map(({ uri }) => uri),
      [carol.id],
    )
    other.recover()
  })

  test('without a URL, or with one that is too long as browsers serialise it, have their ActivityPub id as URL', async () => {
    const alice = await createDiscoverableUser(testServer)
    const characters = Array.from({ length: 670 }, () => String.fromCodePoint(randomInt(0x800, 0xd800)))
    for (const path of [undefined, `/@carol/${characters.join('')}`]) {
      const carol = await makeActor()
      await followEachOther(alice, carol)
      const url = path && new URL(carol.id).origin + path
      const collection = serveCollection(carol, [], { url })
      await deliver(carol, add(carol, collection['id']))
      const [shown] = await collectionsOf(alice, carol)
      assertEntity('Collection', shown)
      assert.equal(shown?.url, collection['id'])
    }
  })

  test('can be changed and deleted by their owner only', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, dora, erin, mallory] = [await makeActor(), await makeActor(), await makeActor(), await makeActor()]
    await followEachOther(alice, carol)
    await followEachOther(alice, mallory)
    const collection = serveCollection(carol, [{ actor: dora }])
    await deliver(carol, add(carol, collection))
    const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
    const memberUris = async () => (await readCollection(alice.client, id)).accounts.slice(1).map(({ uri }) => uri)
    const item = {
      id: `${collection['id']}/items/new`,
      type: 'FeaturedItem',
      featuredObject: erin.id,
      featureAuthorization: serveAuthorization(erin, collection['id']),
    }
    const target = collection['id']
    await deliver(mallory, mallory.activity('Add', { ...item, id: `${mallory.id}/items/1` }, { target }))
    assert.deepEqual(await memberUris(), [dora.id])
    await deliver(carol, carol.activity('Add', item, { target }))
    assert.deepEqual(await memberUris(), [dora.id, erin.id])
    const updated = { ...collection, name: 'Renamed', updated: '2026-05-02T00:00:00Z', orderedItems: [item] }
    await deliver(mallory, mallory.activity('Update', updated))
    await deliver(mallory, mallory.activity('Update', { ...updated, attributedTo: mallory.id }))
    await deliver(mallory, add(mallory, { ...collection, id: `${mallory.id}/featured/1` }))
    assert.deepEqual(await collectionsOf(alice, mallory), [])
    assert.deepEqual(await memberUris(), [dora.id, erin.id])
    await deliver(carol, carol.activity('Update', updated))
    assert.deepEqual(await memberUris(), [erin.id])
    assert.equal((await readCollection(alice.client, id)).collection.name, 'Renamed')
    await deliver(erin, erin.activity('Delete', item.featureAuthorization))
    assert.deepEqual(await memberUris(), [])
    await deliver(carol, carol.activity('Update', collection))
    assert.deepEqual(await memberUris(), [dora.id])
    const itemUri = collection['orderedItems'][0].id
    await deliver(mallory, mallory.activity('Remove', itemUri, { target }), mallory.activity('Remove', target))
    assert.deepEqual(await memberUris(), [dora.id])
    await deliver(carol, carol.activity('Remove', itemUri, { target }))
    assert.deepEqual(await memberUris(), [])
    await deliver(carol, carol.activity('Remove', target, { target: `${carol.id}/featured_collections` }))
    assert.equal((await alice.client.get(`/api/v1/collections/${id}`)).status, 404)
    await deliver(carol, add(carol, collection))
    assert.equal((await collectionsOf(alice, carol)).length, 1)
    await deliver(carol, carol.activity('Delete', target), add(carol, collection))
    assert.deepEqual(await collectionsOf(alice, carol), [])
  })

  test('may list their items by id, and become empty only if they state no items', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, dora, erin] = [await makeActor(), await makeActor(), await makeActor(other)]
    await followEachOther(alice, carol)
    const collection = serveCollection(carol, [{ actor: dora }, { actor: erin }])
    for (const item of collection['orderedItems']) remote.serve({ '@context': collection['@context'], ...item })
    const ids = collection['orderedItems'].map(({ id }: { id: string }) => id)
    const update = async (orderedItems: unknown, totalItems: number) =>
      deliver(carol, carol.activity('Update', { ...collection, orderedItems, totalItems }))
    const memberUris = async () => {
      const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
      return (await readCollection(alice.client, id)).accounts.slice(1).map(({ uri }) => uri)
    }
    await update([ids[0], dora.id, 'https://other.test/items/1'], 3)
    assert.deepEqual(await memberUris(), [dora.id])
    await update(ids, 2)
    assert.deepEqual(await memberUris(), [dora.id, erin.id])
    const requestsBefore = remote.countRequests(/items/)
    await update(ids, 2)
    assert.deepEqual([await memberUris(), remote.countRequests(/items/)], [[dora.id, erin.id], requestsBefore])
    await update(undefined, 2)
    assert.deepEqual(await memberUris(), [dora.id, erin.id])
    await update(null, 0)
    assert.deepEqual(await memberUris(), [])
  })

  test('get an item of which an Add embeds only the id and the type, as Loops sends it, from its own server', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, dora] = [await makeActor(), await makeActor(other)]
    await followEachOther(alice, carol)
    const { orderedItems, ...collection } = serveCollection(carol, [{ actor: dora }])
    await deliver(carol, add(carol, { ...collection, orderedItems: [], totalItems: 0 }))
    const [item] = orderedItems
    remote.serve({ '@context': 'https://www.w3.org/ns/activitystreams', ...item })
    const embedded = { id: item.id, type: 'FeaturedItem', actor: dora.id }
    await deliver(carol, carol.activity('Add', embedded, { target: collection['id'] }))
    const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
    const { accounts } = await readCollection(alice.client, id)
    assert.deepEqual(
      accounts.map(({ uri }) => uri),
      [carol.id, dora.id],
    )
  })

  test('that are removed from the profile stay visible to local accounts in them', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    const collection = serveCollection(carol)
    await deliver(carol, carol.activity('FeatureRequest', uriOf(alice), { instrument: collection['id'] }))
    const countContaining = async () =>
      (await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)).body.collections.length
    const remove = () => carol.activity('Remove', collection['id'], { target: `${carol.id}/featured_collections` })
    assert.deepEqual([await countContaining(), (await collectionsOf(alice, carol)).length], [1, 1])
    await deliver(carol, remove())
    assert.deepEqual([await countContaining(), (await collectionsOf(alice, carol)).length], [1, 0])
    remote.withdraw(String(collection['id']))
    await deliver(carol, remove())
    assert.equal(await countContaining(), 0)
  })

  test('and local ones are found by their URLs, by users who can see them', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    const remoteCollection = serveCollection(carol, [{ actor: carol }])
    const localCollection = await createCollection(alice)
    const search = async (user: TestUser, q: unknown, more: object = {}) => {
      const { status, body } = await user.client.get('/api/v2/search', { q, resolve: true, ...more })
      assert.equal(status, 200)
      assertEntity('Search', body)
      return body.collections.map(({ uri }: Collection) => uri)
    }
    for (let n = 0; n < 2; n += 1)
      assert.deepEqual(await search(alice, remoteCollection['id']), [remoteCollection['id']])
    assert.deepEqual(await search(alice, localCollection.uri), [localCollection.uri])
    assert.deepEqual(await search(alice, localCollection.url), [localCollection.uri])
    assert.deepEqual(await search(alice, localCollection.url, { type: 'accounts' }), [])
    const bob = await createDiscoverableUser(testServer)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    assert.deepEqual(await search(bob, localCollection.uri), [])
    const mallory = await makeActor(other)
    const forged = other.serve({ ...remoteCollection, id: `${mallory.id}/featured/1` })
    assert.deepEqual(await search(alice, forged['id']), [])
  })

  test('are stored up to a limit per account, with a limited number of items', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    await followEachOther(alice, carol)
    const carolId = await accountOf(alice, carol)
    await sql`insert into collections (account_id, uri, name, local)
      select ${carolId}, ${carol.id} || '/old/' || n, 'old', false from generate_series(1, 99) n`.execute(db)
    const dora = await makeActor()
    const items = Array.from({ length: 160 }, () => ({ actor: { id: uriOf(alice) }, approval: `${uriOf(alice)}/x` }))
    await deliver(
      carol,
      add(carol, serveCollection(carol, [...items, { actor: dora }])),
      add(carol, serveCollection(carol)),
    )
    const { rows } = await sql<{ n: number; items: number }>`select count(*)::int as n,
      (select count(*)::int from collection_items i join collections c on c.id = i.collection_id
        where c.account_id = ${carolId}) as items from collections where account_id = ${carolId}`.execute(db)
    assert.deepEqual(rows, [{ n: 100, items: 0 }])
  })
})
