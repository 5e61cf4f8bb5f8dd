import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../test/count-queries.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import type { Person } from '../../../../test/world.ts'

const fediverse = await openFediverse({ hosts: ['fans.test'] })
const { world, peer, origin, uriOf, deliver } = fediverse
after(fediverse.close)
const { db } = world.ctx

const PATH = '/api/v1/featured_tags'

interface Featured {
  id: string
  name: string
  url: string
  statuses_count: string
  last_status_at: string | null
}

const post = async (person: Person, status: string, more: object = {}) =>
  (await person.client.post('/api/v1/statuses', { status, ...more })).body
const feature = async (person: Person, name: string) => {
  const { status, body } = await person.client.post<Featured>(PATH, { name })
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('FeaturedTag', body)
  return body
}
const own = async (person: Person) => (await person.client.get<Featured[]>(PATH)).body
const featuredBy = async (person: { accountId: string }, client = world.anonymous) =>
  (await client.get<Featured[]>(`/api/v1/accounts/${person.accountId}/featured_tags`)).body
const day = () => new Date().toISOString().slice(0, 10)

test('a featured hashtag counts what its owner posted with it for everybody, and nothing else', async () => {
  const [alice, bob] = [await world.createPerson({ username: 'alice' }), await world.createPerson()]
  await post(alice, '#Trees')
  await post(alice, '#trees', { visibility: 'unlisted' })
  for (const visibility of ['private', 'direct']) await post(alice, '#trees', { visibility })
  await post(bob, '#trees')
  const gone = await post(alice, '#trees')
  await feature(alice, 'unused')
  const featured = await feature(alice, ' #TREES ')
  assert.deepEqual(
    [featured.name, featured.url, featured.statuses_count, featured.last_status_at],
    ['TREES', `${origin}/@alice/tagged/trees`, '3', day()],
  )
  await alice.client.delete(`/api/v1/statuses/${gone.id}`)
  const expected = [
    ['TREES', '2', day()],
    ['unused', '0', null],
  ]
  for (const list of [await own(alice), await featuredBy(alice), await featuredBy(alice, bob.client)]) {
    assert.deepEqual(
      list.map((one) => [one.name, one.statuses_count, one.last_status_at]),
      expected,
    )
  }
  assert.equal((await alice.client.get('/api/v1/tags/trees')).body.featuring, true)
  assert.equal((await bob.client.get('/api/v1/tags/trees')).body.featuring, false)
})

test('a hashtag is featured once; ten of them are, also when many are asked for at once', async () => {
  const carol = await world.createPerson()
  const first = await feature(carol, 'one')
  assert.equal((await feature(carol, '#ONE')).id, first.id)
  const answers = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => carol.client.post(PATH, { name: `more${n}` })),
  )
  assert.deepEqual(
    [200, 422].map((status) => answers.filter((one) => one.status === status).length),
    [9, 6],
  )
  assert.match(answers.find((one) => one.status === 422)!.body.error, /^Validation failed: /)
  assert.equal((await carol.client.post('/api/v1/tags/eleventh/feature')).status, 422)
  assert.equal((await carol.client.post('/api/v1/tags/one/feature')).body.featuring, true)
  assert.equal((await own(carol)).length, 10)
  assert.equal((await carol.client.post('/api/v1/tags/ONE/unfeature')).body.featuring, false)
  assert.equal((await own(carol)).length, 9)
})

test('what is no hashtag is not featured, and nobody takes down what is on another’s profile', async () => {
  const [dora, eve] = [await world.createPerson(), await world.createPerson()]
  for (const name of ['a b', '123', '#', '-']) {
    assert.deepEqual([name, (await dora.client.post(PATH, { name })).status], [name, 422])
  }
  for (const body of [{}, { name: '' }, { name: null }, { name: [] }]) {
    assert.equal((await dora.client.post(PATH, body)).status, 400)
  }
  const { id } = await feature(dora, 'mine')
  for (const wrong of [id, '99999999', '-1', 'x']) {
    const answer = await eve.client.delete(`${PATH}/${wrong}`)
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Record not found' }])
  }
  const { status, body } = await dora.client.delete(`${PATH}/${id}`)
  assert.deepEqual([status, body], [200, {}])
  assert.equal((await dora.client.delete(`${PATH}/${id}`)).status, 404)
})

