import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { revokeTokens } from '../domain/auth/tokens.ts'
import { tell } from '../domain/stream-news.ts'
import type { Notification } from '../entities/notification.ts'
import { statusOf, idOf, issueScoped, openEventStream, serveStreams, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

const world = await openWorld()
const { ctx } = world
const { origin, streaming, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const ROOT = '/api/v1/streaming'

const post = (person: Person, status = 'Hello') => person.client.post('/api/v1/statuses', { status })

async function refusal(path: string, token?: string): Promise<{ status: number; body: unknown }> {
  const { status, text, ended } = await openEventStream(origin, { path: ROOT + path, ...(token && { token }) })
  await ended
  return { status, body: JSON.parse(text()) }
}

test('a stream begins at once, may be read from any site, and is stored by nobody', async () => {
  const { token } = await world.createPerson()
  const stream = await openEventStream(origin, { path: `${ROOT}/user`, token })
  await until(() => stream.text() === ':)\n')
  assert.equal(stream.status, 200)
  assert.equal(stream.headers['content-type'], 'text/event-stream')
  assert.equal(stream.headers['access-control-allow-origin'], '*')
  assert.equal(stream.headers['cache-control'], 'private, no-store')
  assert.equal(stream.headers['x-ratelimit-limit'], undefined)
  stream.request.destroy()
})

test('a status comes as the name of the event and a line of JSON, its end as an id', async () => {
  const person = await world.createPerson()
  const stream = await openEventStream(origin, { path: `${ROOT}/user?access_token=${person.token}` })
  const { body } = await post(person, 'One\n\ntwo')
  await until(() => stream.events().length === 1)
  const { body: shown } = await person.client.get(`/api/v1/statuses/${body.id}`)
  await person.client.delete(`/api/v1/statuses/${body.id}`)
  await until(() => stream.events().length === 2)
  const [update, gone] = stream.events()
  assert.equal(update!.event, 'update')
  assert.deepEqual(statusOf(update!), shown)
  assert.ok(stream.text().endsWith(`event: delete\ndata: ${body.id}\n\n`))
  assert.equal(gone!.event, 'delete')
  stream.request.destroy()
})

test('each path is its stream, and only_media leaves out what has none', async () => {
  const [person, friend] = [await world.createPerson(), await world.createPerson()]
  const open = async (path: string) => openEventStream(origin, { path: ROOT + path, token: person.token })
  const streams = {
    user: await open('/user'),
    notification: await open('/user/notification'),
    public: await open('/public'),
    local: await open('/public/local?only_media=false'),
    remote: await open('/public/remote'),
    media: await open('/public?only_media=true'),
    localMedia: await open('/public/local?only_media=1'),
  }
  const plain = (await post(person, 'plain')).body
  const { id } = await ctx.db
    .insertInto('media_attachments')
    .values({
      account_id: person.accountId,
      type: 'image',
      file_key: 'f',
      preview_key: 'p',
      content_type: 'image/png',
      byte_size: '1',
      meta: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const picture = (await person.client.post('/api/v1/statuses', { status: 'picture', media_ids: [id] })).body
  await friend.client.post(`/api/v1/statuses/${plain.id}/favourite`)
  const heard = () =>
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
  await world.settle()
  await until(() => Object.values(heard()).flat().length >= 10)
  const expected = {
    user: [...both, `notification ${plain.id}`],
    notification: [`notification ${plain.id}`],
    public: both,
    local: both,
    remote: [],
    media: [`update ${picture.id}`],
    localMedia: [`update ${picture.id}`],
  }
  assert.deepEqual(heard(), expected)
  for (const { request } of Object.values(streams)) request.destroy()
})

test('ST1: refusals are JSON', async () => {
  const person = await world.createPerson()
  const scope = { status: 401, body: { error: 'Access token does not have the required scopes' } }
  assert.deepEqual(await refusal('/user'), { status: 401, body: { error: 'Missing access token' } })
  assert.deepEqual(await refusal('/public', 'x'), { status: 401, body: { error: 'Invalid access token' } })
  assert.deepEqual(
    await refusal('/user', (await issueScoped(ctx, { person: person, scopes: 'read:notifications' })).token),
    scope,
  )
  assert.deepEqual(
    await refusal('/public/local', (await issueScoped(ctx, { person: person, scopes: 'write' })).token),
    scope,
  )
  assert.deepEqual(
    await refusal('/user/notification', (await issueScoped(ctx, { person: person, scopes: 'read:statuses' })).token),
    scope,
  )
  for (const path of ['/lists', '/hashtags/birds', '/nonsense', '/user/more']) {
    const unknown = { status: 400, body: { error: 'Unknown channel requested' } }
    assert.deepEqual(await refusal(path, person.token), unknown, path)
  }
  await ctx.db.updateTable('accounts').set({ suspended_at: ctx.now() }).where('id', '=', person.accountId).execute()
  assert.deepEqual(await refusal('/user', person.token), { status: 401, body: { error: 'Invalid access token' } })
})

test('what is asked of the address itself, or about a stream, is not found', async () => {
  const { client } = await world.createPerson()
  assert.equal((await client.get(ROOT)).status, 404)
  assert.equal((await client.send({ method: 'HEAD', url: `${ROOT}/user` })).status, 404)
  assert.equal((await client.post(`${ROOT}/user`)).status, 404)
})

test('the health of the streams is one word', async () => {
  const { status, body } = await world.anonymous.get(`${ROOT}/health`)
  assert.deepEqual([status, body], [200, 'OK'])
})

test('a silent stream gives a sign of life', async (t) => {
  const server = await serveStreams(ctx, { beatMs: 10, checkMs: 1_000 })
  t.after(server.close)
  const { token } = await world.createPerson()
  const stream = await openEventStream(server.origin, { path: `${ROOT}/public`, token })
  await until(() => /^:\)\n(:thump\n){3,}$/.test(stream.text()))
  stream.request.destroy()
})

test('ST2: OA5: a revoked token ends its streams within two seconds', async () => {
  const person = await world.createPerson()
  const doomed = await issueScoped(ctx, { person: person, scopes: 'read' })
  const stream = await openEventStream(origin, { path: `${ROOT}/user`, token: doomed.token })
  const start = Date.now()
  await ctx.write((tx) => revokeTokens(tx, { ids: [doomed.id] }))
  await stream.ended
  assert.ok(Date.now() - start < 2_000)
  assert.equal((await refusal('/user', doomed.token)).status, 401)
})

test('ST4: a stream that nobody reads is cut off at a megabyte, and a reader who leaves is forgotten', async (t) => {
  const server = await serveStreams(ctx)
  t.after(server.close)
  const person = await world.createPerson()
  const path = `${ROOT}/user`
  const [slow, good, leaving] = await Promise.all(
    [1, 2, 3].map(async () => openEventStream(server.origin, { path, token: person.token })),
  )
  leaving!.request.destroy()
  await until(() => server.streaming.count() === 2)
  slow!.response.pause()
  slow!.response.socket.pause()
  const { body } = await post(person)
  await world.settle()
  await ctx.db
    .updateTable('statuses')
    .set({ content: 'x'.repeat(400_000), version: 2 })
    .where('id', '=', body.id)
    .execute()
  for (let events = 1; events <= 60; events += 1) {
    await tell(ctx.bus, 'stream.edited', { statusId: body.id })
    await until(() => good!.text().length > events * 400_000)
  }
  await until(() => server.streaming.count() === 1)
  good!.request.destroy()
})

test('twenty connections of a person are counted over both kinds, and streams end when the server stops', async (t) => {
  const server = await serveStreams(ctx)
  t.after(server.close)
  const { token } = await world.createPerson()
  const open = async () => openEventStream(server.origin, { path: `${ROOT}/public`, token })
  const streams = await Promise.all(Array.from({ length: 20 }, open))
  assert.equal((await open()).status, 429)
  await server.streaming.close()
  await Promise.all(streams.map((stream) => stream.ended))
  assert.equal((await open()).status, 503)
  assert.equal(server.streaming.count(), 0)
})

test('streams that come and go leave nothing behind', async () => {
  const { token } = await world.createPerson()
  for (let round = 0; round < 5; round += 1) {
    const streams = await Promise.all(
      Array.from({ length: 15 }, async () => openEventStream(origin, { path: `${ROOT}/public`, token })),
    )
    for (const { request } of streams) request.destroy()
    await until(() => streaming.count() === 0)
  }
})
