import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { get } from 'node:http'
import fc from 'fast-check'
import {
  statusOf,
  issueTokenWithScopes,
  openSocket,
  expectSocketRejected,
  openStreamingServer,
  until,
} from '../../../test/streaming/streams.ts'
import { disable, suspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const post = (user: TestUser, status = 'Hello') => user.client.post('/api/v1/statuses', { status })

test('a token in the header, in the query or as the subprotocol opens a socket, and the server selects the subprotocol', async () => {
  const user = await testServer.createUser()
  for (const by of ['header', 'query', 'protocol'] as const) {
    const socket = await openSocket(origin, { token: user.token, by, stream: 'user' })
    assert.equal(socket.ws.protocol, by === 'protocol' ? user.token : '')
    await socket.subscribe()
    await post(user, by)
    const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
    assert.deepEqual(update!.stream, ['user'])
    assert.equal(update!.event, 'update')
    assert.equal(statusOf(update!).content, `<p>${by}</p>`)
    socket.ws.close()
  }
})

test('sockets open at the streaming path and below it, also with repeated slashes, and nowhere else', async () => {
  const { token } = await testServer.createUser()
  for (const path of ['/api/v1/streaming/', '/api/v1/streaming/user', '//api/v1/streaming', '/api/v1//streaming']) {
    const socket = await openSocket(origin, { token, path })
    socket.ws.close()
  }
  for (const path of ['/', '//', '/api/v1/streamings', '/api/v1/timelines/home']) {
    assert.equal((await expectSocketRejected(origin, { token, path })).status, 404)
  }
})

test('an upgrade request for another protocol than WebSocket gets an ordinary response', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
  const status = await new Promise((resolve) =>
    get(`${origin}/health`, { headers, agent: false }, (response) => resolve(response.resume().statusCode)),
  )
  assert.equal(status, 200)
})

test('ST1: without a valid token no socket opens, and a header states the reason', async () => {
  const missing = await expectSocketRejected(origin, {})
  assert.deepEqual(
    [missing.status, missing.body, missing.headers['x-error-message']],
    [401, '', 'Missing access token'],
  )

  const revoked = await testServer.createUser()
  await ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: ctx.now() })
    .where('user_id', '=', revoked.userId)
    .execute()
  const suspended = await testServer.createUser()
  await suspend(ctx, suspended)
  const disabled = await testServer.createUser()
  await disable(ctx, disabled)
  const tokens = {
    unknown: 'nobody-has-this-one',
    revoked: revoked.token,
    suspended: suspended.token,
    disabled: disabled.token,
    unconfirmed: (await testServer.createUser({ confirmed: false })).token,
    pending: (await testServer.createUser({ approved: false })).token,
    'without a user': (await issueTokenWithScopes(ctx, { user: null, scopes: 'read' })).token,
  }
  for (const [kind, token] of Object.entries(tokens)) {
    for (const by of ['header', 'query', 'protocol'] as const) {
      const { status, body, headers } = await expectSocketRejected(origin, { token, by })
      assert.deepEqual(
        [status, body, headers['x-error-message']],
        [401, '', 'Invalid access token'],
        `${kind} by ${by}`,
      )
    }
  }
})

test('ST1: each subscription requires its scope, and a refused one leaves the socket open', async () => {
  const user = await testServer.createUser()
  const scopeError = { error: 'Access token does not have the required scopes', status: 401 }
  const cases = [
    { scopes: 'read', allowed: ['user', 'user:notification', 'public'], refused: [] },
    { scopes: 'read:statuses', allowed: ['user', 'public:local'], refused: ['user:notification'] },
    {
      scopes: 'read:notifications',
      allowed: ['user:notification'],
      refused: ['user', 'public', 'public:remote:media'],
    },
    { scopes: 'write follow push profile', allowed: [], refused: ['user', 'user:notification', 'public'] },
  ]
  for (const { scopes, allowed, refused } of cases) {
    const socket = await openSocket(origin, {
      token: (await issueTokenWithScopes(ctx, { user: user, scopes })).token,
    })
    await socket.subscribe(...allowed)
    assert.deepEqual(socket.errors, [], scopes)
    await socket.subscribe(...refused)
    assert.deepEqual(
      socket.errors,
      refused.map(() => scopeError),
      scopes,
    )
    socket.ws.close()
  }
  const fromQuery = await openSocket(origin, {
    token: (await issueTokenWithScopes(ctx, { user: user, scopes: 'write' })).token,
    stream: 'user',
  })
  await fromQuery.subscribe()
  assert.deepEqual(fromQuery.errors, [scopeError])
  fromQuery.ws.close()
})

