import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createCollection, createDiscoverableUser, readCollection } from '../../../test/features/collections.ts'
import { PUBLIC } from '../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import { openCollectionServers, itemStatesOf } from '../../../test/federation/collection-servers.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'

const recommending = await openCollectionServers()
after(recommending.close)
const {
  testServer,
  uriOf,
  origin,
  deliver,
  followEachOther,
  remote,
  other,
  makeActor,
  createFollower,
  accountOf,
  activitiesFor,
  serveAuthorization,
} = recommending

suite('a local collection', () => {
  test('is announced to remote followers when created, edited and deleted, and is served at its URIs', async () => {
    const alice = await createDiscoverableUser(testServer)
    const bob = await createDiscoverableUser(testServer)
    const follower = await createFollower(alice)
    const collection = await createCollection(alice, {
      description: 'Cats & <dogs>',
      language: 'en',
      tag_name: 'Cats',
      account_ids: [bob.accountId],
    })
    const activities = await activitiesFor(follower)
    assert.deepEqual(
      activities.map(({ type }) => type),
      ['Add', 'Add'],
    )
    const add = activities.find(({ object }) => object.type === 'FeaturedCollection')!
    assert.equal(add['target'], `${uriOf(alice)}/featured_collections`)
    assert.equal(add['object'].id, collection.uri)
    const { json } = await follower.get(collection.uri)
    const { '@context': _context, orderedItems, published, updated, ...document } = json as Activity
    const item = `${uriOf(alice)}/collection_items/${collection.items[0]!.id}`
    const authorizationUri = `${uriOf(bob)}/feature_authorizations/${collection.items[0]!.id}`
    assert.deepEqual(document, {
      id: collection.uri,
      type: 'FeaturedCollection',
      attributedTo: uriOf(alice),
      name: 'Good people',
      summary: '<p>Cats &amp; &lt;dogs&gt;</p>',
      summaryMap: { en: '<p>Cats &amp; &lt;dogs&gt;</p>' },
      url: collection.url,
      sensitive: false,
      discoverable: true,
      topic: { type: 'Hashtag', href: `${origin}/tags/cats`, name: '#Cats' },
      totalItems: 1,
    })
    assert.ok(published <= updated)
    const { published: _at, ...featuredItem } = orderedItems[0]
    assert.deepEqual(featuredItem, {
      id: item,
      type: 'FeaturedItem',
      featuredObject: uriOf(bob),
      featuredObjectType: 'Person',
      featureAuthorization: authorizationUri,
    })
    assert.equal((await follower.get(item)).json.featuredObject, uriOf(bob))
    const { '@context': _terms, ...authorization } = (await follower.get(authorizationUri)).json as Record<
      string,
      unknown
    >
    assert.deepEqual(authorization, {
      id: authorizationUri,
      type: 'FeatureAuthorization',
      attributedTo: uriOf(bob),
      interactingObject: collection.uri,
      interactionTarget: uriOf(bob),
    })
    const list = (await follower.get(`${uriOf(alice)}/featured_collections`)).json
    assert.deepEqual([list.totalItems, list.orderedItems], [1, [collection.uri]])
    assert.equal((await follower.get(uriOf(alice))).json.featuredCollections, `${uriOf(alice)}/featured_collections`)

    await alice.client.patch(`/api/v1/collections/${collection.id}`, { name: 'Better people' })
    const [update] = await activitiesFor(follower)
    assert.deepEqual([update?.['type'], update?.['object'].name], ['Update', 'Better people'])
    await bob.client.post(`/api/v1/collections/${collection.id}/items/${collection.items[0]!.id}/revoke`)
    const [removal] = await activitiesFor(follower)
    assert.deepEqual([removal?.['type'], removal?.['object'], removal?.['target']], ['Remove', item, collection.uri])
    for (const gone of [item, authorizationUri]) assert.equal((await follower.get(gone)).status, 404)
    await alice.client.delete(`/api/v1/collections/${collection.id}`)
    const [deletion] = await activitiesFor(follower)
    assert.deepEqual(
      [deletion?.['type'], deletion?.['object'], deletion?.['target']],
      ['Remove', collection.uri, list.id],
    )
    assert.equal((await follower.get(collection.uri)).status, 404)
  })

  test('that is not discoverable is neither announced nor listed, but served at its URI', async () => {
    const alice = await createDiscoverableUser(testServer)
    const follower = await createFollower(alice)
    const { id, uri } = await createCollection(alice, { discoverable: false })
    await alice.client.patch(`/api/v1/collections/${id}`, { name: 'Other' })
    assert.deepEqual(await activitiesFor(follower), [])
    const listed = async () => (await follower.get(`${uriOf(alice)}/featured_collections`)).json.orderedItems
    assert.deepEqual(await listed(), [])
    assert.equal((await follower.get(uri)).json.name, 'Other')
    await alice.client.patch(`/api/v1/collections/${id}`, { discoverable: true })
    assert.deepEqual(
      (await activitiesFor(follower)).map(({ type, object }) => [type, object.id]),
      [['Add', uri]],
    )
    assert.deepEqual(await listed(), [uri])
    await alice.client.patch(`/api/v1/collections/${id}`, { discoverable: false })
    assert.deepEqual(
      (await activitiesFor(follower)).map(({ type, object }) => [type, object]),
      [['Remove', uri]],
    )
  })

  test('VI14 VI11 does not exist for actors that the owner blocks, nor of such domains, nor at URLs of another account', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const { id, uri, items } = await createCollection(alice, { account_ids: [alice.accountId] })
    const [mallory, trudy] = [await createFollower(alice), await createFollower(alice)]
    await alice.client.post(`/api/v1/accounts/${await accountOf(alice, mallory)}/block`)
    const item = `${uriOf(alice)}/collection_items/${items[0]!.id}`
    const authorization = `${uriOf(alice)}/feature_authorizations/${items[0]!.id}`
    for (const url of [uri, item, authorization, `${uriOf(alice)}/featured_collections`]) {
      assert.equal((await mallory.get(url)).status, 404, url)
      assert.equal((await mallory.get(url, { as: 'unsigned' })).status, 200, url)
      assert.equal((await trudy.get(url)).status, 200, url)
    }
    await alice.client.post('/api/v1/domain_blocks', { domain: 'other.test' })
    for (const url of [uri, `${uriOf(alice)}/featured_collections`])
      assert.equal((await trudy.get(url)).status, 404, url)
    for (const url of [
      `/collections/${id}`,
      `/collection_items/${items[0]!.id}`,
      `/feature_authorizations/${items[0]!.id}`,
    ]) {
      assert.equal((await mallory.get(`${uriOf(bob)}${url}`, { as: 'unsigned' })).status, 404, url)
    }
    assert.equal((await mallory.get(`${uriOf(alice)}/collections/x`, { as: 'unsigned' })).status, 404)
  })

  test('contains a remote account once it approves, and no longer when it revokes the approval', async () => {
    const alice = await createDiscoverableUser(testServer)
    const follower = await createFollower(alice)
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    const { id, uri } = await createCollection(alice)
    const { status, body } = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.deepEqual([status, body.collection_item.state, body.collection_item.account_id], [200, 'pending', carolId])
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    assert.deepEqual([request['actor'], request['object'], request['instrument']], [uriOf(alice), carol.id, uri])
    assert.deepEqual(itemStatesOf(await readCollection(alice.client, id)), ['pending'])
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), [])
    assert.deepEqual((await follower.get(uri)).json.orderedItems, [])
    assert.deepEqual(
      (await activitiesFor(follower)).map(({ object }) => object.type),
      ['FeaturedCollection'],
    )

    const mallory = await makeActor(other)
    const authorization = serveAuthorization(carol, uri)
    // No other actor can respond, and the authorization must be on the actor's own host.
    await deliver(mallory, mallory.activity('Accept', request['id'], { result: `${mallory.id}/stamps/1` }))
    await deliver(carol, carol.activity('Accept', request['id'], { result: `${other.origin}/stamps/1` }))
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), [])
    await deliver(carol, carol.activity('Accept', request, { result: authorization }))
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), ['accepted'])
    const [add] = await activitiesFor(follower)
    assert.deepEqual(
      [add?.['type'], add?.['object'].featureAuthorization, add?.['target']],
      ['Add', authorization, uri],
    )
    assert.equal((await follower.get(uri)).json.orderedItems[0].featuredObject, carol.id)

    await deliver(mallory, mallory.activity('Delete', authorization))
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), ['accepted'])
    await deliver(carol, carol.activity('Delete', { id: authorization, type: 'FeatureAuthorization' }))
    assert.deepEqual(itemStatesOf(await readCollection(alice.client, id)), ['revoked'])
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), [])
    assert.deepEqual(
      (await activitiesFor(follower)).map(({ type }) => type),
      ['Remove'],
    )
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.equal(again.status, 403)
  })

  test('omits a remote account that rejects, which can get another request and is notified of its removal', async () => {
    const alice = await createDiscoverableUser(testServer)
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    const { id } = await createCollection(alice, { account_ids: [carolId] })
    const first = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Reject', first.activity['id']))
    assert.deepEqual(itemStatesOf(await readCollection(alice.client, id)), ['rejected'])
    assert.deepEqual(itemStatesOf(await readCollection(testServer.anonymous, id)), [])
    await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    const second = await carol.inbox.next(
      ({ type, id: uri }) => type === 'FeatureRequest' && uri !== first.activity['id'],
    )
    await deliver(carol, carol.activity('Accept', first.activity['id'], { result: `${carol.id}/stamps/1` }))
    assert.deepEqual(itemStatesOf(await readCollection(alice.client, id)), ['pending'])
    await deliver(carol, carol.activity('Accept', second.activity['id'], { result: `${carol.id}/stamps/2` }))
    const { collection } = await readCollection(alice.client, id)
    assert.deepEqual(itemStatesOf({ collection, accounts: [] }), ['accepted'])
    await alice.client.delete(`/api/v1/collections/${id}/items/${collection.items[0]!.id}`)
    const { activity } = await carol.inbox.next(({ type }) => type === 'Remove')
    assert.equal(activity['object'], `${uriOf(alice)}/collection_items/${collection.items[0]!.id}`)
  })

  test('can only contain remote accounts whose feature policy allows requests', async () => {
    const alice = await createDiscoverableUser(testServer)
    const { id } = await createCollection(alice)
    const policies: [unknown, string, number][] = [
      [undefined, 'missing', 403],
      [{ canFeature: { automaticApproval: [] } }, 'denied', 403],
      [{ canFeature: { automaticApproval: ['https://remote.test/friends'] } }, 'unknown', 403],
      [{ canFeature: { automaticApproval: [PUBLIC] } }, 'automatic', 200],
      [{ canFeature: { manualApproval: 'as:Public' } }, 'manual', 200],
    ]
    for (const [interactionPolicy, expected, status] of policies) {
      const account = await accountOf(alice, await makeActor(remote, { interactionPolicy }))
      const { body } = await alice.client.get(`/api/v1/accounts/${account}`)
      assertEntity('Account', body)
      assert.equal(body.feature_approval.current_user, expected)
      const answer = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: account })
      assert.equal(answer.status, status, expected)
    }
    const friend = await makeActor(remote)
    friend.document['interactionPolicy'] = { canFeature: { automaticApproval: [friend.followersUrl] } }
    const friendId = await accountOf(alice, friend)
    const approval = async () => (await alice.client.get(`/api/v1/accounts/${friendId}`)).body.feature_approval
    assert.deepEqual(await approval(), { automatic: ['followers'], manual: [], current_user: 'denied' })
    await followEachOther(alice, friend)
    assert.equal((await approval()).current_user, 'automatic')
  })
})
