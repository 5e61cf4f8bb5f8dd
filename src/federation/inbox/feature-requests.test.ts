import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { makeCollection, makeDiscoverable, seeCollection } from '../../../test/collections.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { openRecommending, statesOf } from '../../../test/recommending.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Person } from '../../../test/world.ts'

const recommending = await openRecommending()
after(recommending.close)
const { world, uriOf, deliver, notified, other, makeActor, accountOf, newsOf, serveCollection, countOwn } = recommending
const { db } = world.ctx

suite('somebody elsewhere', () => {
  const ask = (actor: PeerActor, person: Person, collection: Activity) =>
    actor.activity('FeatureRequest', uriOf(person), { instrument: collection['id'] })

  test('has somebody here in a collection who wants to be discovered, and hears so; as often as they ask', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    const collection = serveCollection(carol)
    const requests = [ask(carol, alice, collection), ask(carol, alice, collection)]
    await deliver(carol, ...requests)
    const accepts = (await newsOf(carol)).filter(({ type }) => type === 'Accept')
    assert.deepEqual(
      accepts.map(({ actor, object }) => [actor, object.id]),
      requests.map(({ id }) => [uriOf(alice), id]),
    )
    const [{ result }] = accepts as [Activity]
    assert.equal(accepts[1]!['result'], result)
    const { json } = await carol.get(result)
    assert.deepEqual(
      [json.type, json.id, json.interactingObject, json.interactionTarget],
      ['FeatureAuthorization', result, collection['id'], uriOf(alice)],
    )
    const { body } = await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)
    assertOnWire('Collection', body.collections[0])
    const [{ id, uri, local, description, tag }] = body.collections
    assert.deepEqual([uri, local, description, tag.name], [collection['id'], false, '<p>Look</p>', 'Cats'])
    assert.deepEqual(await notified(alice), ['added_to_collection'])

    const [item] = body.collections[0].items
    await alice.client.post(`/api/v1/collections/${id}/items/${item.id}/revoke`)
    const { activity } = await carol.inbox.next(({ type }) => type === 'Delete')
    assert.deepEqual([activity['actor'], activity['object'].id], [uriOf(alice), result])
    assert.equal((await carol.get(result)).status, 404)
    await deliver(carol, ask(carol, alice, collection))
    await carol.inbox.next(({ type }) => type === 'Reject')
    assert.equal(await countOwn(alice), 0)
  })

  test('has nobody here who does not want it, and hears so', async () => {
    const [shy, blocking, blocked] = [
      await makeDiscoverable(world, { discoverable: false }),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const carol = await makeActor()
    await blocking.client.post(`/api/v1/accounts/${await accountOf(blocking, carol)}/block`)
    await blocked.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
    const collection = serveCollection(carol)
    for (const person of [shy, blocking, blocked]) {
      const request = ask(carol, person, collection)
      await deliver(carol, request)
      const { activity } = await carol.inbox.next(
        ({ type, object }) => type === 'Reject' && object.id === request['id'],
      )
      assert.equal(activity['actor'], uriOf(person))
      assert.deepEqual(await notified(person), [])
    }
    const { rows } = await sql`select from collections where uri = ${collection['id']}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('IN19 can not ask in the name of somebody else’s collection', async () => {
    const alice = await makeDiscoverable(world)
    const [carol, mallory, stranger] = [await makeActor(), await makeActor(), await makeActor(other)]
    const collection = serveCollection(carol)
    await deliver(mallory, ask(mallory, alice, collection))
    await mallory.inbox.next(({ type }) => type === 'Reject')
    await deliver(stranger, ask(stranger, alice, collection))
    assert.deepEqual(await notified(alice), [])
  })

  test('loses whoever blocks their domain, and hears so', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    await deliver(carol, ask(carol, alice, serveCollection(carol)))
    const { activity } = await carol.inbox.next(({ type }) => type === 'Accept')
    await alice.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
    const end = await carol.inbox.next(({ type }) => type === 'Delete')
    assert.equal(end.activity['object'].id, activity['result'])
    assert.equal((await carol.get(activity['result'])).status, 404)
    assert.equal(await countOwn(alice), 0)
  })

  test('and somebody here leave each other’s collections with a block, and theirs hears it', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    await deliver(carol, ask(carol, alice, serveCollection(carol)))
    const { activity: accept } = await carol.inbox.next(({ type }) => type === 'Accept')
    const carolId = await accountOf(alice, carol)
    const { id } = await makeCollection(alice, { account_ids: [carolId] })
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Accept', request['id'], { result: `${carol.id}/stamps/9` }))
    await alice.client.post(`/api/v1/accounts/${carolId}/block`)
    const types = (await newsOf(carol)).map(({ type, object }) => `${type} ${object.id ?? object}`)
    assert.ok(types.includes(`Delete ${accept['result']}`), types.join())
    assert.ok(
      types.some((one) => one.startsWith(`Remove ${uriOf(alice)}/collection_items/`)),
      types.join(),
    )
    assert.deepEqual(statesOf(await seeCollection(alice.client, id)), [])
    assert.equal((await carol.get(accept['result'])).status, 404)
  })
})
