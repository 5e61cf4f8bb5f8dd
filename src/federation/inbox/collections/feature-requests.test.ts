import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createCollection, createDiscoverableUser, readCollection } from '../../../../test/features/collections.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { openCollectionServers, itemStatesOf } from '../../../../test/federation/collection-servers.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const recommending = await openCollectionServers()
after(recommending.close)
const {
  testServer,
  uriOf,
  deliver,
  notificationsOf,
  other,
  makeActor,
  accountOf,
  activitiesFor,
  serveCollection,
  countOwn,
} = recommending
const { db } = testServer.ctx

suite('a FeatureRequest', () => {
  const featureRequest = (actor: PeerActor, user: TestUser, collection: Activity) =>
    actor.activity('FeatureRequest', uriOf(user), { instrument: collection['id'] })

  test('for a discoverable account is accepted, again for each repeated request', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    const collection = serveCollection(carol)
    const requests = [featureRequest(carol, alice, collection), featureRequest(carol, alice, collection)]
    await deliver(carol, ...requests)
    const accepts = (await activitiesFor(carol)).filter(({ type }) => type === 'Accept')
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
    assertEntity('Collection', body.collections[0])
    const [{ id, uri, local, description, tag }] = body.collections
    assert.deepEqual([uri, local, description, tag.name], [collection['id'], false, '<p>Look</p>', 'Cats'])
    assert.deepEqual(await notificationsOf(alice), ['added_to_collection'])

    const [item] = body.collections[0].items
    await alice.client.post(`/api/v1/collections/${id}/items/${item.id}/revoke`)
    const { activity } = await carol.inbox.next(({ type }) => type === 'Delete')
    assert.deepEqual([activity['actor'], activity['object'].id], [uriOf(alice), result])
    assert.equal((await carol.get(result)).status, 404)
    await deliver(carol, featureRequest(carol, alice, collection))
    await carol.inbox.next(({ type }) => type === 'Reject')
    assert.equal(await countOwn(alice), 0)
  })

  test('for an account that is not discoverable or blocks the requester is rejected', async () => {
    const [shy, blocking, blocked] = [
      await createDiscoverableUser(testServer, { discoverable: false }),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const carol = await makeActor()
    await blocking.client.post(`/api/v1/accounts/${await accountOf(blocking, carol)}/block`)
    await blocked.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
    const collection = serveCollection(carol)
    for (const user of [shy, blocking, blocked]) {
      const request = featureRequest(carol, user, collection)
      await deliver(carol, request)
      const { activity } = await carol.inbox.next(
        ({ type, object }) => type === 'Reject' && object.id === request['id'],
      )
      assert.equal(activity['actor'], uriOf(user))
      assert.deepEqual(await notificationsOf(user), [])
    }
    const { rows } = await sql`select from collections where uri = ${collection['id']}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('IN19 with another actor’s collection is rejected', async () => {
    const alice = await createDiscoverableUser(testServer)
    const [carol, mallory, otherHostActor] = [await makeActor(), await makeActor(), await makeActor(other)]
    const collection = serveCollection(carol)
    await deliver(mallory, featureRequest(mallory, alice, collection))
    await mallory.inbox.next(({ type }) => type === 'Reject')
    await deliver(otherHostActor, featureRequest(otherHostActor, alice, collection))
    assert.deepEqual(await notificationsOf(alice), [])
  })

  test('that was accepted is revoked when the user blocks the domain', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    await deliver(carol, featureRequest(carol, alice, serveCollection(carol)))
    const { activity } = await carol.inbox.next(({ type }) => type === 'Accept')
    await alice.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
    const revocation = await carol.inbox.next(({ type }) => type === 'Delete')
    assert.equal(revocation.activity['object'].id, activity['result'])
    assert.equal((await carol.get(activity['result'])).status, 404)
    assert.equal(await countOwn(alice), 0)
  })

  test('that was accepted is revoked by a block, which also ends the featuring of the requester', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    await deliver(carol, featureRequest(carol, alice, serveCollection(carol)))
    const { activity: accept } = await carol.inbox.next(({ type }) => type === 'Accept')
    const carolId = await accountOf(alice, carol)
    const { id } = await createCollection(alice, { account_ids: [carolId] })
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Accept', request['id'], { result: `${carol.id}/stamps/9` }))
    await alice.client.post(`/api/v1/accounts/${carolId}/block`)
    const types = (await activitiesFor(carol)).map(({ type, object }) => `${type} ${object.id ?? object}`)
    assert.ok(types.includes(`Delete ${accept['result']}`), types.join())
    assert.ok(
      types.some((one) => one.startsWith(`Remove ${uriOf(alice)}/collection_items/`)),
      types.join(),
    )
    assert.deepEqual(itemStatesOf(await readCollection(alice.client, id)), [])
    assert.equal((await carol.get(accept['result'])).status, 404)
  })
})
