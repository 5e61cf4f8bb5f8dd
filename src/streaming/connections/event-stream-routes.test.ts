import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { revokeTokens } from '../../domain/auth/access-tokens.ts'
import { publishMessage } from '../../domain/core/stream-topics.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import {
  statusOf,
  idOf,
  issueTokenWithScopes,
  openEventStream,
  openStreamingServer,
  until,
} from '../../../test/streaming/streams.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { ctx } = testServer
const { origin, streaming, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const ROOT = '/api/v1/streaming'

const post = (user: TestUser, status = 'Hello') => user.client.post('/api/v1/statuses', { status })

async function fetchError(path: string, token?: string): Promise<{ status: number; body: unknown }> {
  const { status, text, ended } = await openEventStream(origin, { path: ROOT + path, ...(token && { token }) })
  await ended
  return { status, body: JSON.parse(text()) }
}

test('a stream starts at once, permits any origin, and is not cached', async () => {
  const { token } = await testServer.createUser()
  const stream = await openEventStream(origin, { path: `${ROOT}/user`, token })
  await until(() => stream.text() === ':)\n')
  assert.equal(stream.status, 200)
  assert.equal(stream.headers['content-type'], 'text/event-stream')
  assert.equal(stream.headers['access-control-allow-origin'], '*')
  assert.equal(stream.headers['cache-control'], 'private, no-store')
  assert.equal(stream.headers['x-ratelimit-limit'], undefined)
  stream.request.destroy()
})

test('a status is sent as an event name and a line of JSON, and its deletion as an id', async () => {
  const user = await testServer.createUser()
  const stream = await openEventStream(origin, { path: `${ROOT}/user?access_token=${user.token}` })
  const { body } = await post(user, 'One\n\ntwo')
  await until(() => stream.events().length === 1)
  const { body: shown } = await user.client.get(`/api/v1/statuses/${body.id}`)
  await user.client.delete(`/api/v1/statuses/${body.id}`)
  await until(() => stream.events().length === 2)
  const [update, deletion] = stream.events()
  assert.equal(update!.event, 'update')
  assert.deepEqual(statusOf(update!), shown)
  assert.ok(stream.text().endsWith(`event: delete\ndata: ${body.id}\n\n`))
  assert.equal(deletion!.event, 'delete')
  stream.request.destroy()
})

test('each path has its stream, and only_media leaves out statuses without media', async () => {
  const [user, friend] = [await testServer.createUser(), await testServer.createUser()]
  const open = async (path: string) => openEventStream(origin, { path: ROOT + path, token: user.token })
  const streams = {
    user: await open('/user'),
    notification: await open('/user/notification'),
    public: await open('/public'),
    local: await open('/public/local?only_media=false'),
    remote: await open('/public/remote'),
    media: await open('/public?only_media=true'),
    localMedia: await open('/public/local?only_media=1'),
  }
  const plain = (await post(user, 'plain')).body
  // The jobs of two posts run in any order.
  await testServer.waitForJobs()
  const { id } = await ctx.db
    .insertInto('media_attachments')
    .values({
      account_id: user.accountId,
      type: 'image',
      file_key: 'f',
      preview_key: 'p',
      content_type: 'image/png',
      byte_size: '1',
      meta: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const picture = (await user.client.post('/api/v1/statuses', { status: 'picture', media_ids: [id] })).body
  await friend.client.post(`/api/v1/statuses/${plain.id}/favourite`)
  const received = () =>
    Object.fromEntries(
      Object.entries(streams).map(([name, stream]) => [
        name,
        stream
          .events()
          .map(
            ({ event, payload }) => `${event} ${(JSON.parse(payload) as Notification).status?.id ?? idOf({ payload })}`,
          ),
      ]),
    )
  const both = [`update ${plain.id}`, `update ${picture.id}`]
  await testServer.waitForJobs()
  await until(() => Object.values(received()).flat().length >= 10)
  const expected = {
    user: [...both, `notification ${plain.id}`],
    notification: [`notification ${plain.id}`],
    public: both,
    local: both,
    remote: [],
    media: [`update ${picture.id}`],
    localMedia: [`update ${picture.id}`],
  }
  assert.deepEqual(received(), expected)
  for (const { request } of Object.values(streams)) request.destroy()
})

test('ST1: error responses are JSON', async () => {
  const user = await testServer.createUser()
  const scope = { status: 401, body: { error: 'Access token does not have the required scopes' } }
  assert.deepEqual(await fetchError('/user'), { status: 401, body: { error: 'Missing access token' } })
  assert.deepEqual(await fetchError('/public', 'x'), { status: 401, body: { error: 'Invalid access token' } })
  assert.deepEqual(
    await fetchError('/user', (await issueTokenWithScopes(ctx, { user: user, scopes: 'read:notifications' })).token),
    scope,
  )
  assert.deepEqual(
    await fetchError('/public/local', (await issueTokenWithScopes(ctx, { user: user, scopes: 'write' })).token),
    scope,
  )
  assert.deepEqual(
    await fetchError(
      '/user/notification',
      (await issueTokenWithScopes(ctx, { user: user, scopes: 'read:statuses' })).token,
    ),
    scope,
  )
  for (const path of ['/lists', '/hashtags/birds', '/nonsense', '/user/more']) {
    const unknown = { status: 400, body: { error: 'Unknown channel requested' } }
    assert.deepEqual(await fetchError(path, user.token), unknown, path)
  }
  await suspend(ctx, user)
  assert.deepEqual(await fetchError('/user', user.token), { status: 401, body: { error: 'Invalid access token' } })
})

test('the streaming root, and other methods than GET, give 404', async () => {
  const { client } = await testServer.createUser()
  const { status, body } = await client.get(ROOT)
  assert.deepEqual([status, body], [404, { error: 'Not Found' }])
  assert.deepEqual((await client.get(`${ROOT}?stream=user`)).body, body)
  assert.equal((await client.send({ method: 'HEAD', url: `${ROOT}/user` })).status, 404)
  assert.equal((await client.post(`${ROOT}/user`)).status, 404)
})

test('the health check returns one word', async () => {
  const { status, body } = await testServer.anonymous.get(`${ROOT}/health`)
  assert.deepEqual([status, body], [200, 'OK'])
})

test('an idle stream sends heartbeats', async (t) => {
  const server = await openStreamingServer(ctx, { heartbeatMs: 10, tokenCheckMs: 1_000, ipBlockCheckMs: 1_000 })
  t.after(server.close)
  const { token } = await testServer.createUser()
  const stream = await openEventStream(server.origin, { path: `${ROOT}/public`, token })
  await until(() => /^:\)\n(:thump\n){3,}$/.test(stream.text()))
  stream.request.destroy()
})

test('ST2: OA5: revoking a token ends its streams within two seconds', async () => {
  const user = await testServer.createUser()
  const revoked = await issueTokenWithScopes(ctx, { user: user, scopes: 'read' })
  const stream = await openEventStream(origin, { path: `${ROOT}/user`, token: revoked.token })
  const start = Date.now()
  await ctx.write((tx) => revokeTokens(tx, { ids: [revoked.id] }))
  await stream.ended
  assert.ok(Date.now() - start < 2_000)
  assert.equal((await fetchError('/user', revoked.token)).status, 401)
})

test('ST4: an unread stream is disconnected at a megabyte, and a client that disconnects is removed', async (t) => {
  const server = await openStreamingServer(ctx)
  t.after(server.close)
  const user = await testServer.createUser()
  const path = `${ROOT}/user`
  const [slow, good, leaving] = await Promise.all(
    [1, 2, 3].map(async () => openEventStream(server.origin, { path, token: user.token })),
  )
  leaving!.request.destroy()
  await until(() => server.streaming.count() === 2)
  slow!.response.pause()
  slow!.response.socket.pause()
  const { body } = await post(user)
  await testServer.waitForJobs()
  await ctx.db
    .updateTable('statuses')
    .set({ content: 'x'.repeat(400_000), version: 2 })
    .where('id', '=', body.id)
    .execute()
  for (let events = 1; events <= 60; events += 1) {
    await publishMessage(ctx.bus, 'stream.edited', { statusId: body.id })
    await until(() => good!.text().length > events * 400_000)
  }
  await until(() => server.streaming.count() === 1)
  good!.request.destroy()
})

test('the limit of twenty connections per account covers both kinds, and streams end when the server stops', async (t) => {
  const server = await openStreamingServer(ctx)
  t.after(server.close)
  const { token } = await testServer.createUser()
  const open = async () => openEventStream(server.origin, { path: `${ROOT}/public`, token })
  const streams = await Promise.all(Array.from({ length: 20 }, open))
  assert.equal((await open()).status, 429)
  await server.streaming.close()
  await Promise.all(streams.map((stream) => stream.ended))
  assert.equal((await open()).status, 503)
  assert.equal(server.streaming.count(), 0)
})

test('closed streams leave nothing behind', async () => {
  const { token } = await testServer.createUser()
  for (let round = 0; round < 5; round += 1) {
    const streams = await Promise.all(
      Array.from({ length: 15 }, async () => openEventStream(origin, { path: `${ROOT}/public`, token })),
    )
    for (const { request } of streams) request.destroy()
    await until(() => streaming.count() === 0)
  }
})
