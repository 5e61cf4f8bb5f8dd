import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Collection, Note } from '@fedify/fedify/vocab'
import { parseWithFedify } from '../../../test/federation/fedify.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, deliver, getStatus } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const ann = await testServer.createUser({ username: 'ann' })

async function get(uri: string) {
  const headers = { accept: 'application/activity+json' }
  return testServer.anonymous.send({ method: 'GET', url: uri.replace('https://linnet.test', ''), headers })
}

async function post(user: TestUser, status: string, more: object = {}): Promise<{ id: string; uri: string }> {
  const { status: code, body } = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  return body
}

const threadOf = (user: TestUser, { id }: { id: string }) => `https://linnet.test/contexts/${user.accountId}-${id}`

test('the notes of a thread name a collection of its publicly visible notes', async () => {
  const root = await post(ann, 'the beginning')
  const carol = await testServer.createUser()
  const answer = bob.note({ inReplyTo: root.uri, cc: [uriOf(ann)] })
  await deliver(bob, bob.activity('Create', answer))
  const last = await post(carol, 'the end', { in_reply_to_id: (await getStatus(answer['id'])).id })
  await post(carol, 'only for followers', { in_reply_to_id: root.id, visibility: 'private' })
  await post(carol, 'only here', { in_reply_to_id: root.id, local_only: true })
  // Another server could name any thread.
  const foreign = bob.note({ cc: [uriOf(ann)], context: threadOf(ann, root) })
  await deliver(bob, bob.activity('Create', foreign))

  const id = threadOf(ann, root)
  for (const { uri } of [root, last]) {
    const { body } = await get(uri)
    assert.equal(body.context, id)
    assert.match(body.conversation, /^tag:linnet\.test,/)
    assert.deepEqual(
      (await parseWithFedify(Note, body)).contextIds.map(({ href }) => href),
      [id],
    )
  }
  const { status, headers, body } = await get(id)
  assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=180'])
  assert.deepEqual([body.id, body.type, body.attributedTo], [id, 'Collection', uriOf(ann)])
  assert.equal((await parseWithFedify(Collection, body)).attributionId?.href, uriOf(ann))
  const { body: page } = await get(body.first)
  assert.deepEqual([page.id, page.partOf, page.next], [body.first, id, undefined])
  assert.deepEqual(page.items, [root.uri, answer['id'], last.uri])
})

test('the collection of a long thread has several pages', async () => {
  const root = await post(ann, 'many words')
  const { conversation_id: conversationId } = await testServer.ctx.db
    .selectFrom('statuses')
    .select('conversation_id')
    .where('id', '=', root.id)
    .executeTakeFirstOrThrow()
  const uris = Array.from({ length: 100 }, (_one, n) => `https://remote.test/replies/${n}`)
  await testServer.ctx.db
    .insertInto('statuses')
    .values(
      uris.map((uri) => ({
        account_id: ann.accountId,
        uri,
        url: uri,
        visibility: 'unlisted',
        in_reply_to_id: root.id,
        conversation_id: conversationId,
      })),
    )
    .execute()
  const { body: first } = await get(`${threadOf(ann, root)}/items`)
  const { body: second } = await get(first.next)
  assert.deepEqual([first.items.length, second.items.length, second.next], [60, 41, undefined])
  assert.deepEqual(new Set([...first.items, ...second.items]), new Set([root.uri, ...uris]))
})

test('a thread whose beginning is not public has no collection for others, that of a local-only post none at all', async () => {
  const hidden = await post(ann, 'for followers', { visibility: 'private' })
  assert.equal((await get(threadOf(ann, hidden))).status, 404)
  const local = await post(ann, 'only here', { local_only: true })
  assert.equal((await get(threadOf(ann, local))).status, 404)
  const reply = await post(ann, 'for all', { in_reply_to_id: local.id })
  const { body } = await get(reply.uri)
  assert.ok(!JSON.stringify(body).includes(local.id))
  assert.equal((await get(threadOf(ann, reply))).status, 404)
  const deleted = await post(ann, 'soon gone')
  await ann.client.delete(`/api/v1/statuses/${deleted.id}`)
  assert.equal((await get(threadOf(ann, deleted))).status, 410)
})

test('a local reply names the thread of another server as that server does', async () => {
  for (const [fields, expected] of [
    [
      { context: 'https://remote.test/contexts/1' },
      ['https://remote.test/contexts/1', 'https://remote.test/contexts/1'],
    ],
    [{ conversation: 'tag:remote.test,2026:1' }, ['tag:remote.test,2026:1', undefined]],
  ] as const) {
    const note = bob.note({ cc: [uriOf(ann)], ...fields })
    await deliver(bob, bob.activity('Create', note))
    const reply = await post(ann, 'an answer', { in_reply_to_id: (await getStatus(note['id'])).id })
    const { body } = await get(reply.uri)
    assert.deepEqual([body.conversation, body.context], expected)
  }
})
