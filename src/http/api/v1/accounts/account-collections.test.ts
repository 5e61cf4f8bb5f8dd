import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  createCollection,
  createDiscoverableUser,
  NEW_COLLECTION,
  readCollection,
} from '../../../../../test/features/collections.ts'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('feature_approval says whether the viewer may add the account to a collection', async () => {
  const [alice, bob, carol] = [
    await createDiscoverableUser(testServer),
    await createDiscoverableUser(testServer),
    await testServer.createUser(),
  ]
  const approval = async (client: TestUser['client'], { accountId }: TestUser) => {
    const { body } = await client.get(`/api/v1/accounts/${accountId}`)
    assertEntity('Account', body)
    return body.feature_approval
  }
  const publicApproval = { automatic: ['public'], manual: [] }
  assert.deepEqual(await approval(bob.client, alice), { ...publicApproval, current_user: 'automatic' })
  assert.deepEqual(await approval(testServer.anonymous, alice), { ...publicApproval, current_user: 'denied' })
  assert.deepEqual(await approval(bob.client, carol), { automatic: [], manual: [], current_user: 'denied' })
  assert.equal((await approval(carol.client, carol)).current_user, 'automatic')
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  for (const [viewer, target] of [
    [bob, alice],
    [alice, bob],
  ] as const) {
    assert.deepEqual(await approval(viewer.client, target), { ...publicApproval, current_user: 'denied' })
    const { body } = await viewer.client.get('/api/v2/search', { q: target.username })
    assert.equal(body.accounts[0]?.feature_approval.current_user ?? 'denied', 'denied')
  }
  await alice.client.patch('/api/v1/accounts/update_credentials', {
    discoverable: false,
    note: '"current_user":"automatic"',
    display_name: '"current_user":"automatic"',
  })
  const { body } = await carol.client.get(`/api/v1/accounts/${alice.accountId}`)
  assert.deepEqual(body.feature_approval, { automatic: [], manual: [], current_user: 'denied' })
  assert.equal(body.display_name, '"current_user":"automatic"')
})

suite('collections are listed', () => {
  test('for their owner’s account if discoverable; each collection is readable by its id', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const listed = await createCollection(alice)
    const hidden = await createCollection(alice, { discoverable: false, account_ids: [bob.accountId] })
    const list = async (client: TestUser['client']) => {
      const { status, body } = await client.get(`/api/v1/accounts/${alice.accountId}/collections`)
      assert.deepEqual([status, Object.keys(body)], [200, ['collections']])
      return idsOf(body.collections)
    }
    assert.deepEqual(await list(alice.client), [hidden.id, listed.id])
    assert.deepEqual(await list(bob.client), [listed.id])
    assert.deepEqual(await list(testServer.anonymous), [listed.id])
    assert.equal((await readCollection(testServer.anonymous, hidden.id)).collection.discoverable, false)
    const own = await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual(idsOf(own.body.collections), [hidden.id])
    assertEntity('Collection', own.body.collections[0])
    const others = await alice.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual([others.status, others.body], [403, { error: 'This action is not allowed' }])
  })

  test('VI14 VI11 not for users whom the owner blocks, who get the response of an unknown collection', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const { id } = await createCollection(alice, { account_ids: [alice.accountId] })
    const [item] = (await readCollection(testServer.anonymous, id)).collection.items
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    assert.deepEqual((await bob.client.get(`/api/v1/accounts/${alice.accountId}/collections`)).body, {
      collections: [],
    })
    const unknown = await bob.client.get('/api/v1/collections/999999')
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Record not found' }])
    const path = `/api/v1/collections/${id}`
    for (const response of [
      await bob.client.get(path),
      await bob.client.patch(path, { name: 'x' }),
      await bob.client.delete(path),
      await bob.client.post(`${path}/items`, { account_id: bob.accountId }),
      await bob.client.delete(`${path}/items/${item!.id}`),
      await bob.client.post(`${path}/items/${item!.id}/revoke`),
    ]) {
      assert.deepEqual([response.status, response.body], [unknown.status, unknown.body])
    }
  })

  test('with the same number of SQL statements for ten collections as for one', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const path = `/api/v1/accounts/${alice.accountId}/collections`
    await createCollection(alice, { account_ids: [bob.accountId] })
    await bob.client.get(path)
    await testServer.waitForJobs()
    const one = await countQueries(() => bob.client.get(path))
    for (let n = 0; n < 9; n += 1) await createCollection(alice, { account_ids: [bob.accountId, alice.accountId] })
    await testServer.waitForJobs()
    assert.equal(await countQueries(() => bob.client.get(path)), one)
  })

  test('under /api/v1_alpha too, with a Deprecation header', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
    const { status, headers, body } = await alice.client.post('/api/v1_alpha/collections', NEW_COLLECTION)
    assert.equal(status, 200)
    assert.match(String(headers['deprecation']), /^@\d{10}$/)
    const path = `/api/v1_alpha/collections/${body.collection.id}`
    const item = (await alice.client.post(`${path}/items`, { account_id: bob.accountId })).body.collection_item
    for (const response of [
      await alice.client.get(path),
      await alice.client.get(`/api/v1_alpha/accounts/${alice.accountId}/collections`),
      await alice.client.patch(path, { name: 'New' }),
      await alice.client.put(path, { name: 'Newer' }),
      await bob.client.post(`${path}/items/${item!.id}/revoke`),
      await alice.client.delete(path),
    ]) {
      assert.deepEqual([response.status, response.headers['deprecation']], [200, headers['deprecation']])
    }
    const current = await alice.client.get(`/api/v1/accounts/${alice.accountId}/collections`)
    assert.deepEqual([current.body, current.headers['deprecation']], [{ collections: [] }, undefined])
  })

  test('only for tokens with the collection scopes', async () => {
    const reader = await testServer.createUser({ scopes: 'read:collections' })
    const writer = await testServer.createUser({ scopes: 'write:collections' })
    const other = await testServer.createUser({ scopes: 'read:lists write:lists' })
    assert.equal((await writer.client.post('/api/v1/collections', NEW_COLLECTION)).status, 200)
    for (const { client } of [reader, other])
      assert.equal((await client.post('/api/v1/collections', NEW_COLLECTION)).status, 403)
    const path = `/api/v1/accounts/${writer.accountId}/collections`
    assert.equal((await reader.client.get(path)).status, 200)
    for (const { client } of [writer, other]) assert.equal((await client.get(path)).status, 403)
  })
})
