import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Person } from '../../../test/world.ts'
import type { Collection, CollectionWithAccounts } from '../../entities/collection.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, notified } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const { keys } = await remote.createActor('first')
let names = 0

/** Somebody elsewhere whom everybody may put into collections. */
const makeActor = (host = remote, document: Record<string, unknown> = {}) =>
  host.createActor(`actor${(names += 1)}`, {
    keys,
    document: { interactionPolicy: { canFeature: { automaticApproval: [PUBLIC] } }, ...document },
  })

async function makePerson({ discoverable = true }: { discoverable?: boolean } = {}): Promise<Person> {
  const person = await world.createPerson()
  await person.client.patch('/api/v1/accounts/update_credentials', { discoverable })
  return person
}

async function make(owner: Person, more: Record<string, unknown> = {}): Promise<Collection> {
  const body = { name: 'Good people', sensitive: false, discoverable: true, ...more }
  const answer = await owner.client.post('/api/v1/collections', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.collection
}

async function see(client: Person['client'], id: string): Promise<CollectionWithAccounts> {
  const { status, body } = await client.get(`/api/v1/collections/${id}`)
  assert.equal(status, 200)
  assertOnWire('CollectionWithAccounts', body)
  return body
}

const statesOf = ({ collection }: CollectionWithAccounts) => collection.items.map(({ state }) => state)

async function accountOf(person: Person, actor: PeerActor): Promise<string> {
  const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  return body[0].id
}

/** Makes somebody elsewhere follow somebody here. */
async function makeFan(person: Person, host = other): Promise<PeerActor> {
  const fan = await makeActor(host)
  await deliver(fan, fan.activity('Follow', uriOf(person)))
  await fan.inbox.next(({ type }) => type === 'Accept')
  return fan
}

/** What came to an actor's host since the last look, without what it asked for itself. */
async function newsOf({ inbox }: PeerActor): Promise<Activity[]> {
  await world.settle()
  const news = inbox.received.map(({ activity }) => activity)
  inbox.clear()
  return news
}

interface Featured {
  /** Whom it features. */
  actor: { id: string }
  approval?: string
}

/** A collection elsewhere, served at its address; what it features is served with its consent. */
function serveCollection(
  owner: PeerActor,
  items: readonly Featured[] = [],
  more: Record<string, unknown> = {},
): Activity {
  const id = `${owner.id}/featured/${crypto.randomUUID()}`
  const orderedItems = items.map(({ actor, approval }, n) => ({
    id: `${id}/items/${n}`,
    type: 'FeaturedItem',
    featuredObject: actor.id,
    featuredObjectType: 'Person',
    featureAuthorization: approval ?? serveConsent(actor, id),
    published: '2026-05-01T00:00:00Z',
  }))
  return remote.serve({
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/fep/7aa9'],
    id,
    type: 'FeaturedCollection',
    attributedTo: owner.id,
    name: 'Cute cats',
    summary: '<p>Look<script>alert(1)</script></p>',
    url: id,
    discoverable: true,
    topic: { type: 'Hashtag', name: '#Cats' },
    published: '2026-05-01T00:00:00Z',
    totalItems: orderedItems.length,
    orderedItems,
    ...more,
  })
}

function serveConsent({ id }: { id: string }, collectionUri: unknown): string {
  const uri = `${id}/stamps/${crypto.randomUUID()}`
  const host = id.startsWith(remote.origin) ? remote : other
  host.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: uri,
    type: 'FeatureAuthorization',
    interactingObject: collectionUri,
    interactionTarget: id,
  })
  return uri
}

const collectionsOf = async (person: Person, actor: PeerActor): Promise<Collection[]> =>
  (await person.client.get(`/api/v1/accounts/${await accountOf(person, actor)}/collections`)).body.collections

