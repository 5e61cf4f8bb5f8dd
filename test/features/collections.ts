import assert from 'node:assert/strict'
import type { Collection, CollectionItem, CollectionWithAccounts } from '../../src/entities/accounts/collection.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import { makeJobsDue } from '../jobs/make-jobs-due.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

/** The required fields of a new collection. */
export const NEW_COLLECTION = { name: 'Good people', sensitive: false, discoverable: true }

type Client = TestUser['client']

/** Creates a user that is discoverable, and so can be added to collections, or is not. */
export async function createDiscoverableUser(
  testServer: TestServer,
  { discoverable = true, ...more }: { discoverable?: boolean; username?: string } = {},
): Promise<TestUser> {
  const user = await testServer.createUser(more)
  await user.client.patch('/api/v1/accounts/update_credentials', { discoverable })
  await makeJobsDue(testServer.ctx, 'deliverProfile')
  return user
}

export async function createCollection(owner: TestUser, more: Record<string, unknown> = {}): Promise<Collection> {
  const { status, body } = await owner.client.post('/api/v1/collections', { ...NEW_COLLECTION, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection'])
  assertEntity('Collection', body.collection)
  return body.collection
}

export async function addToCollection(
  owner: TestUser,
  { id, accountId }: { id: string; accountId: string },
): Promise<CollectionItem> {
  const { status, body } = await owner.client.post(`/api/v1/collections/${id}/items`, { account_id: accountId })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection_item'])
  assertEntity('CollectionItem', body.collection_item)
  return body.collection_item
}

export async function readCollection(client: Client, id: string): Promise<CollectionWithAccounts> {
  const { status, body } = await client.get(`/api/v1/collections/${id}`)
  assert.equal(status, 200)
  assertEntity('CollectionWithAccounts', body)
  return body
}

/** Returns the ids of the accounts in a collection that a client can see. */
export async function featuredAccountIds(client: Client, id: string): Promise<(string | undefined)[]> {
  return (await readCollection(client, id)).collection.items.map((item) => item.account_id)
}
