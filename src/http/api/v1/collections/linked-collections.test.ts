import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCollection, createDiscoverableUser } from '../../../../../test/features/collections.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { post, readStatus } from '../../../../../test/features/quotes.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import type { Client } from '../../../../../test/http/client.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const namesOf = async (client: Client, id: string): Promise<string[]> =>
  (await readStatus(client, id)).tagged_collections.map(({ name }: { name: string }) => name)

test('a status has the collections to whose pages its text links, with their present state', async () => {
  const [alice, bob] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  const collection = await createCollection(alice, { name: 'Cats', account_ids: [bob.accountId] })
  const posted = await post(bob, { status: `Look: ${collection.url} and again ${collection.url}` })
  assert.deepEqual(posted.tagged_collections, [collection])
  for (const client of [alice.client, testServer.anonymous]) {
    assert.deepEqual((await readStatus(client, posted.id)).tagged_collections, [collection])
  }
  const boost = await alice.client.post(`/api/v1/statuses/${posted.id}/reblog`)
  assert.deepEqual([boost.body.tagged_collections, boost.body.reblog.tagged_collections], [[], [collection]])

  await alice.client.patch(`/api/v1/collections/${collection.id}`, { name: 'Dogs' })
  assert.deepEqual(await namesOf(testServer.anonymous, posted.id), ['Dogs'])
  await bob.client.put(`/api/v1/statuses/${posted.id}`, { status: 'No link' })
  assert.deepEqual(await namesOf(testServer.anonymous, posted.id), [])
  await bob.client.put(`/api/v1/statuses/${posted.id}`, { status: collection.url })
  assert.deepEqual(await namesOf(testServer.anonymous, posted.id), ['Dogs'])
  await alice.client.delete(`/api/v1/collections/${collection.id}`)
  assert.deepEqual(await namesOf(testServer.anonymous, posted.id), [])
})

test('only links to pages of known collections count, and not those of suspended accounts', async () => {
  const alice = await createDiscoverableUser(testServer)
  const { url } = await createCollection(alice, { name: 'Birds' })
  for (const link of [`${url}0`, `${url}/items`, `${url}?page=2`, 'https://far.test/collections/1'])
    assert.deepEqual((await post(alice, { status: link })).tagged_collections, [], link)
  const reader = await testServer.createUser()
  const { id } = await post(reader, { status: url })
  assert.deepEqual(await namesOf(reader.client, id), ['Birds'])
  await suspend(testServer.ctx, { accountId: alice.accountId })
  assert.deepEqual(await namesOf(reader.client, id), [])
})

test('a known collection of another server is found by the URL of its page', async () => {
  const { ctx } = testServer
  const ownerId = await createRemoteAccount(ctx)
  const page = 'https://far.test/collections/7?a=1&b=2'
  await ctx.db
    .insertInto('collections')
    .values({ account_id: ownerId, uri: 'https://far.test/c/7', url: page, name: 'Fish', local: false })
    .execute()
  const link = `<p><a href="${page.replace('&', '&amp;')}">fish</a></p>`
  const statusId = await createRemoteStatus(ctx, { accountId: ownerId, content: link })
  assert.deepEqual(await namesOf(testServer.anonymous, statusId), ['Fish'])
})
