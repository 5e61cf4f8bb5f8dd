import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import type { Answer } from '../../../../test/client.ts'
import { countQueries } from '../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Collection, CollectionItem, CollectionWithAccounts } from '../../../entities/collection.ts'
import type { Notification } from '../../../entities/notification.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const NEW = { name: 'Good people', sensitive: false, discoverable: true }

/** Somebody who wants to be discovered. */
async function makePerson(): Promise<Person> {
  const person = await world.createPerson()
  await person.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  return person
}

async function make(owner: Person, more: Record<string, unknown> = {}): Promise<Collection> {
  const { status, body } = await owner.client.post('/api/v1/collections', { ...NEW, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection'])
  assertOnWire('Collection', body.collection)
  return body.collection
}

async function add(owner: Person, id: string, who: Person): Promise<CollectionItem> {
  const { status, body } = await owner.client.post(`/api/v1/collections/${id}/items`, { account_id: who.accountId })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection_item'])
  assertOnWire('CollectionItem', body.collection_item)
  return body.collection_item
}

async function see(client: Person['client'], id: string): Promise<CollectionWithAccounts> {
  const { status, body } = await client.get(`/api/v1/collections/${id}`)
  assert.equal(status, 200)
  assertOnWire('CollectionWithAccounts', body)
  return body
}

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)
const featured = ({ collection }: CollectionWithAccounts) => collection.items.map((item) => item.account_id)

suite('a collection', () => {
  test('says what its owner says of it, and who is in it, the owner first', async () => {
    const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
    const collection = await make(alice, {
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
      const body = await see(client, collection.id)
      assert.deepEqual(body.collection, collection)
      assert.deepEqual(idsOf(body.accounts), [alice.accountId, bob.accountId, carol.accountId])
    }
  })

  test('BI18 BI4 refuses what it can not say, in JSON and in forms alike, and tells which rules are broken', async () => {
    const alice = await makePerson()
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
    const empty = await alice.client.post('/api/v1/collections', { ...NEW, name: ' ' })
    assert.equal(empty.body.error.details.name[0].error, 'ERR_BLANK')
    const huge = await alice.client.post('/api/v1/collections', { ...NEW, name: 'x'.repeat(900_000) })
    assert.equal(huge.body.error.details.name[0].error, 'ERR_TOO_LONG')
    const most = await make(alice, { name: '👩‍👩‍👧‍👦'.repeat(40), description: 'é'.repeat(100) })
    assert.equal(most.description, 'é'.repeat(100))
  })

  test('is changed by PATCH and by PUT, each time only in what is sent, and only by its owner', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const { id, ...before } = await make(alice, { description: 'old', language: 'de', tag_name: 'birds' })
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
    assert.equal((await see(bob.client, id)).collection.name, 'Renamed')
  })

  test('goes when its owner deletes it, and nobody else can', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const { id } = await make(alice, { account_ids: [bob.accountId] })
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
    const alice = await makePerson()
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_one, n) => alice.client.post('/api/v1/collections', { ...NEW, name: `No ${n}` })),
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

suite('who is in a collection', () => {
  test('are those who want to be discovered, and oneself; nobody else', async () => {
    const [alice, bob] = [await makePerson(), await world.createPerson()]
    const { id } = await make(alice)
    const shy = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([shy.status, shy.body], [403, { error: 'This action is not allowed' }])
    const atOnce = await alice.client.post('/api/v1/collections', { ...NEW, account_ids: [bob.accountId] })
    assert.equal(atOnce.status, 403)
    await bob.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
    await add(alice, id, bob)
    await add(alice, id, alice)
    assert.deepEqual(featured(await see(world.anonymous, id)), [bob.accountId, alice.accountId])
    const twice = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.deepEqual([twice.status, twice.body.error.details.account[0].error], [422, 'ERR_TAKEN'])
  })

  test('AC11 are no people who are not there yet, and nothing tells them from nobody', async () => {
    const alice = await makePerson()
    const { id } = await make(alice)
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
    const many = await alice.client.post('/api/v1/collections', { ...NEW, account_ids: [pending.accountId] })
    assert.deepEqual([many.status, many.body.error.details.account_ids[0].error], [422, 'ERR_INVALID'])
    const none = await alice.client.post('/api/v1/collections', { ...NEW, account_ids: ['x'] })
    assert.deepEqual([none.status, none.body], [422, many.body])
    const { body } = await alice.client.get(`/api/v1/accounts/${alice.accountId}/collections`)
    assert.deepEqual(idsOf(body.collections), [id])
  })

  test('are never more than 25, also when they are put in at the same time', async () => {
    const alice = await makePerson()
    const people = await Promise.all(Array.from({ length: 30 }, () => makePerson()))
    const ids = people.map(({ accountId }) => accountId)
    const tooMany = await alice.client.post('/api/v1/collections', { ...NEW, account_ids: ids.slice(0, 26) })
    assert.deepEqual([tooMany.status, tooMany.body.error.details.account_ids[0].error], [422, 'ERR_TOO_LONG'])
    const { id } = await make(alice, { account_ids: ids.slice(0, 20) })
    const answers = await Promise.all(
      ids.slice(20).map((account) => alice.client.post(`/api/v1/collections/${id}/items`, { account_id: account })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array(5).fill(200), ...Array(5).fill(422)],
    )
    const { collection } = await see(world.anonymous, id)
    assert.deepEqual([collection.item_count, collection.items.length], [25, 25])
    assert.equal((await make(alice, { account_ids: ids.slice(0, 25) })).items.length, 25)
  })

  test('leave when the owner says so, and may come back', async () => {
    const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
    const { id } = await make(alice)
    const other = await make(alice)
    const item = await add(alice, id, bob)
    const path = `/api/v1/collections/${id}/items/${item.id}`
    assert.equal((await carol.client.delete(path)).status, 403)
    assert.equal((await bob.client.delete(path)).status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${other.id}/items/${item.id}`)).status, 404)
    const gone = await alice.client.delete(path)
    assert.deepEqual([gone.status, gone.body], [200, ''])
    assert.equal((await alice.client.delete(path)).status, 404)
    assert.deepEqual(featured(await see(world.anonymous, id)), [])
    await add(alice, id, bob)
  })

  test('withdraw by themselves, for good, and nobody withdraws another', async () => {
    const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
    const { id } = await make(alice, { account_ids: [bob.accountId, carol.accountId] })
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
    assert.deepEqual(featured(await see(alice.client, id)), [carol.accountId])
    const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    assert.equal(again.status, 403)
    assert.equal((await alice.client.delete(`/api/v1/collections/${id}/items/${item!.id}`)).status, 404)
  })

  test('VI14 leave each other’s collections with a block, whoever blocks, and are not put back while it stands', async () => {
    for (const blocker of ['owner', 'featured'] as const) {
      const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
      const { id } = await make(alice, { account_ids: [bob.accountId, carol.accountId] })
      const back = await make(bob, { account_ids: [alice.accountId, carol.accountId] })
      const [by, whom] = blocker === 'owner' ? [alice, bob] : [bob, alice]
      await by.client.post(`/api/v1/accounts/${whom.accountId}/block`)
      assert.deepEqual(featured(await see(world.anonymous, id)), [carol.accountId])
      assert.deepEqual(featured(await see(world.anonymous, back.id)), [carol.accountId])
      const again = await alice.client.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
      assert.equal(again.status, 403)
      await by.client.post(`/api/v1/accounts/${whom.accountId}/unblock`)
      await add(alice, id, bob)
    }
  })

  test('are left out for those who block them or are blocked by them', async () => {
    const [alice, bob, carol, dora] = [await makePerson(), await makePerson(), await makePerson(), await makePerson()]
    const { id } = await make(alice, { account_ids: [bob.accountId, carol.accountId] })
    await dora.client.post(`/api/v1/accounts/${bob.accountId}/block`)
    await carol.client.post(`/api/v1/accounts/${dora.accountId}/block`)
    const body = await see(dora.client, id)
    assert.deepEqual([featured(body), idsOf(body.accounts)], [[], [alice.accountId]])
    assert.equal(featured(await see(world.anonymous, id)).length, 2)
  })

  test('and the collection itself go with their accounts', async () => {
    const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
    const kept = await make(alice, { account_ids: [bob.accountId, carol.accountId] })
    const gone = await make(bob, { account_ids: [alice.accountId] })
    await sql`update accounts set suspended_at = now() where id = ${bob.accountId}`.execute(db)
    assert.deepEqual(featured(await see(world.anonymous, kept.id)), [carol.accountId])
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
    assert.equal((await see(alice.client, kept.id)).collection.item_count, 1)
  })

  test('are told, once, also when the collection changes; not when they withdrew', async () => {
    const [alice, bob, carol] = [await makePerson(), await makePerson(), await makePerson()]
    const { id } = await make(alice, { account_ids: [alice.accountId, bob.accountId, carol.accountId] })
    await world.settle()
    const notified = async ({ client }: Person) => (await client.get<Notification[]>('/api/v1/notifications')).body
    const [notice, ...others] = await notified(bob)
    assertOnWire('Notification', notice)
    assert.deepEqual(
      [notice?.type, notice?.account.id, notice?.collection?.id],
      ['added_to_collection', alice.accountId, id],
    )
    assert.deepEqual([others, await notified(alice)], [[], []])
    const [item] = (await see(carol.client, id)).collection.items.filter((one) => one.account_id === carol.accountId)
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

test('an account tells each viewer whether they may put it into a collection', async () => {
  const [alice, bob, carol] = [await makePerson(), await makePerson(), await world.createPerson()]
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
    const [alice, bob] = [await makePerson(), await makePerson()]
    const shown = await make(alice)
    const hidden = await make(alice, { discoverable: false, account_ids: [bob.accountId] })
    const list = async (client: Person['client']) => {
      const { status, body } = await client.get(`/api/v1/accounts/${alice.accountId}/collections`)
      assert.deepEqual([status, Object.keys(body)], [200, ['collections']])
      return idsOf(body.collections)
    }
    assert.deepEqual(await list(alice.client), [hidden.id, shown.id])
    assert.deepEqual(await list(bob.client), [shown.id])
    assert.deepEqual(await list(world.anonymous), [shown.id])
    assert.equal((await see(world.anonymous, hidden.id)).collection.discoverable, false)
    const mine = await bob.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual(idsOf(mine.body.collections), [hidden.id])
    assertOnWire('Collection', mine.body.collections[0])
    const others = await alice.client.get(`/api/v1/accounts/${bob.accountId}/in_collections`)
    assert.deepEqual([others.status, others.body], [403, { error: 'This action is not allowed' }])
  })

  test('VI14 VI11 not by those whom the owner blocks, who get what they would get for none', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const { id } = await make(alice, { account_ids: [alice.accountId] })
    const [item] = (await see(world.anonymous, id)).collection.items
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

  test('page by page, each once, by the links of the answers', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const made: string[] = []
    for (let n = 0; n < 7; n += 1) made.unshift((await make(alice, { account_ids: [bob.accountId] })).id)
    for (const [client, path] of [
      [world.anonymous, `/api/v1/accounts/${alice.accountId}/collections`],
      [bob.client, `/api/v1/accounts/${bob.accountId}/in_collections`],
    ] as const) {
      const walked: string[] = []
      let next: string | undefined = `${path}?limit=3`
      let prev: string | undefined
      while (next !== undefined) {
        const { body, headers }: Answer = await client.get(next)
        walked.push(...idsOf(body.collections))
        const linked = (rel: string): string | undefined =>
          new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers['link']))?.[1]
        next = linked('next')
        prev = linked('prev')
      }
      assert.deepEqual(walked, made)
      assert.deepEqual(idsOf((await client.get(prev!)).body.collections), made.slice(3, 6))
      assert.deepEqual((await client.get(path, { limit: 0 })).body, { collections: [] })
    }
  })

  test('with as many statements for ten as for one', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const path = `/api/v1/accounts/${alice.accountId}/collections`
    await make(alice, { account_ids: [bob.accountId] })
    await bob.client.get(path)
    await world.settle()
    const one = await countQueries(() => bob.client.get(path))
    for (let n = 0; n < 9; n += 1) await make(alice, { account_ids: [bob.accountId, alice.accountId] })
    await world.settle()
    assert.equal(await countQueries(() => bob.client.get(path)), one)
  })

  test('under the name that the API had before, whose answers say that it is out of date', async () => {
    const [alice, bob] = [await makePerson(), await makePerson()]
    const { status, headers, body } = await alice.client.post('/api/v1_alpha/collections', NEW)
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
    assert.equal((await writer.client.post('/api/v1/collections', NEW)).status, 200)
    for (const { client } of [reader, other]) assert.equal((await client.post('/api/v1/collections', NEW)).status, 403)
    const path = `/api/v1/accounts/${writer.accountId}/collections`
    assert.equal((await reader.client.get(path)).status, 200)
    for (const { client } of [writer, other]) assert.equal((await client.get(path)).status, 403)
  })
})

test('masto.js makes a collection, changes it, puts somebody in and out, and deletes it', async () => {
  const [alice, bob] = [await makePerson(), await makePerson()]
  const url = await world.listen()
  const restOf = ({ token }: Person) => createRestAPIClient({ url, accessToken: token })
  const rest = restOf(alice)
  const { collection } = await rest.v1.collections.create({ ...NEW, accountIds: [bob.accountId] })
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
