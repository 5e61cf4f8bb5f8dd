import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { tell, tellHomes } from '../domain/stream-news.ts'
import type { Notification } from '../entities/notification.ts'
import { hearAll, heardBy } from '../../test/hearing.ts'
import { statusOf, issueScoped, openSocket, serveStreams, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

const world = await openWorld()
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const PUBLIC = [
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const

async function people(n: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: n }, async () => world.createPerson()))
}

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await person.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200)
  return body.id
}

async function act(person: Person, verb: string, other: Person, terms: object = {}): Promise<void> {
  const { status } = await person.client.post(`/api/v1/accounts/${other.accountId}/${verb}`, terms)
  assert.equal(status, 200)
}

test('a status comes on the home streams of its author and of those who follow them, and of nobody else', async () => {
  const [author, follower, stranger] = (await people(3)) as [Person, Person, Person]
  await act(follower, 'follow', author)
  await world.settle()
  const sockets = await hearAll(origin, { people: { author, follower, stranger }, streams: ['user'] })
  const open = await post(author, 'for all')
  const inner = await post(author, 'for followers', { visibility: 'private' })
  const mine = await post(author, 'for nobody', { visibility: 'direct' })
  const both = [`user update ${open}`, `user update ${inner}`]
  assert.deepEqual(await heardBy(world, sockets), {
    author: [...both, `user update ${mine}`],
    follower: both,
    stranger: [],
  })
})

test('VI8: a direct status comes to its author and to those whom it mentions, and not on a public stream', async () => {
  const [author, friend, follower] = (await people(3)) as [Person, Person, Person]
  await act(friend, 'follow', author)
  await act(follower, 'follow', author)
  await world.settle()
  const sockets = await hearAll(origin, { people: { author, friend, follower }, streams: ['user', ...PUBLIC] })
  const id = await post(author, `@${friend.username} psst`, { visibility: 'direct' })
  const all = await heardBy(world, sockets)
  assert.deepEqual(all.author, [`user update ${id}`])
  assert.deepEqual(all.follower, [])
  assert.equal(all.friend[1], `user update ${id}`)
  assert.match(all.friend[0]!, /^user notification /)
  await author.client.delete(`/api/v1/statuses/${id}`)
  const gone = [`user delete ${id}`]
  assert.deepEqual(await heardBy(world, sockets), { author: gone, friend: gone, follower: [] })
})

test('on a home stream a status is as its viewer sees it, also inside of a boost', async () => {
  const [author, booster, fan, other] = (await people(4)) as [Person, Person, Person, Person]
  await act(fan, 'follow', booster)
  await act(other, 'follow', booster)
  const original = await post(author, 'a song')
  await fan.client.post(`/api/v1/statuses/${original}/favourite`)
  await world.settle()
  const sockets = await hearAll(origin, { people: { booster, fan, other }, streams: ['user'] })
  const { body: boost } = await booster.client.post(`/api/v1/statuses/${original}/reblog`)
  for (const [name, { socket, person }] of Object.entries(sockets)) {
    const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
    const { body: expected } = await person.client.get(`/api/v1/statuses/${boost.id}`)
    const seen = statusOf(update!)
    assert.deepEqual(seen, expected, name)
    assert.equal(seen.favourited, name === 'fan')
    assert.equal(seen.reblog!.favourited, name === 'fan')
    assert.equal(seen.reblogged, name === 'booster')
  }
})

