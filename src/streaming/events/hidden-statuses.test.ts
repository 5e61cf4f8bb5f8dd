import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import { createRemoteAccount, createRemoteStatus, uniqueName } from '../../../test/federation/remote-records.ts'
import { openStreamingServer } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { removeRemoteStatus } from '../../domain/statuses/remote/remove-remote-status.ts'

const testServer = await openTestServer()
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const STREAMS = ['user', 'user:notification', 'public', 'public:remote'] as const

for (const [subject, hide] of [
  ['VI15 a blocked domain', { path: () => '/api/v1/domain_blocks', body: { domain: 'loud.test' } }],
  ['VI16 a muted account', { path: (id: string) => `/api/v1/accounts/${id}/mute`, body: {} }],
] as const) {
  test(`${subject} causes no events: not by a status, a reblog by others, a mention, or a deletion`, async () => {
    const [reader, other, friend] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const username = uniqueName('loud')
    const uri = `https://deep.loud.test/users/${username}`
    const author = await createRemoteAccount(ctx, { handle: { username, domain: 'deep.loud.test' }, uri })
    for (const { client } of [reader, other]) await client.post(`/api/v1/accounts/${friend.accountId}/follow`)
    assert.equal((await reader.client.post(hide.path(author), hide.body)).status, 200)
    await testServer.waitForJobs()
    const users = { reader, other }
    const sockets = await listenAs(origin, { users: users, streams: [...STREAMS] })
    const mentionedIds = [reader.accountId, other.accountId]
    const statusUri = `${uri}/statuses/1`
    await createRemoteStatus(ctx, { accountId: author, mentionedIds })
    const id = await createRemoteStatus(ctx, { accountId: author, uri: statusUri })
    await testServer.waitForJobs()
    const { body: reblog } = await friend.client.post(`/api/v1/statuses/${id}/reblog`)
    await testServer.waitForJobs()
    const before = await eventsReceived(testServer, sockets)
    await ctx.write((tx) => removeRemoteStatus(tx, { uri: statusUri, accountId: author }))
    const later = await eventsReceived(testServer, sockets)
    const received = [...before.other, ...later.other]
    assert.deepEqual([...before.reader, ...later.reader], [])
    for (const event of [`public update ${id}`, `user update ${reblog.id}`, `public delete ${id}`]) {
      assert.ok(received.includes(event), `${event} is not among ${received.join(', ')}`)
    }
    assert.ok(received.some((event) => event.startsWith('user notification ')))
  })
}

test('ST3 VI16 public streams and hashtag streams send no statuses that mention an account which the reader blocks or mutes', async () => {
  const [blocker, muter, other, author, hidden] = await Promise.all([1, 2, 3, 4, 5].map(() => testServer.createUser()))
  await blocker!.client.post(`/api/v1/accounts/${hidden!.accountId}/block`)
  for (const one of [muter!, author!]) await one.client.post(`/api/v1/accounts/${hidden!.accountId}/mute`)
  const users = { blocker: blocker!, muter: muter!, other: other!, author: author! }
  const sockets = await listenAs(origin, { users, streams: ['user', 'public'] })
  for (const { socket } of Object.values(sockets)) {
    socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'gossip' })
    await socket.subscribe()
  }
  const status = `@${hidden!.username} said #gossip`
  const { id } = (await author!.client.post('/api/v1/statuses', { status })).body
  const update = [`hashtag,gossip update ${id}`, `public update ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    blocker: [],
    muter: [],
    other: update,
    author: [...update, `user update ${id}`],
  })
  await author!.client.put(`/api/v1/statuses/${id}`, { status: `@${hidden!.username} did not say #gossip` })
  const edited = await eventsReceived(testServer, sockets)
  assert.deepEqual([edited.blocker, edited.muter], [[], []])
})

test('an account with chosen languages receives only these on public streams and hashtag streams', async () => {
  const [reader, other, author] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const user = ctx.db.updateTable('users').where('id', '=', reader.userId)
  await user.set({ chosen_languages: ['de'] }).execute()
  const users = { reader, other }
  const sockets = await listenAs(origin, { users: users, streams: ['user', 'public'] })
  for (const { socket } of Object.values(sockets)) socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'tea' })
  for (const { socket } of Object.values(sockets)) await socket.subscribe('public:local')
  const post = async (language: string): Promise<string> =>
    (await author.client.post('/api/v1/statuses', { status: '#tea', language })).body.id
  const [english, german] = [await post('en'), await post('de')]
  const { reader: filtered, other: all } = await eventsReceived(testServer, sockets)
  const eventsOf = (id: string) => ['hashtag,tea', 'public', 'public:local'].map((stream) => `${stream} update ${id}`)
  assert.deepEqual(filtered, eventsOf(german))
  assert.deepEqual(all, [...eventsOf(english), ...eventsOf(german)].toSorted())
})
