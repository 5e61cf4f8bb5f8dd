import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { revokeTokens } from '../domain/auth/tokens.ts'
import { tell, tellHomes } from '../domain/stream-news.ts'
import { issueScoped, openEventStream, openSocket, refuseSocket, serveStreams, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

const world = await openWorld()
const { ctx } = world
const { origin, streaming, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const quick = { beatMs: 50, checkMs: 20 }

const post = (person: Person, status = 'Hello') => person.client.post('/api/v1/statuses', { status })

test('ST4: F20: who does not read is cut off at a megabyte, and others go on', async (t) => {
  const server = await serveStreams(ctx)
  t.after(server.close)
  const person = await world.createPerson()
  const [slow, good] = await Promise.all(
    [1, 2].map(async () => openSocket(server.origin, { token: person.token, stream: 'user' })),
  )
  await Promise.all([slow!.subscribe(), good!.subscribe()])
  slow!.ws.pause()
  // More than the systems on both sides keep for a connection.
  const events = 100
  const rows = await ctx.db
    .insertInto('statuses')
    .values(
      Array.from({ length: events }, (_, i) => ({
        account_id: person.accountId,
        uri: `${ctx.config.origin}/long/${i}`,
        url: `${ctx.config.origin}/long/${i}`,
        content: 'x'.repeat(200_000),
        visibility: 'unlisted',
      })),
    )
    .returning('id')
    .execute()
  await ctx.db
    .insertInto('feed_entries')
    .values(rows.map(({ id }) => ({ account_id: person.accountId, status_id: id, original_id: id })))
    .execute()
  for (const { id } of rows) await tellHomes(ctx.bus, { event: 'update', statusId: id, accountIds: [person.accountId] })
  await until(() => good!.received.length === events)
  assert.equal(server.streaming.count(), 1)
  assert.equal(good!.ws.readyState, good!.ws.OPEN)
  slow!.ws.resume()
  assert.equal((await slow!.closed).code, 1006)
  assert.ok(slow!.received.length < events)
})

test('ST2: OA5: a revoked token closes what it had opened within two seconds, and nothing else', async () => {
  const person = await world.createPerson()
  const doomed = await issueScoped(ctx, { person: person, scopes: 'read' })
  const sockets = await Promise.all(
    ['user', 'public'].map(async (stream) => openSocket(origin, { token: doomed.token, stream })),
  )
  const other = await openSocket(origin, { token: person.token, stream: 'user' })
  const start = Date.now()
  await ctx.write((tx) => revokeTokens(tx, { ids: [doomed.id] }))
  for (const socket of sockets) {
    assert.deepEqual(await socket.closed, { code: 1008, reason: 'The access token was revoked' })
  }
  assert.ok(Date.now() - start < 2_000)
  await other.subscribe()
  await post(person)
  await until(() => other.received.length === 1)
  assert.deepEqual(
    sockets.flatMap(({ received }) => received),
    [],
  )
  assert.equal((await refuseSocket(origin, { token: doomed.token })).status, 401)
  other.ws.close()
})

test('ST2: a token that is revoked while it is being looked up opens nothing', async () => {
  const person = await world.createPerson()
  const doomed = await issueScoped(ctx, { person, scopes: 'read' })
  const witness = await openSocket(origin, { token: doomed.token })
  // The news has come, and what the database says is older.
  await tell(ctx.bus, 'stream.revoked', { tokenIds: [doomed.id] })
  await witness.closed
  assert.equal((await refuseSocket(origin, { token: doomed.token })).status, 401)
})

test('ST2: a client that ignores the goodbye hears nothing more, and is hung up on', async () => {
  const person = await world.createPerson()
  const doomed = await issueScoped(ctx, { person: person, scopes: 'read' })
  const before = streaming.count()
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/v1/streaming?stream=user&access_token=${doomed.token} HTTP/1.1\r\nHost: ${hostname}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  let heard = ''
  socket.on('data', (data) => (heard += data.toString('latin1')))
  await until(() => streaming.count() === before + 1)
  await ctx.write((tx) => revokeTokens(tx, { ids: [doomed.id] }))
  const start = Date.now()
  await until(() => streaming.count() === before)
  await post(person)
  await world.settle()
  await once(socket, 'close')
  assert.ok(Date.now() - start < 2_000)
  // After the answer to the handshake there is nothing but the frame of the end.
  const [, ...frames] = heard.split('\r\n\r\n')
  assert.deepEqual(frames, ['\x88\x1e\x03\xf0The access token was revoked'])
})

test('ST2: OA5: when the news is lost, the token is found to be dead all the same', async (t) => {
  const server = await serveStreams(ctx, quick)
  t.after(server.close)
  const person = await world.createPerson()
  const revoked = await issueScoped(ctx, { person: person, scopes: 'read' })
  const suspended = await world.createPerson()
  const disabled = await world.createPerson()
  const [dead, moved, unconfirmed, pending] = await Promise.all([1, 2, 3, 4].map(async () => world.createPerson()))
  const usable = await openSocket(server.origin, { token: person.token })
  const dying = await Promise.all(
    [revoked, suspended, disabled, dead!, moved!, unconfirmed!, pending!].map(async ({ token }) =>
      openSocket(server.origin, { token }),
    ),
  )
  const { db } = ctx
  const now = ctx.now()
  await db.updateTable('access_tokens').set({ revoked_at: now }).where('id', '=', revoked.id).execute()
  await db.updateTable('accounts').set({ suspended_at: now }).where('id', '=', suspended.accountId).execute()
  await db.updateTable('users').set({ disabled_at: now }).where('id', '=', disabled.userId).execute()
  await db.updateTable('accounts').set({ memorial: true }).where('id', '=', dead!.accountId).execute()
  const elsewhere = { moved_to_account_id: person.accountId }
  await db.updateTable('accounts').set(elsewhere).where('id', '=', moved!.accountId).execute()
  await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', unconfirmed!.userId).execute()
  await db.updateTable('users').set({ approved: false }).where('id', '=', pending!.userId).execute()
  for (const socket of dying) assert.equal((await socket.closed).code, 1008)
  await usable.subscribe('user')
  assert.equal(server.streaming.count(), 1)
})

test('ST2: whoever is suspended or disabled is put out within two seconds, whoever did it', async () => {
  const [suspended, disabled] = [await world.createPerson(), await world.createPerson()]
  const sockets = await Promise.all([suspended, disabled].map(async ({ token }) => openSocket(origin, { token })))
  const events = await openEventStream(origin, { path: '/api/v1/streaming/user', token: disabled.token })
  const now = ctx.now()
  const start = Date.now()
  await ctx.db.updateTable('accounts').set({ suspended_at: now }).where('id', '=', suspended.accountId).execute()
  await ctx.db.updateTable('users').set({ disabled_at: now }).where('id', '=', disabled.userId).execute()
  for (const { closed } of sockets) assert.equal((await closed).code, 1008)
  await events.ended
  assert.ok(Date.now() - start < 2_000)
})

test('a socket is pinged, and cut when it does not answer', async (t) => {
  const server = await serveStreams(ctx, quick)
  t.after(server.close)
  const { token } = await world.createPerson()
  const living = await openSocket(server.origin, { token })
  const dead = await openSocket(server.origin, { token })
  let pings = 0
  living.ws.on('ping', () => (pings += 1))
  dead.ws.pause()
  await until(() => server.streaming.count() === 1)
  await until(() => pings > 2)
  assert.equal(living.ws.readyState, living.ws.OPEN)
  dead.ws.terminate()
})

test('a server that stops tells its sockets to come back, and lets nobody in', async (t) => {
  const server = await serveStreams(ctx)
  t.after(server.close)
  const { token } = await world.createPerson()
  const sockets = await Promise.all([1, 2, 3].map(async () => openSocket(server.origin, { token })))
  await server.streaming.close()
  for (const socket of sockets) assert.equal((await socket.closed).code, 1012)
  assert.equal(server.streaming.count(), 0)
  const refused = await refuseSocket(server.origin, { token })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'])
})

test('sockets that come and go leave nothing behind', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, async () => world.createPerson()))
  const before = streaming.count()
  for (let round = 0; round < 3; round += 1) {
    const sockets = await Promise.all(
      people.flatMap(({ token }) => [1, 2, 3, 4, 5].map(async () => openSocket(origin, { token, stream: 'user' }))),
    )
    assert.equal(streaming.count(), before + 100)
    for (const [i, { ws }] of sockets.entries()) {
      if (i % 2) ws.terminate()
      else ws.close()
    }
    await until(() => streaming.count() === before)
  }
})
