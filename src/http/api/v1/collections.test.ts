import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { makeCollection, makeDiscoverable, NEW_COLLECTION, seeCollection } from '../../../../test/collections.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

suite('a collection', () => {
  test('says what its owner says of it, and who is in it, the owner first', async () => {
    const [alice, bob, carol] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const collection = await makeCollection(alice, {
      name: '  Cats \n and dogs ',
      description: 'Those who show them',
      language: 'en',
      sensitive: true,
      tag_name: '#CatsOfMastodon',
      account_ids: [bob.accountId, carol.accountId],
    })
    const { origin } = world.ctx.config
    const { items, created_at: createdAt, ...rest } = collection
    assert.deepEqual(rest, {
      id: collection.id,
      uri: `${origin}/ap/users/${alice.accountId}/collections/${collection.id}`,
      url: `${origin}/collections/${collection.id}`,
      account_id: alice.accountId,
      name: 'Cats   and dogs',
      description: 'Those who show them',
      language: 'en',
      local: true,
      sensitive: true,
      discoverable: true,
      tag: { name: 'CatsOfMastodon', url: `${origin}/tags/catsofmastodon` },
      item_count: 2,
      updated_at: createdAt,
    })
    assert.deepEqual(
      items.map(({ account_id, state }) => [account_id, state]),
      [bob, carol].map(({ accountId }) => [accountId, 'accepted']),
    )
    for (const client of [alice.client, bob.client, world.anonymous]) {
      const body = await seeCollection(client, collection.id)
      assert.deepEqual(body.collection, collection)
      assert.deepEqual(idsOf(body.accounts), [alice.accountId, bob.accountId, carol.accountId])
    }
  })

  test('BI18 BI4 refuses what it can not say, in JSON and in forms alike, and tells which rules are broken', async () => {
    const alice = await makeDiscoverable(world)
    const wrong = {
      name: 'x'.repeat(41),
      description: 'ü'.repeat(101),
      language: 'klingonish',
      tag_name: 'two words',
    }
    const { status, body } = await alice.client.post('/api/v1/collections', wrong)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body), ['error'])
    assert.match(body.error.error, /^Validation failed: .*Name is too long \(maximum is 40 characters\)/)
    assert.deepEqual(Object.keys(body.error.details).toSorted(), [
      'description',
      'discoverable',
      'language',
      'name',
      'sensitive',
      'tag_name',
    ])
    assert.deepEqual(body.error.details.name, [
      { error: 'ERR_TOO_LONG', description: 'is too long (maximum is 40 characters)' },
    ])
    const form = await alice.client.send({
      method: 'POST',
      url: '/api/v1/collections',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(wrong).toString(),
    })
    assert.deepEqual([form.status, form.body], [422, body])
    const empty = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: ' ' })
    assert.equal(empty.body.error.details.name[0].error, 'ERR_BLANK')
    const huge = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: 'x'.repeat(900_000) })
    assert.equal(huge.body.error.details.name[0].error, 'ERR_TOO_LONG')
    const most = await makeCollection(alice, { name: '👩‍👩‍👧‍👦'.repeat(40), description: 'é'.repeat(100) })
    assert.equal(most.description, 'é'.repeat(100))
  })

  test('is changed by PATCH and by PUT, each time only in what is sent, and only by its owner', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const { id, ...before } = await makeCollection(alice, { description: 'old', language: 'de', tag_name: 'birds' })
    const url = `/api/v1/collections/${id}`
    const patched = (await alice.client.patch(url, { name: 'Renamed', language: '' })).body.collection
    assertOnWire('Collection', patched)
    assert.deepEqual(patched, { id, ...before, name: 'Renamed', language: null, updated_at: patched.updated_at })
    const put = (await alice.client.put(url, { tag_name: '', sensitive: true, discoverable: false })).body.collection
    assert.deepEqual([put.name, put.tag, put.sensitive, put.discoverable], ['Renamed', null, true, false])
    const same = (await alice.client.patch(url, { name: 'Renamed' })).body.collection
    assert.equal(same.updated_at, put.updated_at)
    const refused = await alice.client.patch(url, { name: '' })
    assert.deepEqual([refused.status, refused.body.error.details.name[0].error], [422, 'ERR_BLANK'])
    for (const answer of [await bob.client.patch(url, { name: 'mine' }), await bob.client.put(url, { name: 'mine' })]) {
      assert.deepEqual([answer.status, answer.body], [403, { error: 'This action is not allowed' }])
    }
    assert.equal((await seeCollection(bob.client, id)).collection.name, 'Renamed')
  })

  test('goes when its owner deletes it, and nobody else can', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const { id } = await makeCollection(alice, { account_ids: [bob.accountId] })
    assert.equal((await bob.client.delete(`/api/v1/collections/${id}`)).status, 403)
    const { status, body } = await alice.client.delete(`/api/v1/collections/${id}`)
    assert.deepEqual([status, body], [200, ''])
    for (const method of ['get', 'delete', 'patch'] as const) {
      const answer = await alice.client[method](`/api/v1/collections/${id}`)
      assert.deepEqual([answer.status, answer.body], [404, { error: 'Record not found' }])
    }
    assert.deepEqual((await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)).body.collections, [])
  })

  test('is one of as many as the role of its owner lets them have, also when many are made at once', async () => {
    const alice = await makeDiscoverable(world)
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_one, n) =>
        alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: `No ${n}` }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array(10).fill(200), ...Array(4).fill(422)],
    )
    const { body } = answers.find(({ status }) => status === 422)!
    assert.match(body.error.error, /limited to 10/)
    const { role } = (await alice.client.get('/api/v1/accounts/verify_credentials')).body
    assert.equal(role.collection_limit, 10)
  })
})

test('masto.js makes a collection, changes it, puts somebody in and out, and deletes it', async () => {
  const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
  const url = await world.listen()
  const restOf = ({ token }: Person) => createRestAPIClient({ url, accessToken: token })
  const rest = restOf(alice)
  const { collection } = await rest.v1.collections.create({ ...NEW_COLLECTION, accountIds: [bob.accountId] })
  assert.equal(collection.itemCount, 1)
  const changed = await rest.v1.collections.$select(collection.id).update({ tagName: 'friends' })
  assert.equal(changed.collection.tag?.name, 'friends')
  const seen = await restOf(bob).v1.collections.$select(collection.id).fetch()
  assert.deepEqual(idsOf(seen.accounts), [alice.accountId, bob.accountId])
  const [item] = seen.collection.items
  await rest.v1.collections.$select(collection.id).items.$select(item!.id).remove()
  const put = await rest.v1.collections.$select(collection.id).items.create({ accountId: bob.accountId })
  await restOf(bob).v1.collections.$select(collection.id).items.$select(put.collectionItem.id).revoke()
  const { collections } = await rest.v1.accounts.$select(alice.accountId).collections.list()
  assert.deepEqual(
    collections.map((one) => [one.id, one.items]),
    [[collection.id, []]],
  )
  await rest.v1.collections.$select(collection.id).remove()
  assert.deepEqual((await restOf(bob).v1.accounts.$select(bob.accountId).inCollections.list()).collections, [])
})