test('hashtags are suggested that somebody uses again and again and does not feature', async () => {
  const faye = await world.createPerson()
  for (const text of ['#often #twice #once', '#often #twice #shown', '#often #shown']) await post(faye, text)
  await post(await world.createPerson(), '#once')
  await feature(faye, 'shown')
  const { body } = await faye.client.get(`${PATH}/suggestions`)
  assert.deepEqual(
    body.map(({ name }: Featured) => name),
    ['often', 'twice'],
  )
  for (const tag of body) assertOnWire('Tag', tag)
})

test('AC11 VI14 featured hashtags of somebody hidden, suspended, or who blocks the viewer are not shown', async () => {
  const [grace, hal] = [await world.createPerson(), await world.createPerson()]
  await feature(grace, 'secret')
  await grace.client.post(`/api/v1/accounts/${hal.accountId}/block`)
  assert.deepEqual(await featuredBy(grace, hal.client), [])
  assert.equal((await featuredBy(grace)).length, 1)
  const hidden = await world.createPerson({ approved: false })
  const [theirs, nobodys] = await Promise.all(
    [hidden.accountId, '999999999'].map(async (id) => world.anonymous.get(`/api/v1/accounts/${id}/featured_tags`)),
  )
  assert.deepEqual([theirs!.status, theirs!.body], [404, nobodys!.body])
  await sql`update accounts set suspended_at = now(), version = version + 1 where id = ${grace.accountId}`.execute(db)
  assert.deepEqual(await featuredBy(grace), [])
})

test('a page of featured hashtags costs the same for ten as for one', async () => {
  const [one, ten] = [await world.createPerson(), await world.createPerson()]
  await feature(one, 'single')
  for (let n = 0; n < 10; n += 1) await feature(ten, `ten${n}`)
  await world.settle()
  // The least of several: jobs of other tests ask the same database now and then.
  const cost = async (person: Person) => {
    const counts: number[] = []
    for (let n = 0; n < 5; n += 1) counts.push(await countQueries(async () => own(person)))
    return Math.min(...counts)
  }
  await own(one)
  assert.equal(await cost(ten), await cost(one))
})

test('other servers see featured hashtags in a collection, and followers there hear of each change', async () => {
  const fan = await peer.host('fans.test').createActor('fan')
  const iris = await world.createPerson({ username: 'iris' })
  await deliver(fan, fan.activity('Follow', uriOf(iris)))
  const featured = await feature(iris, 'Fédération')
  await feature(iris, 'second')
  // What is over before others were told of it is told to nobody.
  await world.settle()
  await iris.client.delete(`${PATH}/${featured.id}`)
  await world.settle()

  const hashtag = { type: 'Hashtag', href: `${origin}/@iris/tagged/federation`, name: '#federation' }
  const target = `${uriOf(iris)}/collections/featured`
  const add = await fan.inbox.next(({ type, object }) => type === 'Add' && object.name === '#federation')
  assert.deepEqual([add.activity['actor'], add.activity['target']], [uriOf(iris), target])
  assert.deepEqual(add.activity['object'], hashtag)
  const remove = await fan.inbox.next(({ type }) => type === 'Remove')
  assert.deepEqual([remove.activity['object'], remove.activity['target']], [hashtag, target])
  assert.notEqual(remove.activity['id'], add.activity['id'])

  const address = `/ap/users/${iris.accountId}/collections/tags`
  const headers = { accept: 'application/activity+json' }
  const { status, body } = await world.anonymous.send({ method: 'GET', url: address, headers })
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.type, body.totalItems], [`${origin}${address}`, 'Collection', 1])
  assert.deepEqual(body.items, [{ type: 'Hashtag', href: `${origin}/@iris/tagged/second`, name: '#second' }])
  const actor = await world.anonymous.send({ method: 'GET', url: `/ap/users/${iris.accountId}`, headers })
  assert.equal(actor.body.featuredTags, body.id)
})

test('a hashtag is counted when somebody elsewhere uses it in public, on the day of their post and for a week', async () => {
  const poet = await peer.host('fans.test').createActor('poet')
  const reader = await world.createPerson()
  await fediverse.befriend(reader, poet)
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