suite('a collection of somebody here', () => {
  test('is told to followers elsewhere when it is made, changed and gone, and lies where it says', async () => {
    const alice = await makePerson()
    const bob = await makePerson()
    const fan = await makeFan(alice)
    fan.inbox.clear()
    const collection = await make(alice, {
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
      topic: { type: 'Hashtag', href: `${fediverse.origin}/tags/cats`, name: '#Cats' },
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
    const alice = await makePerson()
    const fan = await makeFan(alice)
    fan.inbox.clear()
    const { id, uri } = await make(alice, { discoverable: false })
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
    const [alice, bob] = [await makePerson(), await makePerson()]
    const { id, uri, items } = await make(alice, { account_ids: [alice.accountId] })
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
    const alice = await makePerson()
    const fan = await makeFan(alice)
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    fan.inbox.clear()
    const { id, uri } = await make(alice)
    const { status, body } = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.deepEqual([status, body.collection_item.state, body.collection_item.account_id], [200, 'pending', carolId])
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    assert.deepEqual([request['actor'], request['object'], request['instrument']], [uriOf(alice), carol.id, uri])
    assert.deepEqual(statesOf(await see(alice.client, id)), ['pending'])
    assert.deepEqual(statesOf(await see(world.anonymous, id)), [])
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
    assert.deepEqual(statesOf(await see(world.anonymous, id)), [])
    await deliver(carol, carol.activity('Accept', request, { result: stamp }))
    assert.deepEqual(statesOf(await see(world.anonymous, id)), ['accepted'])
    const [add] = await newsOf(fan)
    assert.deepEqual([add?.['type'], add?.['object'].featureAuthorization, add?.['target']], ['Add', stamp, uri])
    assert.equal((await fan.get(uri)).json.orderedItems[0].featuredObject, carol.id)

    await deliver(mallory, mallory.activity('Delete', stamp))
    assert.deepEqual(statesOf(await see(world.anonymous, id)), ['accepted'])
    await deliver(carol, carol.activity('Delete', { id: stamp, type: 'FeatureAuthorization' }))
    assert.deepEqual(statesOf(await see(alice.client, id)), [])
    assert.deepEqual(
      (await newsOf(fan)).map(({ type }) => type),
      ['Remove'],
    )
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    assert.equal(again.status, 403)
  })

  test('has nobody who refuses; they may be asked again, and told when they are taken out', async () => {
    const alice = await makePerson()
    const carol = await makeActor()
    const carolId = await accountOf(alice, carol)
    const { id } = await make(alice, { account_ids: [carolId] })
    const first = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Reject', first.activity['id']))
    assert.deepEqual(statesOf(await see(alice.client, id)), [])
    await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: carolId })
    const second = await carol.inbox.next(
      ({ type, id: uri }) => type === 'FeatureRequest' && uri !== first.activity['id'],
    )
    await deliver(carol, carol.activity('Accept', first.activity['id'], { result: `${carol.id}/stamps/1` }))
    assert.deepEqual(statesOf(await see(alice.client, id)), ['pending'])
    await deliver(carol, carol.activity('Accept', second.activity['id'], { result: `${carol.id}/stamps/2` }))
    const { collection } = await see(alice.client, id)
    assert.deepEqual(statesOf({ collection, accounts: [] }), ['accepted'])
    await alice.client.delete(`/api/v1/collections/${id}/items/${collection.items[0]!.id}`)
    const { activity } = await carol.inbox.next(({ type }) => type === 'Remove')
    assert.equal(activity['object'], `${uriOf(alice)}/collection_items/${collection.items[0]!.id}`)
  })

  test('can have only those elsewhere whose server says that they can be asked', async () => {
    const alice = await makePerson()
    const { id } = await make(alice)
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

suite('somebody elsewhere', () => {
  const ask = (actor: PeerActor, person: Person, collection: Activity) =>
    actor.activity('FeatureRequest', uriOf(person), { instrument: collection['id'] })

  test('has somebody here in a collection who wants to be discovered, and hears so; as often as they ask', async () => {
    const alice = await makePerson()
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
    assert.deepEqual(
      (await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)).body.collections,
      [],
    )
  })

  test('has nobody here who does not want it, and hears so', async () => {
    const [shy, blocking, blocked] = [await makePerson({ discoverable: false }), await makePerson(), await makePerson()]
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
    const alice = await makePerson()
    const [carol, mallory, stranger] = [await makeActor(), await makeActor(), await makeActor(other)]
    const collection = serveCollection(carol)
    await deliver(mallory, ask(mallory, alice, collection))
    await mallory.inbox.next(({ type }) => type === 'Reject')
    await deliver(stranger, ask(stranger, alice, collection))
    assert.deepEqual(await notified(alice), [])
  })

  test('loses whoever blocks their domain, and hears so', async () => {
    const alice = await makePerson()
    const carol = await makeActor()
    await deliver(carol, ask(carol, alice, serveCollection(carol)))
    const { activity } = await carol.inbox.next(({ type }) => type === 'Accept')
    await alice.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
    const end = await carol.inbox.next(({ type }) => type === 'Delete')
    assert.equal(end.activity['object'].id, activity['result'])
    assert.equal((await carol.get(activity['result'])).status, 404)
    assert.deepEqual(
      (await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)).body.collections,
      [],
    )
  })

  test('and somebody here leave each other’s collections with a block, and theirs hears it', async () => {
    const alice = await makePerson()
    const carol = await makeActor()
    await deliver(carol, ask(carol, alice, serveCollection(carol)))
    const { activity: accept } = await carol.inbox.next(({ type }) => type === 'Accept')
    const carolId = await accountOf(alice, carol)
    const { id } = await make(alice, { account_ids: [carolId] })
    const { activity: request } = await carol.inbox.next(({ type }) => type === 'FeatureRequest')
    await deliver(carol, carol.activity('Accept', request['id'], { result: `${carol.id}/stamps/9` }))
    await alice.client.post(`/api/v1/accounts/${carolId}/block`)
    const types = (await newsOf(carol)).map(({ type, object }) => `${type} ${object.id ?? object}`)
    assert.ok(types.includes(`Delete ${accept['result']}`), types.join())
    assert.ok(
      types.some((one) => one.startsWith(`Remove ${uriOf(alice)}/collection_items/`)),
      types.join(),
    )
    assert.deepEqual(statesOf(await see(alice.client, id)), [])
    assert.equal((await carol.get(accept['result'])).status, 404)
  })
})

suite('collections of somebody elsewhere', () => {
  const add = (actor: PeerActor, object: unknown) =>
    actor.activity('Add', object, { target: `${actor.id}/featured_collections` })

  test('are shown once they are followed, with those in them who agreed', async () => {
    const alice = await makePerson()
    const [carol, dora, erin, finn] = [
      await makeActor(),
      await makeActor(),
      await makeActor(other),
      await makeActor(other),
    ]
    const bob = await makePerson()
    const collection = serveCollection(carol, [
      { actor: dora },
      { actor: erin },
      // What is said of these is not so.
      { actor: finn, approval: serveConsent(dora, 'x') },
      { actor: finn, approval: serveConsent(finn, `${carol.id}/featured/another`) },
      { actor: { id: uriOf(bob) }, approval: `${uriOf(bob)}/feature_authorizations/1` },
    ])
    await deliver(carol, add(carol, collection))
    assert.equal((await sql`select from collections where uri = ${collection['id']}`.execute(db)).rows.length, 0)
    await befriend(alice, carol)
    await deliver(carol, add(carol, collection['id']))
    const [shown, ...more] = await collectionsOf(alice, carol)
    assertOnWire('Collection', shown)
    assert.deepEqual([more, shown?.name, shown?.uri, shown?.url], [[], 'Cute cats', collection['id'], collection['id']])
    assert.equal(shown?.item_count, 5)
    const { accounts } = await see(alice.client, shown.id)
    assert.deepEqual(
      accounts.map(({ uri }) => uri),
      [carol.id, dora.id, erin.id],
    )
    assert.deepEqual((await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)).body.collections, [])
    for (const method of ['patch', 'delete'] as const) {
      assert.equal((await alice.client[method](`/api/v1/collections/${shown.id}`)).status, 403)
    }
  })

  test('change, gain and lose people, and go, when their owner says so and nobody else', async () => {
    const alice = await makePerson()
    const [carol, dora, erin, mallory] = [await makeActor(), await makeActor(), await makeActor(), await makeActor()]
    await befriend(alice, carol)
    await befriend(alice, mallory)
    const collection = serveCollection(carol, [{ actor: dora }])
    await deliver(carol, add(carol, collection))
    const [{ id }] = (await collectionsOf(alice, carol)) as [Collection]
    const people = async () => (await see(alice.client, id)).accounts.slice(1).map(({ uri }) => uri)
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
    assert.deepEqual(await people(), [dora.id, erin.id])
    await deliver(carol, carol.activity('Update', updated))
    assert.deepEqual(await people(), [erin.id])
    assert.equal((await see(alice.client, id)).collection.name, 'Renamed')
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
    const alice = await makePerson()
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
    const alice = await makePerson()
    const carol = await makeActor()
    const far = serveCollection(carol, [{ actor: carol }])
    const near = await make(alice)
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
    const bob = await makePerson()
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    assert.deepEqual(await search(bob, near.uri), [])
    const mallory = await makeActor(other)
    const forged = other.serve({ ...far, id: `${mallory.id}/featured/1` })
    assert.deepEqual(await search(alice, forged['id']), [])
  })

  test('are kept up to a number, with as many people as are looked at', async () => {
    const alice = await makePerson()
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