test('a public status comes on the public streams that fit it, rendered for nobody in particular', async () => {
  const [author, reader] = (await people(2)) as [Person, Person]
  const sockets = await hearAll(origin, { people: { reader }, streams: ['user', ...PUBLIC] })
  const local = await post(author, 'from here')
  assert.deepEqual((await heardBy(world, sockets)).reader, [`public update ${local}`, `public:local update ${local}`])

  const { db } = ctx
  const far = await db
    .insertInto('accounts')
    .values({ username: 'far', domain: 'far.test', uri: 'https://far.test/far', url: 'https://far.test/@far' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('account_stats').values({ account_id: far.id }).execute()
  const remote = await db
    .insertInto('statuses')
    .values({
      account_id: far.id,
      uri: 'https://far.test/1',
      url: 'https://far.test/@far/1',
      visibility: 'public',
      local: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('media_attachments')
    .values({
      account_id: far.id,
      status_id: remote.id,
      type: 'image',
      file_key: 'f',
      preview_key: 'p',
      content_type: 'image/png',
      byte_size: '1',
      meta: '{}',
    })
    .execute()
  await ctx.write(async (tx) => tx.emit('status.posted', { statusId: remote.id }))
  await until(() => sockets.reader.socket.received.length === 4)
  const status = statusOf(sockets.reader.socket.received[0]!)
  assert.equal(status.account.acct, 'far@far.test')
  for (const key of ['favourited', 'reblogged', 'muted', 'bookmarked', 'filtered', 'pinned']) {
    assert.ok(!(key in status), key)
  }
  assert.deepEqual(
    (await heardBy(world, sockets)).reader,
    ['public', 'public:media', 'public:remote', 'public:remote:media'].map((name) => `${name} update ${remote.id}`),
  )
})

test('public streams carry no boosts, no replies to others, nothing unlisted, and nobody who is limited', async () => {
  const [author, other, limited, reader] = (await people(4)) as [Person, Person, Person, Person]
  await ctx.db.updateTable('accounts').set({ silenced_at: ctx.now() }).where('id', '=', limited.accountId).execute()
  const sockets = await hearAll(origin, { people: { reader }, streams: ['public', 'user'] })
  const first = await post(author, 'first')
  const again = await post(author, 'first, going on', { in_reply_to_id: first })
  await post(other, 'an answer', { in_reply_to_id: first })
  await post(author, 'quietly', { visibility: 'unlisted' })
  await post(author, 'inside', { visibility: 'private' })
  await post(limited, 'unheard')
  await other.client.post(`/api/v1/statuses/${first}/reblog`)
  assert.deepEqual((await heardBy(world, sockets)).reader, [`public update ${first}`, `public update ${again}`])
})

test('ST3: VI16: between people who block each other, and to who mutes, nothing comes on a public stream', async () => {
  const [author, blocker, blocked, muter, forgiving, reader] = (await people(6)) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  await act(blocker, 'block', author)
  await act(author, 'block', blocked)
  await act(muter, 'mute', author)
  await act(forgiving, 'mute', author)
  const past = new Date(ctx.now().getTime() - 1_000)
  await ctx.db.updateTable('mutes').set({ expires_at: past }).where('account_id', '=', forgiving.accountId).execute()
  const sockets = await hearAll(origin, {
    people: { blocker, blocked, muter, forgiving, reader },
    streams: ['public', 'user'],
  })
  const id = await post(author, 'for some')
  const update = [`public update ${id}`]
  const none = { blocker: [], blocked: [], muter: [] }
  assert.deepEqual(await heardBy(world, sockets), { ...none, forgiving: update, reader: update })
  await author.client.delete(`/api/v1/statuses/${id}`)
  const gone = [`public delete ${id}`]
  assert.deepEqual(await heardBy(world, sockets), { ...none, forgiving: gone, reader: gone })
})

test('ST3: what was hidden after the news were written is not sent', async () => {
  const [author, follower, muter, stranger] = (await people(4)) as [Person, Person, Person, Person]
  await act(follower, 'follow', author)
  await act(muter, 'follow', author)
  const id = await post(author, 'for followers', { visibility: 'private' })
  await world.settle()
  await act(muter, 'mute', author)
  await act(author, 'block', follower)
  await world.settle()
  const sockets = await hearAll(origin, { people: { author, follower, muter, stranger }, streams: ['user', 'public'] })
  const accountIds = [author, follower, muter, stranger].map((person) => person.accountId)
  await tellHomes(ctx.bus, { event: 'update', statusId: id, accountIds })
  await tell(ctx.bus, 'stream.public', { statusId: id })
  await tell(ctx.bus, 'stream.public', { statusId: '404' })
  await tell(ctx.bus, 'stream.notification', { notificationId: '404', accountId: stranger.accountId })
  const none = { follower: [], muter: [], stranger: [] }
  assert.deepEqual(await heardBy(world, sockets), { author: [`user update ${id}`], ...none })
})

test('a notification comes to its person on both their streams, if the token may read it', async () => {
  const [person, friend] = (await people(2)) as [Person, Person]
  const streams = ['user', 'user:notification']
  const { both, other } = await hearAll(origin, { people: { both: person, other: friend }, streams })
  const narrow = await issueScoped(ctx, { person, scopes: 'read:statuses' })
  const blind = await openSocket(origin, { token: narrow.token, stream: 'user' })
  await blind.subscribe()
  const id = await post(person, 'a song')
  await friend.client.post(`/api/v1/statuses/${id}/favourite`)
  await until(() => both.socket.received.length === 3)
  const { body: list } = await person.client.get('/api/v1/notifications')
  assert.deepEqual(
    both.socket.received
      .filter(({ event }) => event === 'notification')
      .map((one) => ({ ...one, payload: JSON.parse(one.payload) as Notification })),
    [
      { stream: ['user'], event: 'notification', payload: list[0] },
      { stream: ['user:notification'], event: 'notification', payload: list[0] },
    ],
  )
  const sockets = { blind: { person, socket: blind }, other }
  assert.deepEqual(await heardBy(world, sockets), { blind: [`user update ${id}`], other: [] })
})

test('every id in what is streamed is a text', async () => {
  const [author, friend] = (await people(2)) as [Person, Person]
  await act(friend, 'follow', author)
  await act(author, 'follow', friend)
  await world.settle()
  const streams = ['user', 'public', 'direct']
  const { both } = await hearAll(origin, { people: { both: author }, streams })
  const id = await post(author, 'one #tag', { poll: { options: ['a', 'b'], expires_in: 600 } })
  await friend.client.post(`/api/v1/statuses/${id}/favourite`)
  await friend.client.post(`/api/v1/statuses/${id}/reblog`)
  await post(friend, `@${author.username} yes`, { in_reply_to_id: id, visibility: 'direct' })
  await author.client.put(`/api/v1/statuses/${id}`, { status: 'two #tag' })
  await world.settle()
  await author.client.delete(`/api/v1/statuses/${id}`)
  await until(() => both.socket.received.some(({ event }) => event === 'delete'))
  const { received } = both.socket
  const kinds = new Set(received.map(({ event }) => event))
  assert.deepEqual([...kinds].toSorted(), ['conversation', 'delete', 'notification', 'status.update', 'update'])
  for (const { event, payload } of received) {
    if (event === 'delete') assert.match(payload, /^\d+$/)
    else
      assert.ok(
        findIds(JSON.parse(payload)).every((one) => one === null || typeof one === 'string'),
        payload,
      )
  }
})

/** What stands under the names of ids, however deep. */
function findIds(value: unknown, name = ''): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => findIds(one, name))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => findIds(one, key))
  return /(^|_)ids?$/.test(name) ? [value] : []
}

test('the streams that the server of the world itself serves are these', async () => {
  const address = await world.listen()
  const person = await world.createPerson()
  const socket = await openSocket(address, { token: person.token, stream: 'user' })
  await socket.subscribe()
  const id = await post(person, 'here')
  const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
  assert.equal(statusOf(update!).id, id)
  socket.ws.close()
})
