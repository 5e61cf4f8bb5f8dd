import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import {
  featuredIn,
  makeCollection,
  makeDiscoverable,
  NEW_COLLECTION,
  putInto,
  seeCollection,
} from '../../../../test/collections.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Collection } from '../../../entities/collection.ts'
import type { Notification } from '../../../entities/notification.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

suite('who is in a collection', () => {
  test('are those who want to be discovered, and oneself; nobody else', async () => {
    const [alice, bob] = [await makeDiscoverable(world), await world.createPerson()]
    const { id } = await makeCollection(alice)
    const shy = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([shy.status, shy.body], [403, { error: 'This action is not allowed' }])
    const atOnce = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: [bob.accountId] })
    assert.equal(atOnce.status, 403)
    await bob.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
    await putInto(alice, { id: id, accountId: bob.accountId })
    await putInto(alice, { id: id, accountId: alice.accountId })
    assert.deepEqual(await featuredIn(world.anonymous, id), [bob.accountId, alice.accountId])
    const twice = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([twice.status, twice.body.error.details.account[0].error], [422, 'ERR_TAKEN'])
  })

  test('AC11 are no people who are not there yet, and nothing tells them from nobody', async () => {
    const alice = await makeDiscoverable(world)
    const { id } = await makeCollection(alice)
    const pending = await world.createPerson({ approved: false })
    const missing = '`account_id` parameter is missing'
    for (const body of [
      {},
      { account_id: '' },
      { account_id: '999999' },
      { account_id: 'x' },
      { account_id: pending.accountId },
    ]) {
      const answer = await alice.client.post(`/api/v1/collections/${id}/items`, body)
      assert.deepEqual([answer.status, answer.body], [422, { error: missing }])
    }
    const many = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: [pending.accountId] })
    assert.deepEqual([many.status, many.body.error.details.account_ids[0].error], [422, 'ERR_INVALID'])
    const none = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: ['x'] })
    assert.deepEqual([none.status, none.body], [422, many.body])
    const { body } = await alice.client.get(`/api/v1/accounts/${alice.accountId}/collections`)
    assert.deepEqual(idsOf(body.collections), [id])
  })

  test('are never more than 25, also when they are put in at the same time', async () => {
    const alice = await makeDiscoverable(world)
    const people = await Promise.all(Array.from({ length: 30 }, () => makeDiscoverable(world)))
    const ids = people.map(({ accountId }) => accountId)
    const tooMany = await alice.client.post('/api/v1/collections', { ...NEW_COLLECTION, account_ids: ids.slice(0, 26) })
    assert.deepEqual([tooMany.status, tooMany.body.error.details.account_ids[0].error], [422, 'ERR_TOO_LONG'])
    const { id } = await makeCollection(alice, { account_ids: ids.slice(0, 20) })
    const answers = await Promise.all(
      ids.slice(20).map((account) => alice.client.post(`/api/v1/collections/${id}/items`, { account_id: account })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array(5).fill(200), ...Array(5).fill(422)],
    )
    const { collection } = await seeCollection(world.anonymous, id)
    assert.deepEqual([collection.item_count, collection.items.length], [25, 25])
    assert.equal((await makeCollection(alice, { account_ids: ids.slice(0, 25) })).items.length, 25)
  })

  test('leave when the owner says so, and may come back', async () => {
    const [alice, bob, carol] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const { id } = await makeCollection(alice)
    const other = await makeCollection(alice)
    const item = await putInto(alice, { id: id, accountId: bob.accountId })
    const path = `/api/v1/collections/${id}/items/${item.id}`
    assert.equal((await carol.client.delete(path)).status, 403)
    assert.equal((await bob.client.delete(path)).status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${other.id}/items/${item.id}`)).status, 404)
    const gone = await alice.client.delete(path)
    assert.deepEqual([gone.status, gone.body], [200, ''])
    assert.equal((await alice.client.delete(path)).status, 404)
    assert.deepEqual(await featuredIn(world.anonymous, id), [])
    await putInto(alice, { id: id, accountId: bob.accountId })
  })

  test('withdraw by themselves, for good, and nobody withdraws another', async () => {
    const [alice, bob, carol] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const { id } = await makeCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    const [own] = (
      await bob.client.get<{ collections: Collection[] }>(`/api/v1/accounts/${bob.accountId}/in_collections`)
    ).body.collections
    const item = own!.items.find((one) => one.account_id === bob.accountId)
    const path = `/api/v1/collections/${id}/items/${item!.id}/revoke`
    for (const client of [alice.client, carol.client]) {
      const answer = await client.post(path)
      assert.deepEqual([answer.status, answer.body], [403, { error: 'This action is not allowed' }])
    }
    const answer = await bob.client.post(path)
    assert.deepEqual([answer.status, answer.body], [200, ''])
    assert.equal((await bob.client.post(path)).status, 200)
    assert.equal((await carol.client.post(path)).status, 404)
    assert.deepEqual(await featuredIn(alice.client, id), [carol.accountId])
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.equal(again.status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${id}/items/${item!.id}`)).status, 404)
  })

  test('VI14 leave each other’s collections with a block, whoever blocks, and are not put back while it stands', async () => {
    for (const blocker of ['owner', 'featured'] as const) {
      const [alice, bob, carol] = [
        await makeDiscoverable(world),
        await makeDiscoverable(world),
        await makeDiscoverable(world),
      ]
      const { id } = await makeCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
      const back = await makeCollection(bob, { account_ids: [alice.accountId, carol.accountId] })
      const [by, whom] = blocker === 'owner' ? [alice, bob] : [bob, alice]
      await by.client.post(`/api/v1/accounts/${whom.accountId}/block`)
      assert.deepEqual(await featuredIn(world.anonymous, id), [carol.accountId])
      assert.deepEqual(await featuredIn(world.anonymous, back.id), [carol.accountId])
      const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
      assert.equal(again.status, 403)
      await by.client.post(`/api/v1/accounts/${whom.accountId}/unblock`)
      await putInto(alice, { id: id, accountId: bob.accountId })
    }
  })

  test('are left out for those who block them or are blocked by them', async () => {
    const [alice, bob, carol, dora] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const { id } = await makeCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    await dora.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    await carol.client.post(`/api/v1/accounts/${dora.accountId}/block`)
    const body = await seeCollection(dora.client, id)
    assert.deepEqual([body.collection.items, idsOf(body.accounts)], [[], [alice.accountId]])
    assert.equal((await featuredIn(world.anonymous, id)).length, 2)
  })

  test('and the collection itself go with their accounts', async () => {
    const [alice, bob, carol] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const kept = await makeCollection(alice, { account_ids: [bob.accountId, carol.accountId] })
    const gone = await makeCollection(bob, { account_ids: [alice.accountId] })
    await sql`update accounts set suspended_at = now() where id = ${bob.accountId}`.execute(db)
    assert.deepEqual(await featuredIn(world.anonymous, kept.id), [carol.accountId])
    assert.equal((await alice.client.get(`/api/v1/collections/${gone.id}`)).status, 404)
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
    assert.equal((await seeCollection(alice.client, kept.id)).collection.item_count, 1)
  })

  test('are told, once, also when the collection changes; not when they withdrew', async () => {
    const [alice, bob, carol] = [
      await makeDiscoverable(world),
      await makeDiscoverable(world),
      await makeDiscoverable(world),
    ]
    const { id } = await makeCollection(alice, { account_ids: [alice.accountId, bob.accountId, carol.accountId] })
    await world.settle()
    const notified = async ({ client }: Person) => (await client.get<Notification[]>('/api/v1/notifications')).body
    const [notice, ...others] = await notified(bob)
    assertOnWire('Notification', notice)
    assert.deepEqual(
      [notice?.type, notice?.account.id, notice?.collection?.id],
      ['added_to_collection', alice.accountId, id],
    )
    assert.deepEqual([others, await notified(alice)], [[], []])
    const [item] = (await seeCollection(carol.client, id)).collection.items.filter(
      (one) => one.account_id === carol.accountId,
    )
    await carol.client.post(`/api/v1/collections/${id}/items/${item!.id}/revoke`)
    for (const name of ['Second', 'Third']) {
      await alice.client.patch(`/api/v1/collections/${id}`, { name })
      await world.settle()
    }
    const all = await notified(bob)
    assert.deepEqual(
      all.map((one) => [one.type, one.collection?.name]),
      [
        ['collection_update', 'Third'],
        ['added_to_collection', 'Third'],
      ],
    )
    assert.deepEqual(await notified(carol), [])
    await alice.client.delete(`/api/v1/collections/${id}`)
    assert.deepEqual(await notified(bob), [])
  })
})
