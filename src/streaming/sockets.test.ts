import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { get } from 'node:http'
import fc from 'fast-check'
import { statusOf, issueScoped, openSocket, refuseSocket, serveStreams, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

const world = await openWorld()
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const post = (person: Person, status = 'Hello') => person.client.post('/api/v1/statuses', { status })

test('a token opens a socket from the header, from the query, and as a subprotocol, which is then the chosen one', async () => {
  const person = await world.createPerson()
  for (const by of ['header', 'query', 'protocol'] as const) {
    const socket = await openSocket(origin, { token: person.token, by, stream: 'user' })
    assert.equal(socket.ws.protocol, by === 'protocol' ? person.token : '')
    await socket.subscribe()
    await post(person, by)
    const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
    assert.deepEqual(update!.stream, ['user'])
    assert.equal(update!.event, 'update')
    assert.equal(statusOf(update!).content, `<p>${by}</p>`)
    socket.ws.close()
  }
})

test('a path may follow, and nothing else of the server is a socket', async () => {
  const { token } = await world.createPerson()
  for (const path of ['/api/v1/streaming/', '/api/v1/streaming/user']) {
    const socket = await openSocket(origin, { token, path })
    socket.ws.close()
  }
  for (const path of ['/', '/api/v1/streamings', '/api/v1/timelines/home']) {
    assert.equal((await refuseSocket(origin, { token, path })).status, 404)
  }
})

test('a request that offers another protocol than WebSocket is answered as usual', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
  const status = await new Promise((resolve) =>
    get(`${origin}/health`, { headers, agent: false }, (response) => resolve(response.resume().statusCode)),
  )
  assert.equal(status, 200)
})

test('ST1: without a token that counts no socket opens, and the reason stands in a header', async () => {
  const missing = await refuseSocket(origin, {})
  assert.deepEqual(
    [missing.status, missing.body, missing.headers['x-error-message']],
    [401, '', 'Missing access token'],
  )

  const revoked = await world.createPerson()
  await ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: ctx.now() })
    .where('user_id', '=', revoked.userId)
    .execute()
  const suspended = await world.createPerson()
  await ctx.db.updateTable('accounts').set({ suspended_at: ctx.now() }).where('id', '=', suspended.accountId).execute()
  const disabled = await world.createPerson()
  await ctx.db.updateTable('users').set({ disabled_at: ctx.now() }).where('id', '=', disabled.userId).execute()
  const tokens = {
    unknown: 'nobody-has-this-one',
    revoked: revoked.token,
    suspended: suspended.token,
    disabled: disabled.token,
    unconfirmed: (await world.createPerson({ confirmed: false })).token,
    pending: (await world.createPerson({ approved: false })).token,
    'of an app alone': (await issueScoped(ctx, { person: null, scopes: 'read' })).token,
  }
  for (const [kind, token] of Object.entries(tokens)) {
    for (const by of ['header', 'query', 'protocol'] as const) {
      const { status, body, headers } = await refuseSocket(origin, { token, by })
      assert.deepEqual(
        [status, body, headers['x-error-message']],
        [401, '', 'Invalid access token'],
        `${kind} by ${by}`,
      )
    }
  }
})

test('ST1: scopes are asked for at each subscription, and a refused one leaves the socket open', async () => {
  const person = await world.createPerson()
  const refused = { error: 'Access token does not have the required scopes', status: 401 }
  const cases = [
    { scopes: 'read', opens: ['user', 'user:notification', 'public'], not: [] },
    { scopes: 'read:statuses', opens: ['user', 'public:local'], not: ['user:notification'] },
    { scopes: 'read:notifications', opens: ['user:notification'], not: ['user', 'public', 'public:remote:media'] },
    { scopes: 'write follow push profile', opens: [], not: ['user', 'user:notification', 'public'] },
  ]
  for (const { scopes, opens, not } of cases) {
    const socket = await openSocket(origin, {
      token: (await issueScoped(ctx, { person: person, scopes: scopes })).token,
    })
    await socket.subscribe(...opens)
    assert.deepEqual(socket.errors, [], scopes)
    await socket.subscribe(...not)
    assert.deepEqual(
      socket.errors,
      not.map(() => refused),
      scopes,
    )
    socket.ws.close()
  }
  const asked = await openSocket(origin, {
    token: (await issueScoped(ctx, { person: person, scopes: 'write' })).token,
    stream: 'user',
  })
  await asked.subscribe()
  assert.deepEqual(asked.errors, [refused])
  asked.ws.close()
})

