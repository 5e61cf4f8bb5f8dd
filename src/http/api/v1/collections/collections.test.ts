import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import {
  createCollection,
  createDiscoverableUser,
  NEW_COLLECTION,
  readCollection,
} from '../../../../../test/features/collections.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

suite('a collection', () => {
  test('has its metadata and accounts, the owner first', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const collection = await createCollection(alice, {
      name: '  Cats \n and dogs ',
      description: 'Accounts with pets',
      language: 'en',
      sensitive: true,
      tag_name: '#CatsOfMastodon',
      account_ids: [bob.accountId, carol.accountId],
    })
    const { origin } = testServer.ctx.config
    const { items, created_at: createdAt, ...rest } = collection
    assert.deepEqual(rest, {
      id: collection.id,
      uri: `${origin}/ap/users/${alice.accountId}/collections/${collection.id}`,
      url: `${origin}/collections/${collection.id}`,
      account_id: alice.accountId,
      name: 'Cats   and dogs',
      description: 'Accounts with pets',
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
    for (const client of [alice.client, bob.client, testServer.anonymous]) {
      const body = await readCollection(client, collection.id)
      assert.deepEqual(body.collection, collection)
      assert.deepEqual(idsOf(body.accounts), [alice.accountId, bob.accountId, carol.accountId])
    }
  })

  test('BI18 BI4 with invalid fields is rejected with the errors of all fields, in JSON and forms', async () => {
    const alice = await createDiscoverableUser(testServer)
    const invalid = {
      name: 'x'.repeat(41),
      description: 'ü'.repeat(101),
      language: 'klingonish',
      tag_name: 'two words',
    }
    const { status, body } = await alice.client.post('/api/v1/collections', invalid)
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
      payload: new URLSearchParams(invalid).toString(),
    })
    assert.deepEqual([form.status, form.body], [422, body])
    const empty = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: ' ' })
    assert.equal(empty.body.error.details.name[0].error, 'ERR_BLANK')
    const huge = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: 'x'.repeat(900_000) })
    assert.equal(huge.body.error.details.name[0].error, 'ERR_TOO_LONG')
    const longest = await createCollection(alice, { name: '👩‍👩‍👧‍👦'.repeat(40), description: 'é'.repeat(100) })
    assert.equal(longest.description, 'é'.repeat(100))
  })

  test('can be changed by PATCH and PUT in the sent fields, only by its owner', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const { id, ...before } = await createCollection(alice, { description: 'old', language: 'de', tag_name: 'birds' })
    const url = `/api/v1/collections/${id}`
    const patched = (await alice.client.patch(url, { name: 'Renamed', language: '' })).body.collection
    assertEntity('Collection', patched)
    assert.deepEqual(patched, { id, ...before, name: 'Renamed', language: null, updated_at: patched.updated_at })
    const put = (await alice.client.put(url, { tag_name: '', sensitive: true, discoverable: false })).body.collection
    assert.deepEqual([put.name, put.tag, put.sensitive, put.discoverable], ['Renamed', null, true, false])
    const same = (await alice.client.patch(url, { name: 'Renamed' })).body.collection
    assert.equal(same.updated_at, put.updated_at)
    const rejected = await alice.client.patch(url, { name: '' })
    assert.deepEqual([rejected.status, rejected.body.error.details.name[0].error], [422, 'ERR_BLANK'])
    for (const response of [
      await bob.client.patch(url, { name: 'mine' }),
      await bob.client.put(url, { name: 'mine' }),
    ]) {
      assert.deepEqual([response.status, response.body], [403, { error: 'This action is not allowed' }])
    }
    assert.equal((await readCollection(bob.client, id)).collection.name, 'Renamed')
  })

  test('can be deleted by its owner only', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const { id } = await createCollection(alice, { account_ids: [bob.accountId] })
    assert.equal((await bob.client.delete(`/api/v1/collections/${id}`)).status, 403)
    const { status, body } = await alice.client.delete(`/api/v1/collections/${id}`)
    assert.deepEqual([status, body], [200, ''])
    for (const method of ['get', 'delete', 'patch'] as const) {
      const response = await alice.client[method](`/api/v1/collections/${id}`)
      assert.deepEqual([response.status, response.body], [404, { error: 'Record not found' }])
    }
    assert.deepEqual((await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)).body.collections, [])
  })

  test('counts towards the limit of the owner’s role, also by concurrent requests', async () => {
    const alice = await createDiscoverableUser(testServer)
    const responses = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, name: `No ${n}` }),
      ),
    )
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array(10).fill(200), ...Array(4).fill(422)],
    )
    const { body } = responses.find(({ status }) => status === 422)!
    assert.match(body.error.error, /limited to 10/)
    const { role } = (await alice.client.get('/api/v1/accounts/verify_credentials')).body
    assert.equal(role.collection_limit, 10)
  })
})

test('masto.js creates, changes and deletes a collection and its items', async () => {
  const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  const url = await testServer.listen()
  const restOf = ({ token }: TestUser) => createRestAPIClient({ url, accessToken: token })
  const rest = restOf(alice)
  const { collection } = await rest.v1.collections.create({ ...NEW_COLLECTION, accountIds: [bob.accountId] })
  assert.equal(collection.itemCount, 1)
  const changed = await rest.v1.collections.$select(collection.id).update({ tagName: 'friends' })
  assert.equal(changed.collection.tag?.name, 'friends')
  const fetched = await restOf(bob).v1.collections.$select(collection.id).fetch()
  assert.deepEqual(idsOf(fetched.accounts), [alice.accountId, bob.accountId])
  const [item] = fetched.collection.items
  await rest.v1.collections.$select(collection.id).items.$select(item!.id).remove()
  const put = await rest.v1.collections.$select(collection.id).items.create({ accountId: bob.accountId })
  await restOf(bob).v1.collections.$select(collection.id).items.$select(put.collectionItem.id).revoke()
  const { collections } = await rest.v1.accounts.$select(alice.accountId).collections.list()
  assert.deepEqual(
    collections.map(({ id, items }) => [id, items.map(({ state, accountId }) => [state, accountId])]),
    [[collection.id, [['revoked', undefined]]]],
  )
  await rest.v1.collections.$select(collection.id).remove()
  assert.deepEqual((await restOf(bob).v1.accounts.$select(bob.accountId).inCollections.list()).collections, [])
})

test('errors of collections are in the language of the client, also their details', async () => {
  const user = await createDiscoverableUser(testServer)
  const response = await testServer.server.inject({
    method: 'POST',
    url: '/api/v1/collections?lang=de',
    headers: { authorization: `Bearer ${user.token}` },
    payload: { ...NEW_COLLECTION, name: 'x'.repeat(41), tag_name: 'two words' },
  })
  assert.equal(response.statusCode, 422)
  assert.deepEqual(response.json(), {
    error: {
      error: 'Überprüfung fehlgeschlagen: Der Name ist zu lang (höchstens 40 Zeichen), Der Hashtag ist ungültig',
      details: {
        name: [{ error: 'ERR_TOO_LONG', description: 'ist zu lang (höchstens 40 Zeichen)' }],
        tag_name: [{ error: 'ERR_INVALID', description: 'ist ungültig' }],
      },
    },
  })
})
