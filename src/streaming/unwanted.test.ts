import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hearAll, heardBy } from '../../test/hearing.ts'
import { makeRemote, makeRemoteStatus, newName } from '../../test/remote.ts'
import { serveStreams } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import { removeRemoteStatus } from '../domain/statuses/remove-remote.ts'

const world = await openWorld()
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const STREAMS = ['user', 'user:notification', 'public', 'public:remote'] as const

for (const [what, turnAway] of [
  ['VI15 a domain that is blocked', { path: () => '/api/v1/domain_blocks', body: { domain: 'loud.test' } }],
  ['VI16 somebody who is muted', { path: (id: string) => `/api/v1/accounts/${id}/mute`, body: {} }],
] as const) {
  test(`${what} is on no stream: not by a post, a boost by a friend, a mention, or the end of these`, async () => {
    const [reader, other, friend] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const username = newName('loud')
    const uri = `https://deep.loud.test/users/${username}`
    const author = await makeRemote(ctx, { handle: { username, domain: 'deep.loud.test' }, uri })
    for (const { client } of [reader, other]) await client.post(`/api/v1/accounts/${friend.accountId}/follow`)
    assert.equal((await reader.client.post(turnAway.path(author), turnAway.body)).status, 200)
    await world.settle()
    const people = { reader, other }
    const sockets = await hearAll(origin, { people, streams: [...STREAMS] })
    const mentionedIds = [reader.accountId, other.accountId]
    const statusUri = `${uri}/statuses/1`
    await makeRemoteStatus(ctx, { accountId: author, mentionedIds })
    const id = await makeRemoteStatus(ctx, { accountId: author, uri: statusUri })
    await world.settle()
    const { body: boost } = await friend.client.post(`/api/v1/statuses/${id}/reblog`)
    await world.settle()
    const before = await heardBy(world, sockets)
    await ctx.write((tx) => removeRemoteStatus(tx, { uri: statusUri, accountId: author }))
    const later = await heardBy(world, sockets)
    const heard = [...before.other, ...later.other]
    assert.deepEqual([...before.reader, ...later.reader], [])
    for (const news of [`public update ${id}`, `user update ${boost.id}`, `public delete ${id}`]) {
      assert.ok(heard.includes(news), `${news} is not among ${heard.join(', ')}`)
    }
    assert.ok(heard.some((news) => news.startsWith('user notification ')))
  })
}

test('who chose languages hears only these on public streams and on those of hashtags', async () => {
  const [reader, other, author] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const user = ctx.db.updateTable('users').where('id', '=', reader.userId)
  await user.set({ chosen_languages: ['de'] }).execute()
  const people = { reader, other }
  const sockets = await hearAll(origin, { people, streams: ['user', 'public'] })
  for (const { socket } of Object.values(sockets)) socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'tea' })
  for (const { socket } of Object.values(sockets)) await socket.subscribe('public:local')
  const write = async (language: string): Promise<string> =>
    (await author.client.post('/api/v1/statuses', { status: '#tea', language })).body.id
  const [english, german] = [await write('en'), await write('de')]
  const { reader: few, other: all } = await heardBy(world, sockets)
  const newsOf = (id: string) => ['hashtag,tea', 'public', 'public:local'].map((stream) => `${stream} update ${id}`)
  assert.deepEqual(few, newsOf(german))
  assert.deepEqual(all, [...newsOf(english), ...newsOf(german)].toSorted())
})
