import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import {
  featuredAccountIds,
  createCollection,
  createDiscoverableUser,
  NEW_COLLECTION,
  addToCollection,
  readCollection,
} from '../../../../../test/features/collections.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Collection } from '../../../../entities/accounts/collection.ts'
import type { Notification } from '../../../../entities/notifications/notification.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

suite('accounts in a collection', () => {
  test('are discoverable accounts or the owner', async () => {
    const [alice, bob] = [await createDiscoverableUser(testServer), await testServer.createUser()]
    const { id } = await createCollection(alice)
    const undiscoverable = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([undiscoverable.status, undiscoverable.body], [403, { error: 'This action is not allowed' }])
    const onCreation = await alice.client.post('/api/v1/collections', {
      ...NEW_COLLECTION,
      account_ids: [bob.accountId],
    })
    assert.equal(onCreation.status, 403)
    await bob.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
    await addToCollection(alice, { id, accountId: bob.accountId })
    await addToCollection(alice, { id, accountId: alice.accountId })
    assert.deepEqual(await featuredAccountIds(testServer.anonymous, id), [bob.accountId, alice.accountId])
    const twice = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([twice.status, twice.body.error.details.account[0].error], [422, 'ERR_TAKEN'])
  })

  test('AC11 cannot be hidden accounts, which get the response of unknown accounts', async () => {
    const alice = await createDiscoverableUser(testServer)
    const { id } = await createCollection(alice)
    const pending = await testServer.createUser({ approved: false })
    const missing = '`account_id` parameter is missing'
    for (const body of [
      {},
      { account_id: '' },
      { account_id: '999999' },
      { account_id: 'x' },
      { account_id: pending.accountId },
    ]) {
      const response = await alice.client.post(`/api/v1/collections/${id}/items`, body)
      assert.deepEqual([response.status, response.body], [422, { error: missing }])
    }
    const many = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: [pending.accountId] })
    assert.deepEqual([many.status, many.body.error.details.account_ids[0].error], [422, 'ERR_INVALID'])
    const unknown = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: ['x'] })
    assert.deepEqual([unknown.status, unknown.body], [422, many.body])
    const { body } = await alice.client.get(`/api/v1/accounts/${alice.accountId}/collections`)
    assert.deepEqual(idsOf(body.collections), [id])
  })

  test('are at most 25, also by concurrent requests', async () => {
    const alice = await createDiscoverableUser(testServer)
    const users = await Promise.all(Array.from({ length: 30 }, () => createDiscoverableUser(testServer)))
    const ids = users.map(({ accountId }) => accountId)
    const tooMany = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: ids.slice(0, 26) })
    assert.deepEqual([tooMany.status, tooMany.body.error.details.account_ids[0].error], [422, 'ERR_TOO_LONG'])
    const { id } = await createCollection(alice, { account_ids: ids.slice(0, 20) })
    const responses = await Promise.all(
      ids.slice(20).map((account) => alice.client.post(`/api/v1/collections/${id}/items`, { account_id: account })),
    )
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array(5).fill(200), ...Array(5).fill(422)],
    )
    const { collection } = await readCollection(testServer.anonymous, id)
    assert.deepEqual([collection.item_count, collection.items.length], [25, 25])
    assert.equal((await createCollection(alice, { account_ids: ids.slice(0, 25) })).items.length, 25)
  })

  test('can be removed by the owner and added again', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const { id } = await createCollection(alice)
    const other = await createCollection(alice)
    const item = await addToCollection(alice, { id, accountId: bob.accountId })
    const path = `/api/v1/collections/${id}/items/${item.id}`
    assert.equal((await carol.client.delete(path)).status, 403)
    assert.equal((await bob.client.delete(path)).status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${other.id}/items/${item.id}`)).status, 404)
    const deleted = await alice.client.delete(path)
    assert.deepEqual([deleted.status, deleted.body], [200, ''])
    assert.equal((await alice.client.delete(path)).status, 404)
    assert.deepEqual(await featuredAccountIds(testServer.anonymous, id), [])
    await addToCollection(alice, { id, accountId: bob.accountId })
  })

  test('can remove themselves for good, but not each other', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const { id } = await createCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    const [own] = (
      await bob.client.get<{ collections: Collection[] }>(`/api/v1/accounts/${bob.accountId}/in_collections`)
    ).body.collections
    const item = own!.items.find(({ account_id }) => account_id === bob.accountId)
    const path = `/api/v1/collections/${id}/items/${item!.id}/revoke`
    for (const client of [alice.client, carol.client]) {
      const response = await client.post(path)
      assert.deepEqual([response.status, response.body], [403, { error: 'This action is not allowed' }])
    }
    const response = await bob.client.post(path)
    assert.deepEqual([response.status, response.body], [200, ''])
    assert.equal((await bob.client.post(path)).status, 200)
    assert.equal((await carol.client.post(path)).status, 404)
    assert.deepEqual(await featuredAccountIds(testServer.anonymous, id), [carol.accountId])
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.equal(again.status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${id}/items/${item!.id}`)).status, 404)
  })

  test('that have removed themselves stay without their id for the owner, and do not count', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const { id, items } = await createCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    await bob.client.post(`/api/v1/collections/${id}/items/${items[0]!.id}/revoke`)
    const [accepted, revoked] = [items[1]!, { id: items[0]!.id, state: 'revoked', created_at: items[0]!.created_at }]
    for (const [{ client }, expected] of [
      [alice, [revoked, accepted]],
      [bob, [accepted]],
      [carol, [accepted]],
    ] as const) {
      const { collection, accounts } = await readCollection(client, id)
      assert.deepEqual([collection.items, collection.item_count], [expected, 1])
      assert.deepEqual(idsOf(accounts), [alice.accountId, carol.accountId])
    }
  })

  test('VI14 are removed by a block in either direction and cannot be added while it exists', async () => {
    for (const blocker of ['owner', 'featured'] as const) {
      const [alice, bob, carol] = [
        await createDiscoverableUser(testServer),
        await createDiscoverableUser(testServer),
        await createDiscoverableUser(testServer),
      ]
      const { id } = await createCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
      const reverse = await createCollection(bob, { account_ids: [alice.accountId, carol.accountId] })
      const [blockingUser, blockedUser] = blocker === 'owner' ? [alice, bob] : [bob, alice]
      await blockingUser.client.post(`/api/v1/accounts/${blockedUser.accountId}/block`)
      assert.deepEqual(await featuredAccountIds(testServer.anonymous, id), [carol.accountId])
      assert.deepEqual(await featuredAccountIds(testServer.anonymous, reverse.id), [carol.accountId])
      const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
      assert.equal(again.status, 403)
      await blockingUser.client.post(`/api/v1/accounts/${blockedUser.accountId}/unblock`)
      await addToCollection(alice, { id, accountId: bob.accountId })
    }
  })

  test('are hidden from viewers with a block in either direction', async () => {
    const [alice, bob, carol, dora] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const { id } = await createCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    await dora.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    await carol.client.post(`/api/v1/accounts/${dora.accountId}/block`)
    const body = await readCollection(dora.client, id)
    assert.deepEqual([body.collection.items, idsOf(body.accounts)], [[], [alice.accountId]])
    assert.equal((await featuredAccountIds(testServer.anonymous, id)).length, 2)
  })

  test('disappear with their account, and the collection with its owner', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const remaining = await createCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    const deleted = await createCollection(bob, { account_ids: [alice.accountId] })
    await suspend(testServer.ctx, bob)
    assert.deepEqual(await featuredAccountIds(testServer.anonymous, remaining.id), [carol.accountId])
    assert.equal((await alice.client.get(`/api/v1/collections/${deleted.id}`)).status, 404)
    assert.deepEqual((await alice.client.get(`/api/v1/accounts/${bob.accountId}/collections`)).body, {
      collections: [],
    })
    assert.deepEqual(
      (await alice.client.get(`/api/v1/accounts/${alice.accountId}/in_collections`)).body.collections,
      [],
    )
    await sql`delete from accounts where id = ${bob.accountId}`.execute(db)
    const { rows } = await sql`select from collections c where c.account_id = ${bob.accountId}
      union all select from collection_items i where i.account_id = ${bob.accountId}`.execute(db)
    assert.equal(rows.length, 0)
    assert.equal((await readCollection(alice.client, remaining.id)).collection.item_count, 1)
  })

  test('are notified once of being added and of changes, but not after they removed themselves', async () => {
    const [alice, bob, carol] = [
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
      await createDiscoverableUser(testServer),
    ]
    const { id } = await createCollection(alice, { account_ids: [alice.accountId, bob.accountId, carol.accountId] })
    await testServer.waitForJobs()
    const notificationsFor = async ({ client }: TestUser) =>
      (await client.get<Notification[]>('/api/v1/notifications')).body
    const [notification, ...others] = await notificationsFor(bob)
    assertEntity('Notification', notification)
    assert.deepEqual(
      [notification?.type, notification?.account.id, notification?.collection?.id],
      ['added_to_collection', alice.accountId, id],
    )
    assert.deepEqual([others, await notificationsFor(alice)], [[], []])
    const [item] = (await readCollection(carol.client, id)).collection.items.filter(
      ({ account_id }) => account_id === carol.accountId,
    )
    await carol.client.post(`/api/v1/collections/${id}/items/${item!.id}/revoke`)
    for (const name of ['Second', 'Third']) {
      await alice.client.patch(`/api/v1/collections/${id}`, { name })
      await testServer.waitForJobs()
    }
    const all = await notificationsFor(bob)
    assert.deepEqual(
      all.map(({ type, collection }) => [type, collection?.name]),
      [
        ['collection_update', 'Third'],
        ['added_to_collection', 'Third'],
      ],
    )
    assert.deepEqual(await notificationsFor(carol), [])
    await alice.client.delete(`/api/v1/collections/${id}`)
    assert.deepEqual(await notificationsFor(bob), [])
  })
})