test('an unknown stream is refused', async () => {
  const { token } = await testServer.createUser()
  const socket = await openSocket(origin, { token, stream: 'nonsense' })
  socket.send({ type: 'subscribe', stream: [] })
  socket.send({ type: 'unsubscribe' })
  await socket.subscribe()
  assert.equal(socket.errors.length, 3)
  assert.deepEqual(
    socket.errors,
    socket.errors.map(() => ({ error: 'Unknown stream type', status: 400 })),
  )
  socket.ws.close()
})

test('messages that are no commands are ignored', async () => {
  const user = await testServer.createUser()
  const socket = await openSocket(origin, { token: user.token })
  const texts = ['', '{', 'null', '7', '[]', '{}', '{"type":"delete"}', '"subscribe"', '{"type":["subscribe"]}']
  for (const text of [...texts, ...fc.sample(fc.json(), 100)]) socket.ws.send(text)
  await socket.subscribe('user')
  await post(user)
  await until(() => socket.received.length === 1)
  assert.deepEqual(socket.errors, [])
  socket.ws.close()
})

test('one socket has several streams, a repeated subscription has no effect, and an unsubscribed stream sends nothing', async () => {
  // The posts of other tests are sent to the public streams.
  await testServer.waitForJobs()
  const user = await testServer.createUser()
  const socket = await openSocket(origin, { token: user.token })
  await socket.subscribe('user', 'user', 'public:local', 'public', 'public:remote')
  await post(user, 'first')
  await until(() => socket.received.length >= 3)
  socket.send({ type: 'unsubscribe', stream: 'user' })
  socket.send({ type: 'unsubscribe', stream: 'public:remote:media' })
  await socket.subscribe()
  await post(user, 'second')
  await until(() => socket.received.length >= 5)
  await testServer.waitForJobs()
  const received = socket.received.map(({ stream, payload }) => `${stream.join()} ${statusOf({ payload }).content}`)
  assert.deepEqual(received.toSorted(), [
    'public <p>first</p>',
    'public <p>second</p>',
    'public:local <p>first</p>',
    'public:local <p>second</p>',
    'user <p>first</p>',
  ])
  socket.ws.close()
})

test('a command may name its stream as messages do, and its list by a number', async () => {
  const user = await testServer.createUser()
  const { body: list } = await user.client.post('/api/v1/lists', { title: 'Birds' })
  const socket = await openSocket(origin, { token: user.token })
  socket.send({ type: 'subscribe', stream: ['user'] })
  await socket.subscribe('user:notification')
  await post(user)
  const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
  assert.deepEqual(update!.stream, ['user'])
  socket.send({ type: 'unsubscribe', stream: update!.stream })
  await socket.subscribe()
  await post(user)
  await testServer.waitForJobs()
  // Commands run in order, so the error of the unknown list shows that there is none of the other.
  for (const id of [Number(list.id), 404]) socket.send({ type: 'subscribe', stream: 'list', list: id })
  await until(() => socket.errors.length > 0)
  assert.deepEqual(socket.errors, [{ error: 'Not authorized to stream this list', status: 401 }])
  assert.equal(socket.received.length, 1)
  socket.ws.close()
})

test('a binary message closes the socket', async () => {
  const { token } = await testServer.createUser()
  const socket = await openSocket(origin, { token })
  socket.ws.send(Buffer.from('{"type":"subscribe","stream":"user"}'), { binary: true })
  assert.equal((await socket.closed).code, 1003)
})

test('ST4: a message of a megabyte closes the socket, and so do ten thousand subscriptions', async () => {
  const { token } = await testServer.createUser()
  const huge = await openSocket(origin, { token })
  huge.send({ type: 'subscribe', stream: 'user', padding: 'x'.repeat(1024 * 1024) })
  assert.equal((await huge.closed).code, 1009)

  const eager = await openSocket(origin, { token })
  for (let i = 0; i < 10_000; i += 1) eager.send({ type: 'subscribe', stream: 'list', list: String(i) })
  assert.deepEqual(await eager.closed, { code: 1008, reason: 'Too many messages' })
  assert.ok(eager.errors.length <= 200)
})

test('an account can have twenty connections; one more is refused and the others stay open', async () => {
  const user = await testServer.createUser()
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => openSocket(origin, { token: user.token, stream: 'user' })),
  )
  const { status, headers } = await expectSocketRejected(origin, { token: user.token })
  assert.deepEqual([status, headers['x-error-message']], [429, 'No more than 20 streams at once'])
  const other = await testServer.createUser()
  sockets.push(await openSocket(origin, { token: other.token }))
  sockets[0]!.ws.close()
  await sockets[0]!.closed
  const again = await until(() => openSocket(origin, { token: user.token }).catch(() => null))
  for (const socket of [...sockets, again]) socket.ws.close()
})
