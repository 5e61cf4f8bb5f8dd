import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['fans.test'] })
const { testServer, peer, origin, uriOf, deliver } = fediverse
after(fediverse.close)

const PATH = '/api/v1/featured_tags'

interface Featured {
  id: string
  name: string
  url: string
  statuses_count: string
  last_status_at: string | null
}

const post = async (user: TestUser, status: string, more: object = {}) =>
  (await user.client.post('/api/v1/statuses', { status, ...more })).body
const feature = async (user: TestUser, name: string) => {
  const { status, body } = await user.client.post<Featured>(PATH, { name })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('FeaturedTag', body)
  return body
}
const readOwn = async (user: TestUser) => (await user.client.get<Featured[]>(PATH)).body
const featuredBy = async (user: { accountId: string }, client = testServer.anonymous) =>
  (await client.get<Featured[]>(`/api/v1/accounts/${user.accountId}/featured_tags`)).body
const today = () => new Date().toISOString().slice(0, 10)

test('a featured hashtag counts the public and unlisted posts of its owner', async () => {
  const [alice, bob] = [await testServer.createUser({ username: 'alice' }), await testServer.createUser()]
  await post(alice, '#Trees')
  await post(alice, '#trees', { visibility: 'unlisted' })
  for (const visibility of ['private', 'direct']) await post(alice, '#trees', { visibility })
  await post(bob, '#trees')
  const deleted = await post(alice, '#trees')
  await feature(alice, 'unused')
  const featured = await feature(alice, ' #TREES ')
  assert.deepEqual(
    [featured.name, featured.url, featured.statuses_count, featured.last_status_at],
    ['TREES', `${origin}/@alice/tagged/trees`, '3', today()],
  )
  await alice.client.delete(`/api/v1/statuses/${deleted.id}`)
  const expected = [
    ['TREES', '2', today()],
    ['unused', '0', null],
  ]
  for (const list of [await readOwn(alice), await featuredBy(alice), await featuredBy(alice, bob.client)]) {
    assert.deepEqual(
      list.map((tag) => [tag.name, tag.statuses_count, tag.last_status_at]),
      expected,
    )
  }
  assert.equal((await alice.client.get('/api/v1/tags/trees')).body.featuring, true)
  assert.equal((await bob.client.get('/api/v1/tags/trees')).body.featuring, false)
})

test('a hashtag is featured once, and at most ten are, also by concurrent requests', async () => {
  const carol = await testServer.createUser()
  const first = await feature(carol, 'one')
  assert.equal((await feature(carol, '#ONE')).id, first.id)
  const responses = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => carol.client.post(PATH, { name: `more${n}` })),
  )
  assert.deepEqual(
    [200, 422].map((status) => responses.filter((response) => response.status === status).length),
    [9, 6],
  )
  assert.match(responses.find((response) => response.status === 422)!.body.error, /^Validation failed: /)
  assert.equal((await carol.client.post('/api/v1/tags/eleventh/feature')).status, 422)
  assert.equal((await carol.client.post('/api/v1/tags/one/feature')).body.featuring, true)
  assert.equal((await readOwn(carol)).length, 10)
  assert.equal((await carol.client.post('/api/v1/tags/ONE/unfeature')).body.featuring, false)
  assert.equal((await readOwn(carol)).length, 9)
})

test('invalid hashtags are rejected, and only the owner can remove a featured hashtag', async () => {
  const [dora, eve] = [await testServer.createUser(), await testServer.createUser()]
  for (const name of ['a b', '123', '#', '-']) {
    assert.deepEqual([name, (await dora.client.post(PATH, { name })).status], [name, 422])
  }
  for (const body of [{}, { name: '' }, { name: null }, { name: [] }]) {
    assert.equal((await dora.client.post(PATH, body)).status, 400)
  }
  const { id } = await feature(dora, 'mine')
  for (const foreign of [id, '99999999', '-1', 'x']) {
    const response = await eve.client.delete(`${PATH}/${foreign}`)
    assert.deepEqual([response.status, response.body], [404, { error: 'Record not found' }])
  }
  const { status, body } = await dora.client.delete(`${PATH}/${id}`)
  assert.deepEqual([status, body], [200, {}])
  assert.equal((await dora.client.delete(`${PATH}/${id}`)).status, 404)
})

test('suggestions are hashtags that the user posts repeatedly and does not feature', async () => {
  const faye = await testServer.createUser()
  for (const text of ['#often #twice #once', '#often #twice #shown', '#often #shown']) await post(faye, text)
  await post(await testServer.createUser(), '#once')
  await feature(faye, 'shown')
  const { body } = await faye.client.get(`${PATH}/suggestions`)
  assert.deepEqual(
    body.map(({ name }: Featured) => name),
    ['often', 'twice'],
  )
  for (const tag of body) assertEntity('Tag', tag)
})

