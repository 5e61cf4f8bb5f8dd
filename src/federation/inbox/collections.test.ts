import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { makeCollection, makeDiscoverable, seeCollection } from '../../../test/collections.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { openRecommending } from '../../../test/recommending.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Person } from '../../../test/world.ts'
import type { Collection } from '../../entities/collection.ts'

const recommending = await openRecommending()
after(recommending.close)
const {
  world,
  uriOf,
  deliver,
  befriend,
  remote,
  other,
  makeActor,
  accountOf,
  serveCollection,
  serveConsent,
  collectionsOf,
  countOwn,
} = recommending
const { db } = world.ctx

suite('collections of somebody elsewhere', () => {
  const add = (actor: PeerActor, object: unknown) =>
    actor.activity('Add', object, { target: `${actor.id}/featured_collections` })

  test('are shown once they are followed, with those in them who agreed', async () => {
    const alice = await makeDiscoverable(world)
    const [carol, dora, erin, finn] = [
      await makeActor(),
      await makeActor(),
      await makeActor(other),
      await makeActor(other),
    ]
    const bob = await makeDiscoverable(world)
    const collection = serveCollection(carol, [
      { actor: dora },
      { actor: erin },
      // What is said of these is not so.
      { actor: finn, approval: serveConsent(dora, 'x') },
      { actor: finn, approval: `${dora.id}/stamps/forged` },
      { actor: finn, approval: serveConsent(finn, `${carol.id}/featured/another`) },
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
    await befriend(alice, carol)
    await deliver(carol, add(carol, collection['id']))
    const [shown, ...more] = await collectionsOf(alice, carol)
    assertOnWire('Collection', shown)
    assert.deepEqual([more, shown?.name, shown?.uri, shown?.url], [[], 'Cute cats', collection['id'], collection['id']])
    assert.equal(shown?.item_count, 6)
    const { accounts } = await seeCollection(alice.client, shown.id)
    assert.deepEqual(
      accounts.map(({ uri }) => uri),
      [carol.id, dora.id, erin.id],
    )
    assert.equal(await countOwn(bob), 0)
    for (const method of ['patch', 'delete'] as const) {
      assert.equal((await alice.client[method](`/api/v1/collections/${shown.id}`)).status, 403)
    }
  })

  test('change, gain and lose people, and go, when their owner says so and nobody else', async () => {
    const alice = await makeDiscoverable(world)
    const [carol, dora, erin, mallory] = [await makeActor(), await makeActor(), await makeActor(), await makeActor()]
    await befriend(alice, carol)
    await befriend(alice, mallory)
    const collection = serveCollection(carol, [{ actor: dora }])
    await deliver(carol, add(carol, collection))
    const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
    const people = async () => (await seeCollection(alice.client, id)).accounts.slice(1).map(({ uri }) => uri)
    const item = {
      id: `${collection['id']}/items/new`,
      type: 'FeaturedItem',
      featuredObject: erin.id,
      featureAuthorization: serveConsent(erin, collection['id']),
    }
    const target = collection['id']
    await deliver(mallory, mallory.activity('Add', { ...item, id: `${mallory.id}/items/1` }, { target }))
    assert.deepEqual(await people(), [dora.id])
    await deliver(carol, carol.activity('Add', item, { target }))
    assert.deepEqual(await people(), [dora.id, erin.id])
    const updated = { ...collection, name: 'Renamed', updated: '2026-05-02T00:00:00Z', orderedItems: [item] }
    await deliver(mallory, mallory.activity('Update', updated))
    await deliver(mallory, mallory.activity('Update', { ...updated, attributedTo: mallory.id }))
    await deliver(mallory, add(mallory, { ...collection, id: `${mallory.id}/featured/1` }))
    assert.deepEqual(await collectionsOf(alice, mallory), [])
    assert.deepEqual(await people(), [dora.id, erin.id])
    await deliver(carol, carol.activity('Update', updated))
    assert.deepEqual(await people(), [erin.id])
    assert.equal((await seeCollection(alice.client, id)).collection.name, 'Renamed')
    await deliver(erin, erin.activity('Delete', item.featureAuthorization))
    assert.deepEqual(await people(), [])
    await deliver(carol, carol.activity('Update', collection))
    assert.deepEqual(await people(), [dora.id])
    const place = collection['orderedItems'][0].id
    await deliver(mallory, mallory.activity('Remove', place, { target }), mallory.activity('Remove', target))
    assert.deepEqual(await people(), [dora.id])
    await deliver(carol, carol.activity('Remove', place, { target }))
    assert.deepEqual(await people(), [])
    await deliver(carol, carol.activity('Remove', target, { target: `${carol.id}/featured_collections` }))
    assert.equal((await alice.client.get(`/api/v1/collections/${id}`)).status, 404)
    await deliver(carol, add(carol, collection))
    assert.equal((await collectionsOf(alice, carol)).length, 1)
    await deliver(carol, carol.activity('Delete', target), add(carol, collection))
    assert.deepEqual(await collectionsOf(alice, carol), [])
  })

  test('that are not shown any more stay known to whoever of here is in them', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    const collection = serveCollection(carol)
    await deliver(carol, carol.activity('FeatureRequest', uriOf(alice), { instrument: collection['id'] }))
    const mine = async () =>
      (await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)).body.collections.length
    const remove = () => carol.activity('Remove', collection['id'], { target: `${carol.id}/featured_collections` })
    assert.deepEqual([await mine(), (await collectionsOf(alice, carol)).length], [1, 1])
    await deliver(carol, remove())
    assert.deepEqual([await mine(), (await collectionsOf(alice, carol)).length], [1, 0])
    remote.withdraw(String(collection['id']))
    await deliver(carol, remove())
    assert.equal(await mine(), 0)
  })

  test('and of here are found by their addresses, by those who may see them', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    const far = serveCollection(carol, [{ actor: carol }])
    const near = await makeCollection(alice)
    const search = async (person: Person, q: unknown, more: object = {}) => {
      const { status, body } = await person.client.get('/api/v2/search', { q, resolve: true, ...more })
      assert.equal(status, 200)
      assertOnWire('Search', body)
      return body.collections.map(({ uri }: Collection) => uri)
    }
    for (let n = 0; n < 2; n += 1) assert.deepEqual(await search(alice, far['id']), [far['id']])
    assert.deepEqual(await search(alice, near.uri), [near.uri])
    assert.deepEqual(await search(alice, near.url), [near.uri])
    assert.deepEqual(await search(alice, near.url, { type: 'accounts' }), [])
    const bob = await makeDiscoverable(world)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    assert.deepEqual(await search(bob, near.uri), [])
    const mallory = await makeActor(other)
    const forged = other.serve({ ...far, id: `${mallory.id}/featured/1` })
    assert.deepEqual(await search(alice, forged['id']), [])
  })

  test('are kept up to a number, with as many people as are looked at', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    await befriend(alice, carol)
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
