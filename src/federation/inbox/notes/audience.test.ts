import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, getStatus, notificationsOf } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

test('a note without an audience has that of its Create, or of its Update', async () => {
  const [shared, privately, later] = Array.from({ length: 3 }, () => bob.note({ to: undefined, cc: undefined }))
  await deliver(
    bob,
    bob.activity('Create', shared, { to: [PUBLIC], cc: [bob.followersUrl] }),
    bob.activity('Create', privately, { to: [bob.followersUrl] }),
    bob.activity('Update', later, { to: PUBLIC }),
  )
  assert.equal((await getStatus(shared!['id'])).visibility, 'public')
  assert.equal((await getStatus(privately!['id'])).visibility, 'private')
  assert.equal((await getStatus(later!['id'])).visibility, 'public')
})

test('the audience of an activity does not extend that of its note', async () => {
  const direct = bob.note({ to: [uriOf(alice)], cc: undefined })
  const unaddressed = bob.note({ to: [], cc: [] })
  const audience = { to: [PUBLIC], cc: [PUBLIC, bob.followersUrl] }
  await deliver(bob, bob.activity('Create', direct, audience), bob.activity('Create', unaddressed, audience))
  assert.equal((await getStatus(direct['id'])).visibility, 'direct')
  assert.equal(await findStatus(unaddressed['id']), undefined)
})

test('a note without addressed accounts is in the home feeds of the followers in whose inboxes it arrives, and silent', async () => {
  const [first, second, reader, other] = await Promise.all(Array.from({ length: 4 }, () => testServer.createUser()))
  for (const user of [first!, second!, other!]) await followEachOther(user, bob)
  const note = bob.note({ to: [], cc: [] })
  for (const user of [first!, second!, reader!]) {
    assert.equal((await bob.send(bob.activity('Create', note), { to: `${uriOf(user)}/inbox` })).status, 202)
    await testServer.waitForJobs()
  }
  const { id } = await getStatus(note['id'])
  const home = async ({ client }: TestUser) =>
    (await client.get('/api/v1/timelines/home')).body.some((status: { id: string }) => status.id === id)
  const seen = await Promise.all(
    [first!, second!, reader!, other!].map(async (user) => [
      (await user.client.get(`/api/v1/statuses/${id}`)).status,
      await home(user),
      await notificationsOf(user),
    ]),
  )
  assert.deepEqual(seen, [
    [200, true, []],
    [200, true, []],
    [200, false, []],
    [404, false, []],
  ])
})

test('a direct note is shown as private when it addresses accounts that it does not mention, also later', async () => {
  const [mentioned, addressed] = await Promise.all([testServer.createUser(), testServer.createUser()])
  for (const user of [mentioned, addressed]) await followEachOther(user, bob)
  const tag = { type: 'Mention', href: uriOf(mentioned), name: `@${mentioned.username}` }
  const limited = bob.note({ to: [uriOf(mentioned), uriOf(addressed)], cc: [], tag: [tag] })
  const direct = bob.note({ to: [uriOf(mentioned)], cc: [], tag: [tag] })
  await deliver(bob, bob.activity('Create', limited), bob.activity('Create', direct))
  const visibilityOf = async ({ client }: TestUser, note: Activity) =>
    (await client.get(`/api/v1/statuses/${(await getStatus(note['id'])).id}`)).body.visibility
  assert.equal(await visibilityOf(mentioned, limited), 'private')
  assert.equal(await visibilityOf(addressed, limited), 'private')
  assert.equal(await visibilityOf(mentioned, direct), 'direct')
  assert.equal((await bob.send(bob.activity('Create', direct), { to: `${uriOf(addressed)}/inbox` })).status, 202)
  await testServer.waitForJobs()
  assert.equal(await visibilityOf(mentioned, direct), 'private')
})

test('a message that says so is direct and notifies the accounts that it addresses without mentioning them', async () => {
  const carol = await testServer.createUser()
  await followEachOther(carol, bob)
  const message = bob.note({ to: [uriOf(carol)], cc: [], directMessage: true })
  const open = bob.note({ cc: [uriOf(carol)], directMessage: true })
  await deliver(bob, bob.activity('Create', message), bob.activity('Create', open))
  const { body: status } = await carol.client.get(`/api/v1/statuses/${(await getStatus(message['id'])).id}`)
  assert.deepEqual([status.visibility, status.mentions.length], ['direct', 1])
  assert.deepEqual(await notificationsOf(carol), ['mention'])
  const { body: conversations } = await carol.client.get('/api/v1/conversations')
  assert.deepEqual(
    conversations.map(({ last_status }: { last_status: { uri: string } }) => last_status.uri),
    [message['id']],
  )
})

test('a private message of Lemmy is direct and notifies its recipient', async () => {
  const carol = await testServer.createUser()
  const message = bob.note({
    to: [uriOf(carol)],
    cc: undefined,
    url: undefined,
    content: '<p>hello</p>',
    mediaType: 'text/html',
    source: { content: 'hello', mediaType: 'text/markdown' },
  })
  await deliver(bob, bob.activity('Create', message, { to: [uriOf(carol)] }))
  const { body: status } = await carol.client.get(`/api/v1/statuses/${(await getStatus(message['id'])).id}`)
  assert.deepEqual([status.visibility, status.mentions.length], ['direct', 1])
  const { body: conversations } = await carol.client.get('/api/v1/conversations')
  assert.deepEqual(
    conversations.map(({ last_status }: { last_status: { uri: string } }) => last_status.uri),
    [message['id']],
  )
  // By the default policy, mentions in messages by accounts that the user does not follow become a request.
  assert.equal((await carol.client.get('/api/v1/notifications/requests')).body.length, 1)
})

test('a reply to a note that is addressed to several accounts without mentions addresses those that it mentions', async () => {
  const carol = await testServer.createUser()
  const eve = await peer.host('remote.test').createActor('eve', { keys: bob.keys })
  await followEachOther(carol, eve)
  const note = bob.note({ to: [uriOf(carol), uriOf(alice), eve.id], cc: [] })
  await deliver(bob, bob.activity('Create', note))
  const status = await getStatus(note['id'])
  assert.equal((await carol.client.get(`/api/v1/statuses/${status.id}`)).status, 200)
  assert.deepEqual(await notificationsOf(carol), [])
  const { body: reply } = await carol.client.post('/api/v1/statuses', {
    status: `@${bob.handle} hi`,
    in_reply_to_id: status.id,
    visibility: 'direct',
  })
  const { activity } = await bob.inbox.next(({ object }) => object?.id === reply.uri)
  assert.deepEqual([activity['to'], activity['cc']], [[bob.id], []])
})