test('a stream that is not known is refused', async () => {
  const { token } = await world.createPerson()
  const socket = await openSocket(origin, { token, stream: 'nonsense' })
  socket.send({ type: 'subscribe', stream: ['user'] })
  socket.send({ type: 'unsubscribe' })
  await socket.subscribe()
  assert.equal(socket.errors.length, 3)
  assert.deepEqual(
    socket.errors,
    socket.errors.map(() => ({ error: 'Unknown stream type', status: 400 })),
  )
  socket.ws.close()
})

test('what is no command is passed over', async () => {
  const person = await world.createPerson()
  const socket = await openSocket(origin, { token: person.token })
  const texts = ['', '{', 'null', '7', '[]', '{}', '{"type":"delete"}', '"subscribe"', '{"type":["subscribe"]}']
  for (const text of [...texts, ...fc.sample(fc.json(), 100)]) socket.ws.send(text)
  await socket.subscribe('user')
  await post(person)
  await until(() => socket.received.length === 1)
  assert.deepEqual(socket.errors, [])
  socket.ws.close()
})

test('one socket carries several streams, a second subscription changes nothing, and an unsubscribed one is silent', async () => {
  const person = await world.createPerson()
  const socket = await openSocket(origin, { token: person.token })
  await socket.subscribe('user', 'user', 'public:local', 'public', 'public:remote')
  await post(person, 'first')
  await until(() => socket.received.length >= 3)
  socket.send({ type: 'unsubscribe', stream: 'user' })
  socket.send({ type: 'unsubscribe', stream: 'public:remote:media' })
  await socket.subscribe()
  await post(person, 'second')
  await until(() => socket.received.length >= 5)
  await world.settle()
  const heard = socket.received.map(({ stream, payload }) => `${stream.join()} ${statusOf({ payload }).content}`)
  assert.deepEqual(heard.toSorted(), [
    'public <p>first</p>',
    'public <p>second</p>',
    'public:local <p>first</p>',
    'public:local <p>second</p>',
    'user <p>first</p>',
  ])
  socket.ws.close()
})

test('a binary message ends the socket', async () => {
  const { token } = await world.createPerson()
  const socket = await openSocket(origin, { token })
  socket.ws.send(Buffer.from('{"type":"subscribe","stream":"user"}'), { binary: true })
  assert.equal((await socket.closed).code, 1003)
})

test('ST4: a message of a megabyte ends the socket, and so do ten thousand subscriptions', async () => {
  const { token } = await world.createPerson()
  const huge = await openSocket(origin, { token })
  huge.send({ type: 'subscribe', stream: 'user', padding: 'x'.repeat(1024 * 1024) })
  assert.equal((await huge.closed).code, 1009)

  const eager = await openSocket(origin, { token })
  for (let i = 0; i < 10_000; i += 1) eager.send({ type: 'subscribe', stream: 'list', list: String(i) })
  assert.deepEqual(await eager.closed, { code: 1008, reason: 'Too many messages' })
  assert.ok(eager.errors.length <= 200)
})

test('a person has twenty connections; one more is refused and the others stay', async () => {
  const person = await world.createPerson()
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => openSocket(origin, { token: person.token, stream: 'user' })),
  )
  const { status, headers } = await refuseSocket(origin, { token: person.token })
  assert.deepEqual([status, headers['x-error-message']], [429, 'No more than 20 streams at once'])
  const other = await world.createPerson()
  sockets.push(await openSocket(origin, { token: other.token }))
  sockets[0]!.ws.close()
  await sockets[0]!.closed
  const again = await until(() => openSocket(origin, { token: person.token }).catch(() => null))
  for (const socket of [...sockets, again]) socket.ws.close()
})
