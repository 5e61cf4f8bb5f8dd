import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { revokeTokens } from '../../domain/auth/access-tokens.ts'
import { publishMessage, publishToHomes } from '../../domain/core/stream-topics.ts'
import {
  issueTokenWithScopes,
  openEventStream,
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
const { origin, streaming, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const shortIntervals = { heartbeatMs: 50, tokenCheckMs: 20, ipBlockCheckMs: 400 }

const post = (user: TestUser, status = 'Hello') => user.client.post('/api/v1/statuses', { status })

test('ST4: F20: a client that does not read is disconnected at a megabyte, and others stay connected', async (t) => {
  const server = await openStreamingServer(ctx)
  t.after(server.close)
  const user = await testServer.createUser()
  const [slow, good] = await Promise.all(
    [1, 2].map(async () => openSocket(server.origin, { token: user.token, stream: 'user' })),
  )
  await Promise.all([slow!.subscribe(), good!.subscribe()])
  slow!.ws.pause()
  // More than the operating systems on both sides buffer for a connection.
  const events = 100
  const rows = await ctx.db
    .insertInto('statuses')
    .values(
      Array.from({ length: events }, (_, i) => ({
        account_id: user.accountId,
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
    .values(rows.map(({ id }) => ({ account_id: user.accountId, status_id: id, original_id: id })))
    .execute()
  for (const { id } of rows)
    await publishToHomes(ctx.bus, { event: 'update', statusId: id, accountIds: [user.accountId] })
  await until(() => good!.received.length === events)
  assert.equal(server.streaming.count(), 1)
  assert.equal(good!.ws.readyState, good!.ws.OPEN)
  slow!.ws.resume()
  assert.equal((await slow!.closed).code, 1006)
  assert.ok(slow!.received.length < events)
})

test('ST2: OA5: revoking a token closes its connections within two seconds, and no others', async () => {
  const user = await testServer.createUser()
  const revoked = await issueTokenWithScopes(ctx, { user: user, scopes: 'read' })
  const sockets = await Promise.all(
    ['user', 'public'].map(async (stream) => openSocket(origin, { token: revoked.token, stream })),
  )
  const other = await openSocket(origin, { token: user.token, stream: 'user' })
  const start = Date.now()
  await ctx.write((tx) => revokeTokens(tx, { ids: [revoked.id] }))
  for (const socket of sockets) {
    assert.deepEqual(await socket.closed, { code: 1008, reason: 'The access token was revoked' })
  }
  assert.ok(Date.now() - start < 2_000)
  await other.subscribe()
  await post(user)
  await until(() => other.received.length === 1)
  assert.deepEqual(
    sockets.flatMap(({ received }) => received),
    [],
  )
  assert.equal((await expectSocketRejected(origin, { token: revoked.token })).status, 401)
  other.ws.close()
})

test('ST2: a token that is revoked during its lookup opens no connection', async () => {
  const user = await testServer.createUser()
  const revoked = await issueTokenWithScopes(ctx, { user: user, scopes: 'read' })
  const witness = await openSocket(origin, { token: revoked.token })
  // The event has arrived, but the database does not show the revocation.
  await publishMessage(ctx.bus, 'stream.revoked', { tokenIds: [revoked.id] })
  await witness.closed
  assert.equal((await expectSocketRejected(origin, { token: revoked.token })).status, 401)
})

test('ST2: a client that ignores the close frame receives no more events, and is disconnected', async () => {
  const user = await testServer.createUser()
  const revoked = await issueTokenWithScopes(ctx, { user: user, scopes: 'read' })
  const before = streaming.count()
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/v1/streaming?stream=user&access_token=${revoked.token} HTTP/1.1\r\nHost: ${hostname}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  let received = ''
  socket.on('data', (data) => (received += data.toString('latin1')))
  await until(() => streaming.count() === before + 1)
  await ctx.write((tx) => revokeTokens(tx, { ids: [revoked.id] }))
  const start = Date.now()
  await until(() => streaming.count() === before)
  await post(user)
  await testServer.waitForJobs()
  await once(socket, 'close')
  assert.ok(Date.now() - start < 2_000)
  // After the response to the handshake there is only the close frame.
  const [, ...frames] = received.split('\r\n\r\n')
  assert.deepEqual(frames, ['\x88\x1e\x03\xf0The access token was revoked'])
})

test('ST2: OA5: if the revocation event is lost, the token check closes the connections', async (t) => {
  const server = await openStreamingServer(ctx, shortIntervals)
  t.after(server.close)
  const user = await testServer.createUser()
  const revoked = await issueTokenWithScopes(ctx, { user: user, scopes: 'read' })
  const suspended = await testServer.createUser()
  const disabled = await testServer.createUser()
  const [memorial, moved, unconfirmed, pending] = await Promise.all(
    [1, 2, 3, 4].map(async () => testServer.createUser()),
  )
  const usable = await openSocket(server.origin, { token: user.token })
  const unusable = await Promise.all(
    [revoked, suspended, disabled, memorial!, moved!, unconfirmed!, pending!].map(async ({ token }) =>
      openSocket(server.origin, { token }),
    ),
  )
  const { db } = ctx
  await db.updateTable('access_tokens').set({ revoked_at: ctx.now() }).where('id', '=', revoked.id).execute()
  await suspend(ctx, suspended)
  await disable(ctx, disabled)
  await db.updateTable('accounts').set({ memorial: true }).where('id', '=', memorial!.accountId).execute()
  const migration = { moved_to_account_id: user.accountId }
  await db.updateTable('accounts').set(migration).where('id', '=', moved!.accountId).execute()
  await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', unconfirmed!.userId).execute()
  await db.updateTable('users').set({ approved: false }).where('id', '=', pending!.userId).execute()
  for (const socket of unusable) assert.equal((await socket.closed).code, 1008)
  await usable.subscribe('user')
  assert.equal(server.streaming.count(), 1)
})

test('ST2: a suspended or disabled account is disconnected within two seconds, however it came to that', async () => {
  const [suspended, disabled] = [await testServer.createUser(), await testServer.createUser()]
  const sockets = await Promise.all([suspended, disabled].map(async ({ token }) => openSocket(origin, { token })))
  const events = await openEventStream(origin, { path: '/api/v1/streaming/user', token: disabled.token })
  const now = ctx.now()
  const start = Date.now()
  // By SQL, because the server must notice it without an event.
  await ctx.db.updateTable('accounts').set({ suspended_at: now }).where('id', '=', suspended.accountId).execute()
  await ctx.db.updateTable('users').set({ disabled_at: now }).where('id', '=', disabled.userId).execute()
  for (const { closed } of sockets) assert.equal((await closed).code, 1008)
  await events.ended
  assert.ok(Date.now() - start < 2_000)
})

test('a socket is pinged, and terminated if it does not respond', async (t) => {
  const server = await openStreamingServer(ctx, shortIntervals)
  t.after(server.close)
  const { token } = await testServer.createUser()
  const responsive = await openSocket(server.origin, { token })
  const memorial = await openSocket(server.origin, { token })
  let pings = 0
  responsive.ws.on('ping', () => (pings += 1))
  memorial.ws.pause()
  await until(() => server.streaming.count() === 1)
  await until(() => pings > 2)
  assert.equal(responsive.ws.readyState, responsive.ws.OPEN)
  memorial.ws.terminate()
})

test('a stopping server closes its sockets with a restart code, and accepts no new ones', async (t) => {
  const server = await openStreamingServer(ctx)
  t.after(server.close)
  const { token } = await testServer.createUser()
  const sockets = await Promise.all([1, 2, 3].map(async () => openSocket(server.origin, { token })))
  await server.streaming.close()
  for (const socket of sockets) assert.equal((await socket.closed).code, 1012)
  assert.equal(server.streaming.count(), 0)
  const refused = await expectSocketRejected(server.origin, { token })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'])
})

test('closed sockets leave nothing behind', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, async () => testServer.createUser()))
  const before = streaming.count()
  for (let round = 0; round < 3; round += 1) {
    const sockets = await Promise.all(
      users.flatMap(({ token }) => [1, 2, 3, 4, 5].map(async () => openSocket(origin, { token, stream: 'user' }))),
    )
    assert.equal(streaming.count(), before + 100)
    for (const [i, { ws }] of sockets.entries()) {
      if (i % 2) ws.terminate()
      else ws.close()
    }
    await until(() => streaming.count() === before)
  }
})