test('AC11 VI14 featured hashtags of hidden, suspended and blocking accounts are not shown', async () => {
  const [grace, hal] = [await testServer.createUser(), await testServer.createUser()]
  await feature(grace, 'secret')
  await grace.client.post(`/api/v1/accounts/${hal.accountId}/block`)
  assert.deepEqual(await featuredBy(grace, hal.client), [])
  assert.equal((await featuredBy(grace)).length, 1)
  const hidden = await testServer.createUser({ approved: false })
  const [hiddenResponse, unknownResponse] = await Promise.all(
    [hidden.accountId, '999999999'].map(async (id) => testServer.anonymous.get(`/api/v1/accounts/${id}/featured_tags`)),
  )
  assert.deepEqual([hiddenResponse!.status, hiddenResponse!.body], [404, unknownResponse!.body])
  await suspend(testServer.ctx, grace)
  assert.deepEqual(await featuredBy(grace), [])
})

test('ten featured hashtags run as many SQL statements as one', async () => {
  const [one, ten] = [await testServer.createUser(), await testServer.createUser()]
  await feature(one, 'single')
  for (let n = 0; n < 10; n += 1) await feature(ten, `ten${n}`)
  await testServer.waitForJobs()
  // The minimum of several runs: jobs of other tests use the same database.
  const cost = async (user: TestUser) => {
    const counts: number[] = []
    for (let n = 0; n < 5; n += 1) counts.push(await countQueries(async () => readOwn(user)))
    return Math.min(...counts)
  }
  await readOwn(one)
  assert.equal(await cost(ten), await cost(one))
})

test('featured hashtags are an ActivityPub collection, and remote followers receive each change', async () => {
  const fan = await peer.host('fans.test').createActor('fan')
  const iris = await testServer.createUser({ username: 'iris' })
  await deliver(fan, fan.activity('Follow', uriOf(iris)))
  const featured = await feature(iris, 'Fédération')
  await feature(iris, 'second')
  // A change that is reverted before its delivery is not delivered.
  await testServer.waitForJobs()
  await iris.client.delete(`${PATH}/${featured.id}`)
  await testServer.waitForJobs()

  const hashtag = { type: 'Hashtag', href: `${origin}/@iris/tagged/federation`, name: '#federation' }
  const target = `${uriOf(iris)}/collections/featured`
  const add = await fan.inbox.next(({ type, object }) => type === 'Add' && object.name === '#federation')
  assert.deepEqual([add.activity['actor'], add.activity['target']], [uriOf(iris), target])
  assert.deepEqual(add.activity['object'], hashtag)
  const remove = await fan.inbox.next(({ type }) => type === 'Remove')
  assert.deepEqual([remove.activity['object'], remove.activity['target']], [hashtag, target])
  assert.notEqual(remove.activity['id'], add.activity['id'])

  const path = `/ap/users/${iris.accountId}/collections/tags`
  const headers = { accept: 'application/activity+json' }
  const { status, body } = await testServer.anonymous.send({ method: 'GET', url: path, headers })
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.type, body.totalItems], [`${origin}${path}`, 'Collection', 1])
  assert.deepEqual(body.items, [{ type: 'Hashtag', href: `${origin}/@iris/tagged/second`, name: '#second' }])
  const actor = await testServer.anonymous.send({ method: 'GET', url: `/ap/users/${iris.accountId}`, headers })
  assert.equal(actor.body.featuredTags, body.id)
})

test('the history of a hashtag counts public remote posts of the last week on their days', async () => {
  const poet = await peer.host('fans.test').createActor('poet')
  const reader = await testServer.createUser()
  await fediverse.followEachOther(reader, poet)
  const tag = [{ type: 'Hashtag', name: '#Distant', href: 'https://fans.test/tags/distant' }]
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const followersOnly = { to: [poet.followersUrl], cc: [] }
  for (const more of [{}, { published: ago(2) }, { published: ago(20) }, followersOnly]) {
    await deliver(poet, poet.activity('Create', poet.note({ tag, ...more })))
  }
  const { body } = await reader.client.get('/api/v1/tags/distant')
  assert.deepEqual(
    [body.name, ...body.history.map(({ uses }: { uses: string }) => uses)],
    ['Distant', '1', '0', '1', '0', '0', '0', '0'],
  )
})
