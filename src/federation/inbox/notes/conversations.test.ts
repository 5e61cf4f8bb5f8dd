import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, origin, uriOf, deliver, getStatus, notificationsOf } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')

/** Returns a note that mentions a user and replies to a status that does not exist. */
const answer = (user: { accountId: string; username: string }, fields: object) =>
  bob.note({
    inReplyTo: `${bob.id}/unknown`,
    cc: [uriOf(user)],
    tag: [{ type: 'Mention', href: uriOf(user), name: `@${user.username}` }],
    ...fields,
  })

test('a note whose parent is unknown belongs to the local thread that it names', async () => {
  const user = await testServer.createUser()
  const { body: status } = await user.client.post('/api/v1/statuses', { status: 'the beginning' })
  await user.client.post(`/api/v1/statuses/${status.id}/mute`)
  for (const name of ['conversation', 'context']) {
    const note = answer(user, { [name]: `${origin}/contexts/${user.accountId}-${status.id}` })
    await deliver(bob, bob.activity('Create', note))
    assert.equal((await user.client.get(`/api/v1/statuses/${(await getStatus(note['id'])).id}`)).body.muted, true)
  }
  assert.deepEqual(await notificationsOf(user), [])
})

test('a note whose parent is unknown belongs to the thread that a local reply named by a tag URI', async () => {
  const user = await testServer.createUser()
  const start = bob.note({ cc: [uriOf(user)] })
  await deliver(bob, bob.activity('Create', start))
  const { id } = await getStatus(start['id'])
  const { body: reply } = await user.client.post('/api/v1/statuses', { status: 'a reply', in_reply_to_id: id })
  const { activity } = await bob.inbox.next(({ object }) => object?.id === reply.uri)
  const { conversation, context } = activity['object']
  assert.match(conversation, /^tag:linnet\.test,/)
  assert.equal(context, undefined)
  await user.client.post(`/api/v1/statuses/${reply.id}/mute`)
  await deliver(bob, bob.activity('Create', answer(user, { conversation })))
  assert.deepEqual(await notificationsOf(user), [])
})

test('a local reply names the thread of a remote note as that does, so that its server finds the reply in the thread', async () => {
  const user = await testServer.createUser()
  for (const conversation of ['tag:remote.test,2026-01-01:thread=1', 'data:,electrichonkytonk-1', `${bob.id}#thread`]) {
    const start = bob.note({ cc: [uriOf(user)], conversation, context: conversation })
    await deliver(bob, bob.activity('Create', start))
    const { id } = await getStatus(start['id'])
    const { body: reply } = await user.client.post('/api/v1/statuses', { status: 'a reply', in_reply_to_id: id })
    const { activity } = await bob.inbox.next(({ object }) => object?.id === reply.uri)
    assert.equal(activity['object'].conversation, conversation)
  }
})

test('a note does not begin a thread with a URI of this server', async () => {
  const user = await testServer.createUser()
  for (const conversation of [
    `${origin}/contexts/${user.accountId}-1`,
    'tag:linnet.test,2026-01-01:objectId=999999999:objectType=Conversation',
    'tag:linnet.test,2026-01-01:objectId=99999999999999999999999:objectType=Conversation',
    'tag:linnet.test,2026-01-01:objectId=1',
  ]) {
    await deliver(bob, bob.activity('Create', answer(user, { conversation })))
    const stored = testServer.ctx.db.selectFrom('conversations').select('id').where('uri', '=', conversation)
    assert.deepEqual(await stored.execute(), [])
  }
})
