import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { makeCollection, makeDiscoverable, NEW_COLLECTION, seeCollection } from '../../../../../test/collections.ts'
import { countQueries } from '../../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'

const world = await openWorld()
after(world.close)

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('an account tells each viewer whether they may put it into a collection', async () => {
  const [alice, bob, carol] = [await makeDiscoverable(world), await makeDiscoverable(world), await world.createPerson()]
  const approval = async (client: Person['client'], { accountId }: Person) => {
    const { body } = await client.get(`/api/v1/accounts/${accountId}`)
    assertOnWire('Account', body)
    return body.feature_approval
  }
  const open = { automatic: ['public'], manual: [] }
  assert.deepEqual(await approval(bob.client, alice), { ...open, current_user: 'automatic' })
  assert.deepEqual(await approval(world.anonymous, alice), { ...open, current_user: 'denied' })
  assert.deepEqual(await approval(bob.client, carol), { automatic: [], manual: [], current_user: 'denied' })
  assert.equal((await approval(carol.client, carol)).current_user, 'automatic')
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  for (const [by, whom] of [
    [bob, alice],
    [alice, bob],
  ] as const) {
    assert.deepEqual(await approval(by.client, whom), { ...open, current_user: 'denied' })
    const { body } = await by.client.get('/api/v2/search', { q: whom.username })
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

suite('collections are found', () => {
  test('on the account of their owner, unless they are not to be; by their id always', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const shown = await makeCollection(alice)
    const hidden = await makeCollection(alice, { discoverable: false, account_ids: [bob.accountId] })
    const list = async (client: Person['client']) => {
      const { status, body } = await client.get(`/api/v1/accounts/${alice.accountId}/collections`)
      assert.deepEqual([status, Object.keys(body)], [200, ['collections']])
      return idsOf(body.collections)
    }
    assert.deepEqual(await list(alice.client), [hidden.id, shown.id])
    assert.deepEqual(await list(bob.client), [shown.id])
    assert.deepEqual(await list(world.anonymous), [shown.id])
    assert.equal((await seeCollection(world.anonymous, hidden.id)).collection.discoverable, false)
    const mine = await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual(idsOf(mine.body.collections), [hidden.id])
    assertOnWire('Collection', mine.body.collections[0])
    const others = await alice.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual([others.status, others.body], [403, { error: 'This action is not allowed' }])
  })

  test('VI14 VI11 not by those whom the owner blocks, who get what they would get for none', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const { id } = await makeCollection(alice, { account_ids: [alice.accountId] })
    const [item] = (await seeCollection(world.anonymous, id)).collection.items
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    assert.deepEqual((await bob.client.get(`/api/v1/accounts/${alice.accountId}/collections`)).body, {
      collections: [],
    })
    const none = await bob.client.get('/api/v1/collections/999999')
    assert.deepEqual([none.status, none.body], [404, { error: 'Record not found' }])
    const path = `/api/v1/collections/${id}`
    for (const answer of [
      await bob.client.get(path),
      await bob.client.patch(path, { name: 'x' }),
      await bob.client.delete(path),
      await bob.client.post(`${path}/items`, { account_id: bob.accountId }),
      await bob.client.delete(`${path}/items/${item!.id}`),
      await bob.client.post(`${path}/items/${item!.id}/revoke`),
    ]) {
      assert.deepEqual([answer.status, answer.body], [none.status, none.body])
    }
  })

  test('with as many statements for ten as for one', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const path = `/api/v1/accounts/${alice.accountId}/collections`
    await makeCollection(alice, { account_ids: [bob.accountId] })
    await bob.client.get(path)
    await world.settle()
    const one = await countQueries(() => bob.client.get(path))
    for (let n = 0; n < 9; n += 1) await makeCollection(alice, { account_ids: [bob.accountId, alice.accountId] })
    await world.settle()
    assert.equal(await countQueries(() => bob.client.get(path)), one)
  })

  test('under the name that the API had before, whose answers say that it is out of date', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await makeDiscoverable(world)]
    const { status, headers, body } = await alice.client.post('/api/v1_alpha/collections', NEW_COLLECTION)
    assert.equal(status, 200)
    assert.match(String(headers['deprecation']), /^@\d{10}$/)
    const path = `/api/v1_alpha/collections/${body.collection.id}`
    const item = (await alice.client.post(`${path}/items`, { account_id: bob.accountId })).body.collection_item
    for (const answer of [
      await alice.client.get(path),
      await alice.client.get(`/api/v1_alpha/accounts/${alice.accountId}/collections`),
      await alice.client.patch(path, { name: 'New' }),
      await alice.client.put(path, { name: 'Newer' }),
      await bob.client.post(`${path}/items/${item!.id}/revoke`),
      await alice.client.delete(path),
    ]) {
      assert.deepEqual([answer.status, answer.headers['deprecation']], [200, headers['deprecation']])
    }
    const now = await alice.client.get(`/api/v1/accounts/${alice.accountId}/collections`)
    assert.deepEqual([now.body, now.headers['deprecation']], [{ collections: [] }, undefined])
  })

  test('by tokens that may', async () => {
    const reader = await world.createPerson({ scopes: 'read:collections' })
    const writer = await world.createPerson({ scopes: 'write:collections' })
    const other = await world.createPerson({ scopes: 'read:lists write:lists' })
    assert.equal((await writer.client.post('/api/v1/collections', NEW_COLLECTION)).status, 200)
    for (const { client } of [reader, other])
      assert.equal((await client.post('/api/v1/collections', NEW_COLLECTION)).status, 403)
    const path = `/api/v1/accounts/${writer.accountId}/collections`
    assert.equal((await reader.client.get(path)).status, 200)
    for (const { client } of [writer, other]) assert.equal((await client.get(path)).status, 403)
  })
})
