import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Application,
  Delete,
  Hashtag,
  OrderedCollection,
  Person,
  PropertyValue,
  PUBLIC_COLLECTION,
  Update,
} from '@fedify/fedify/vocab'
import type { Object as FedifyObject } from '@fedify/fedify/vocab'
import { parseWithFedify } from '../../../../test/federation/fedify.ts'
import type { FedifyClass } from '../../../../test/federation/fedify.ts'
import { createSigningRemoteAccount } from '../../../../test/federation/remote-account.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../../test/servers/test-server.ts'
import { ensureActorKey } from '../../keys/actor-keys.ts'
import { toDocument, writeActorDelete, writeActorUpdate } from './write-activities.ts'
import type { Activity } from './write-activities.ts'
import { writeActor } from './write-actor.ts'

let testServer: TestServer
let ann: TestUser
let actor: string

before(async () => {
  testServer = await openTestServer({ effects: false })
  ann = await testServer.createUser({ username: 'ann', displayName: 'Ann' })
  actor = `https://linnet.test/ap/users/${ann.accountId}`
})
after(() => testServer.close())

const hrefs = (ids: readonly URL[]) => ids.map(({ href }) => href)

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function get<T extends FedifyObject>(kind: FedifyClass<T>, path: string): Promise<T> {
  const headers = { accept: 'application/activity+json' }
  const { status, body } = await testServer.anonymous.send({ method: 'GET', url: path, headers })
  assert.equal(status, 200, path)
  return parseWithFedify(kind, body)
}

async function sent<T extends FedifyObject>(kind: FedifyClass<T>, activity: Activity): Promise<T> {
  const object = await parseWithFedify(kind, JSON.parse(toDocument(activity)))
  assert.equal(object.id?.href, activity.uri)
  return object
}

test('Fedify understands local accounts', async () => {
  const target = await createSigningRemoteAccount(testServer, { username: 'moved' })
  const { accountId } = await testServer.createUser({ username: 'carol', displayName: 'Carol' })
  const actor = `https://linnet.test/ap/users/${accountId}`
  await testServer.ctx.db
    .updateTable('accounts')
    .set({
      note: 'I am #carol',
      fields: JSON.stringify([{ name: 'Site', value: 'https://carol.example', verified_at: null }]),
      avatar_key: 'avatars/ab/cd.png',
      discoverable: true,
      indexable: true,
      also_known_as: ['https://old.test/users/carol'],
      moved_to_account_id: target.accountId,
    })
    .where('id', '=', accountId)
    .execute()
  const person = await get(Person, `/ap/users/${accountId}`)
  const { publicKeyPem, keyId } = await ensureActorKey(testServer.ctx, { accountId })
  assert.deepEqual(
    {
      id: person.id?.href,
      name: String(person.name),
      username: person.preferredUsername,
      url: (person.url as URL).href,
      inbox: person.inboxId?.href,
      outbox: person.outboxId?.href,
      followers: person.followersId?.href,
      following: person.followingId?.href,
      featured: person.featuredId?.href,
      featuredTags: person.featuredTagsId?.href,
      sharedInbox: person.endpoints?.sharedInbox?.href,
      locked: person.manuallyApprovesFollowers,
      discoverable: person.discoverable,
      indexable: person.indexable,
      memorial: person.memorial,
      aliases: hrefs(person.aliasIds),
      successor: person.successorId?.href,
    },
    {
      id: actor,
      name: 'Carol',
      username: 'carol',
      url: 'https://linnet.test/@carol',
      inbox: `${actor}/inbox`,
      outbox: `${actor}/outbox`,
      followers: `${actor}/followers`,
      following: `${actor}/following`,
      featured: `${actor}/collections/featured`,
      featuredTags: `${actor}/collections/tags`,
      sharedInbox: 'https://linnet.test/inbox',
      locked: false,
      discoverable: true,
      indexable: true,
      memorial: false,
      aliases: ['https://old.test/users/carol'],
      successor: 'https://remote.test/users/moved',
    },
  )
  assert.match(String(person.summary), /^<p>I am <a href="https:\/\/linnet.test\/tags\/carol"/)
  const key = await person.getPublicKey()
  assert.deepEqual([key?.id?.href, key?.ownerId?.href], [keyId, actor])
  const bytes = Buffer.from(await crypto.subtle.exportKey('spki', key!.publicKey!))
  assert.equal(bytes.toString('base64'), publicKeyPem.replace(/-----[^-]+-----|\s/g, ''))
  const icon = await person.getIcon()
  assert.deepEqual(
    [(icon!.url as URL).href, icon!.mediaType],
    ['https://linnet.test/system/avatars/ab/cd.png', 'image/png'],
  )
  const [field] = await all(person.getAttachments())
  assert.ok(field instanceof PropertyValue)
  assert.match(String(field.value), /href="https:\/\/carol.example"/)
  const [tag] = await all(person.getTags())
  assert.ok(tag instanceof Hashtag)
})

test('Fedify understands the instance actor', async () => {
  const instance = await get(Application, '/actor')
  assert.equal(instance.preferredUsername, 'linnet.test')
  assert.equal((await instance.getPublicKey())?.ownerId?.href, 'https://linnet.test/actor')
  assert.ok(await get(OrderedCollection, '/actor/outbox'))
})

test('Fedify understands the Update of a profile and the Delete of an account', async () => {
  await ensureActorKey(testServer.ctx, { accountId: ann.accountId })
  const json = (await writeActor(testServer.ctx, { accountId: ann.accountId }))!
  const update = await sent(Update, writeActorUpdate({ actor, json, at: new Date(1_767_520_800_000) }))
  assert.equal(update.id?.href, `${actor}#updates/1767520800000`)
  assert.ok((await update.getObject()) instanceof Person)
  assert.deepEqual(hrefs(update.toIds), [PUBLIC_COLLECTION.href])
  const gone = await sent(Delete, writeActorDelete({ actor }))
  assert.deepEqual([gone.id?.href, gone.objectId?.href], [`${actor}#delete`, actor])
})
