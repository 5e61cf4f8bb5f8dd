import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { makeCollection, makeDiscoverable, seeCollection } from '../../../test/collections.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { openRecommending, statesOf } from '../../../test/recommending.ts'
import { assertOnWire } from '../../../test/wire.ts'

const recommending = await openRecommending()
after(recommending.close)
const { world, uriOf, origin, deliver, befriend, remote, other, makeActor, makeFan, accountOf, newsOf, serveConsent } =
  recommending

suite('a collection of somebody here', () => {
  test('is told to followers elsewhere when it is made, changed and gone, and lies where it says', async () => {
    const alice = await makeDiscoverable(world)
    const bob = await makeDiscoverable(world)
    const fan = await makeFan(alice)
    const collection = await makeCollection(alice, {
      description: 'Cats & <dogs>',
      language: 'en',
      tag_name: 'Cats',
      account_ids: [bob.accountId],
    })
    const news = await newsOf(fan)
    assert.deepEqual(
      news.map(({ type }) => type),
      ['Add', 'Add'],
    )
    const add = news.find(({ object }) => object.type === 'FeaturedCollection')!
    assert.equal(add['target'], `${uriOf(alice)}/featured_collections`)
    assert.equal(add['object'].id, collection.uri)
    const { json } = await fan.get(collection.uri)
    const { '@context': _context, orderedItems, published, updated, ...document } = json as Activity
    const item = `${uriOf(alice)}/collection_items/${collection.items[0]!.id}`
    const consent = `${uriOf(bob)}/feature_authorizations/${collection.items[0]!.id}`
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
    const { published: _at, ...place } = orderedItems[0]
    assert.deepEqual(place, {
      id: item,
      type: 'FeaturedItem',
      featuredObject: uriOf(bob),
      featuredObjectType: 'Person',
      featureAuthorization: consent,
    })
    assert.equal((await fan.get(item)).json.featuredObject, uriOf(bob))
    const { '@context': _terms, ...stamp } = (await fan.get(consent)).json as Record<string, unknown>
    assert.deepEqual(stamp, {
      id: consent,
      type: 'FeatureAuthorization',
      attributedTo: uriOf(bob),
      interactingObject: collection.uri,
      interactionTarget: uriOf(bob),
    })
    const list = (await fan.get(`${uriOf(alice)}/featured_collections`)).json
    assert.deepEqual([list.totalItems, list.orderedItems], [1, [collection.uri]])
    assert.equal((await fan.get(uriOf(alice))).json.featuredCollections, `${uriOf(alice)}/featured_collections`)

    await alice.client.patch(`/api/v1/collections/${collection.id}`, { name: 'Better people' })
    const [update] = await newsOf(fan)
    assert.deepEqual([update?.['type'], update?.['object'].name], ['Update', 'Better people'])
    await bob.client.post(`/api/v1/collections/${collection.id}/items/${collection.items[0]!.id}/revoke`)
    const [removal] = await newsOf(fan)
    assert.deepEqual([removal?.['type'], removal?.['object'], removal?.['target']], ['Remove', item, collection.uri])
    for (const gone of [item, consent]) assert.equal((await fan.get(gone)).status, 404)
    await alice.client.delete(`/api/v1/collections/${collection.id}`)
    const [end] = await newsOf(fan)
    assert.deepEqual([end?.['type'], end?.['object'], end?.['target']], ['Remove', collection.uri, list.id])
    assert.equal((await fan.get(collection.uri)).status, 404)
  })

  test('that is not to be found is told to nobody and listed nowhere, and lies where it says', async () => {
    const alice = await makeDiscoverable(world)
    const fan = await makeFan(alice)
    const { id, uri } = await makeCollection(alice, { discoverable: false })
    await alice.client.patch(`/api/v1/collections/${id}`, { name: 'Other' })
    assert.deepEqual(await newsOf(fan), [])
    const listed = async () => (await fan.get(`${uriOf(alice)}/featured_collections`)).json.orderedItems
    assert.deepEqual(await listed(), [])
    assert.equal((await fan.get(uri)).json.name, 'Other')
    await alice.client.patch(`/api/v1/collections/${id}`, { discoverable: true })
    assert.deepEqual(
      (await newsOf(fan)).map(({ type, object }) => [type, object.id]),
      [['Add', uri]],
    )
    assert.deepEqual(await listed(), [uri])
    await alice.client.patch(`/api/v1/collections/${id}`, { discoverable: false })
    assert.deepEqual(
      (await newsOf(fan)).map(({ type, object }) => [type, object]),
      [['Remove', uri]],
    )
  })

  test('VI14 VI11 is nothing for those whom the owner blocks, nor under the name of another', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const { id, uri, items } = await makeCollection(alice, { account_ids: [alice.accountId] })
    const mallory = await makeFan(alice)
    await alice.client.post(`/api/v1/accounts/${await accountOf(alice, mallory)}/block`)
    const item = `${uriOf(alice)}/collection_items/${items[0]!.id}`
    const consent = `${uriOf(alice)}/feature_authorizations/${items[0]!.id}`
    for (const url of [uri, item, consent, `${uriOf(alice)}/featured_collections`]) {
      assert.equal((await mallory.get(url)).status, 404, url)
      assert.equal((await mallory.get(url, { as: 'unsigned' })).status, 200, url)
    }
    for (const url of [
      `/collections/${id}`,
      `/collection_items/${items[0]!.id}`,
      `/feature_authorizations/${items[0]!.id}`,
    ]) {
      assert.equal((await mallory.get(`${uriOf(bob)}${url}`, { as: 'unsigned' })).status, 404, url)
    }
    assert.equal((await mallory.get(`${uriOf(alice)}/collections/x`, { as: 'unsigned' })).status, 404)
  })

  test('has somebody elsewhere once they agree, and no longer when they take it back', async () => {
    const alice = await makeDiscoverable(world)
    const fan = await makeFan(alice)
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    const { id, uri } = await makeCollection(alice)
    const { status, body } = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.deepEqual([status, body.collection_item.state, body.collection_item.account_id], [200, 'pending', carolId])
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    assert.deepEqual([request['actor'], request['object'], request['instrument']], [uriOf(alice), carol.id, uri])
    assert.deepEqual(statesOf(await seeCollection(alice.client, id)), ['pending'])
    assert.deepEqual(statesOf(await seeCollection(world.anonymous, id)), [])
    assert.deepEqual((await fan.get(uri)).json.orderedItems, [])
    assert.deepEqual(
      (await newsOf(fan)).map(({ object }) => object.type),
      ['FeaturedCollection'],
    )

    const mallory = await makeActor(other)
    const stamp = serveConsent(carol, uri)
    // Nobody else can answer, and nobody's consent lies elsewhere.
    await deliver(mallory, mallory.activity('Accept', request['id'], { result: `${mallory.id}/stamps/1` }))
    await deliver(carol, carol.activity('Accept', request['id'], { result: `${other.origin}/stamps/1` }))
    assert.deepEqual(statesOf(await seeCollection(world.anonymous, id)), [])
    await deliver(carol, carol.activity('Accept', request, { result: stamp }))
    assert.deepEqual(statesOf(await seeCollection(world.anonymous, id)), ['accepted'])
    const [add] = await newsOf(fan)
    assert.deepEqual([add?.['type'], add?.['object'].featureAuthorization, add?.['target']], ['Add', stamp, uri])
    assert.equal((await fan.get(uri)).json.orderedItems[0].featuredObject, carol.id)

    await deliver(mallory, mallory.activity('Delete', stamp))
    assert.deepEqual(statesOf(await seeCollection(world.anonymous, id)), ['accepted'])
    await deliver(carol, carol.activity('Delete', { id: stamp, type: 'FeatureAuthorization' }))
    assert.deepEqual(statesOf(await seeCollection(alice.client, id)), [])
    assert.deepEqual(
      (await newsOf(fan)).map(({ type }) => type),
      ['Remove'],
    )
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.equal(again.status, 403)
  })

  test('has nobody who refuses; they may be asked again, and told when they are taken out', async () => {
    const alice = await makeDiscoverable(world)
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    const { id } = await makeCollection(alice, { account_ids: [carolId] })
    const first = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Reject', first.activity['id']))
    assert.deepEqual(statesOf(await seeCollection(alice.client, id)), [])
    await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    const second = await carol.inbox.next(
      ({ type, id: uri }) => type === 'FeatureRequest' && uri !== first.activity['id'],
    )
    await deliver(carol, carol.activity('Accept', first.activity['id'], { result: `${carol.id}/stamps/1` }))
    assert.deepEqual(statesOf(await seeCollection(alice.client, id)), ['pending'])
    await deliver(carol, carol.activity('Accept', second.activity['id'], { result: `${carol.id}/stamps/2` }))
    const { collection } = await seeCollection(alice.client, id)
    assert.deepEqual(statesOf({ collection, accounts: [] }), ['accepted'])
    await alice.client.delete(`/api/v1/collections/${id}/items/${collection.items[0]!.id}`)
    const { activity } = await carol.inbox.next(({ type }) => type === 'Remove')
    assert.equal(activity['object'], `${uriOf(alice)}/collection_items/${collection.items[0]!.id}`)
  })

  test('can have only those elsewhere whose server says that they can be asked', async () => {
    const alice = await makeDiscoverable(world)
    const { id } = await makeCollection(alice)
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
      assertOnWire('Account', body)
      assert.equal(body.feature_approval.current_user, expected)
      const answer = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: account })
      assert.equal(answer.status, status, expected)
    }
    const friend = await makeActor(remote)
    friend.document['interactionPolicy'] = { canFeature: { automaticApproval: [friend.followersUrl] } }
    const friendId = await accountOf(alice, friend)
    const approval = async () => (await alice.client.get(`/api/v1/accounts/${friendId}`)).body.feature_approval
    assert.deepEqual(await approval(), { automatic: ['followers'], manual: [], current_user: 'denied' })
    await befriend(alice, friend)
    assert.equal((await approval()).current_user, 'automatic')
  })
})
