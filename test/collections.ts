import assert from 'node:assert/strict'
import type { Collection, CollectionItem, CollectionWithAccounts } from '../src/entities/collection.ts'
import { assertOnWire } from './wire.ts'
import type { Person, World } from './world.ts'

/** The least that a new collection is made of. */
export const NEW_COLLECTION = { name: 'Good people', sensitive: false, discoverable: true }

type Client = Person['client']

/** Somebody who wants to be discovered, and so can be put into collections; or does not. */
export async function makeDiscoverable(world: World, { discoverable = true } = {}): Promise<Person> {
  const person = await world.createPerson()
  await person.client.patch('/api/v1/accounts/update_credentials', { discoverable })
  return person
}

export async function makeCollection(owner: Person, more: Record<string, unknown> = {}): Promise<Collection> {
  const { status, body } = await owner.client.post('/api/v1/collections', { ...NEW_COLLECTION, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection'])
  assertOnWire('Collection', body.collection)
  return body.collection
}

export async function putInto(
  owner: Person,
  { id, accountId }: { id: string; accountId: string },
): Promise<CollectionItem> {
  const { status, body } = await owner.client.post(`/api/v1/collections/${id}/items`, { account_id: accountId })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['collection_item'])
  assertOnWire('CollectionItem', body.collection_item)
  return body.collection_item
}

export async function seeCollection(client: Client, id: string): Promise<CollectionWithAccounts> {
  const { status, body } = await client.get(`/api/v1/collections/${id}`)
  assert.equal(status, 200)
  assertOnWire('CollectionWithAccounts', body)
  return body
}

/** The ids of those who are in a collection, as somebody sees it. */
export async function featuredIn(client: Client, id: string): Promise<(string | undefined)[]> {
  return (await seeCollection(client, id)).collection.items.map((item) => item.account_id)
}
