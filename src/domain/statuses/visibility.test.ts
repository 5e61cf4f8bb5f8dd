// Slow: compares random worlds with an oracle.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

// Each round is half an hour later, since nobody may delete more than thirty statuses in that time.
let rounds = 0
const world = await openWorld({ effects: false, now: () => new Date(Date.now() + rounds * 1_800_000) })
after(world.close)

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

interface Post {
  author: number
  visibility: (typeof VISIBILITIES)[number]
  mentioned: number[]
  localOnly: boolean
}

interface World {
  follows: [number, number][]
  blocks: [number, number][]
  posts: Post[]
}

const PEOPLE = 4
const person = fc.nat({ max: PEOPLE - 1 })
const pairs = fc.array(fc.tuple(person, person), { maxLength: 8 })
const worlds: fc.Arbitrary<World> = fc.record({
  follows: pairs,
  blocks: pairs,
  posts: fc.array(
    fc.record({
      author: person,
      visibility: fc.constantFrom(...VISIBILITIES),
      mentioned: fc.uniqueArray(person, { maxLength: 2 }),
      localOnly: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const has = (list: [number, number][], a: number, b: number) => list.some(([x, y]) => x === a && y === b && x !== y)

/** The rule as one would tell it, without SQL. `viewer` −1 = somebody unknown. */
function mayRead({ follows, blocks }: World, post: Post, viewer: number): boolean {
  if (viewer === post.author) return true
  if (viewer >= 0 && has(blocks, post.author, viewer)) return false
  if (post.localOnly && viewer < 0) return false
  if (post.visibility === 'public' || post.visibility === 'unlisted') return true
  if (viewer < 0) return false
  return (post.visibility === 'private' && has(follows, viewer, post.author)) || post.mentioned.includes(viewer)
}

async function build(facts: World, people: Person[]): Promise<string[]> {
  const { db } = world.ctx
  await db.deleteFrom('statuses').execute()
  await db.deleteFrom('follows').execute()
  await db.deleteFrom('blocks').execute()
  for (const [table, list] of [
    ['follows', facts.follows],
    ['blocks', facts.blocks],
  ] as const) {
    for (const [a, b] of list) {
      if (a === b) continue
      const values = { account_id: people[a]!.accountId, target_account_id: people[b]!.accountId }
      await db
        .insertInto(table)
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
  const ids: string[] = []
  for (const { author, visibility, mentioned, localOnly } of facts.posts) {
    const status = `words ${mentioned.map((i) => `@${people[i]!.username}`).join(' ')}`
    const body = { status, visibility, local_only: localOnly }
    const answer = await people[author]!.client.post('/api/v1/statuses', body)
    ids.push(answer.body.id)
  }
  return ids
}

/** Everything that can be done with the id of a status. All answer alike when it is hidden. */
const DEEDS: [method: 'GET' | 'POST' | 'DELETE', path: string, body?: object][] = [
  ['GET', '/api/v1/statuses/ID'],
  ['GET', '/api/v1/statuses/ID/context'],
  ['POST', '/api/v1/statuses/ID/favourite'],
  ['POST', '/api/v1/statuses/ID/unfavourite'],
  ['POST', '/api/v1/statuses/ID/reblog'],
  ['POST', '/api/v1/statuses/ID/unreblog'],
  ['DELETE', '/api/v1/statuses/ID'],
  ['POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: 'ID' }],
]

test('VI1 VI8 who may read what is the rule of its visibility, and a hidden status answers like an unknown one', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.createPerson()))
  const clients = [world.anonymous, ...people.map(({ client }) => client)]
  const check = async (facts: World) => {
    rounds += 1
    const ids = await build(facts, people)
    for (const [n, post] of facts.posts.entries()) {
      for (const [i, client] of clients.entries()) {
        const allowed = mayRead(facts, post, i - 1)
        const answer = await client.get(`/api/v1/statuses/${ids[n]}`)
        assert.equal(answer.status, allowed ? 200 : 404, JSON.stringify({ post, viewer: i - 1, facts }))
        if (allowed || i === 0) continue
        for (const [method, path, body] of DEEDS) {
          const send = (id: string) =>
            client.send({
              method,
              url: path.replace('ID', id),
              ...(body ? { payload: JSON.parse(JSON.stringify(body).replace('ID', id)) } : {}),
            })
          const [hidden, unknown] = [await send(ids[n]!), await send('4711')]
          assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body], `${method} ${path}`)
          assert.equal(hidden.status, 404)
        }
      }
    }
    await checkTimelines(facts, ids, people)
  }
  await fc.assert(fc.asyncProperty(worlds, check), { numRuns: 12, seed: 20261120 })
  await fc.assert(fc.asyncProperty(worlds, check), { numRuns: 6 })
})

/** The public timeline, and what each posted. */
async function checkTimelines(facts: World, ids: string[], people: Person[]): Promise<void> {
  for (const [i, client] of [world.anonymous, ...people.map((one) => one.client)].entries()) {
    const viewer = i - 1
    const expected = ids.filter((_id, n) => {
      const post = facts.posts[n]!
      return post.visibility === 'public' && mayRead(facts, post, viewer) && !has(facts.blocks, viewer, post.author)
    })
    const seen = await client.get<{ id: string }[]>('/api/v1/timelines/public')
    assert.deepEqual(seen.body.map(({ id }) => id).toReversed(), expected, JSON.stringify({ facts, viewer }))
    for (const [author, { accountId }] of people.entries()) {
      const theirs = ids.filter((_id, n) => {
        const post = facts.posts[n]!
        return post.author === author && mayRead(facts, post, viewer) && !has(facts.blocks, author, viewer)
      })
      const { body } = await client.get<{ id: string }[]>(`/api/v1/accounts/${accountId}/statuses`)
      assert.deepEqual(body.map(({ id }) => id).toReversed(), theirs, JSON.stringify({ facts, viewer, author }))
    }
  }
}

test('VI2 what is hidden in a thread is absent from it, and what hangs below it stays', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const root = (await alice.client.post('/api/v1/statuses', { status: 'root' })).body.id
  const secret = (
    await bob.client.post('/api/v1/statuses', {
      status: `@${alice.username} between us`,
      visibility: 'direct',
      in_reply_to_id: root,
    })
  ).body.id
  const open = (await alice.client.post('/api/v1/statuses', { status: 'for all', in_reply_to_id: secret })).body.id
  const ids = async (client: typeof alice.client, id: string) => {
    const { body } = await client.get(`/api/v1/statuses/${id}/context`)
    return [body.ancestors, body.descendants].map((list: { id: string }[]) => list.map((one) => one.id))
  }
  assert.deepEqual(await ids(carol.client, root), [[], [open]])
  assert.deepEqual(await ids(carol.client, open), [[root], []])
  assert.deepEqual(await ids(alice.client, open), [[root, secret], []])
})

test('VI7 only the author passes on what is for followers, nobody a direct status', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await world.ctx.db
    .insertInto('follows')
    .values({ account_id: bob.accountId, target_account_id: alice.accountId })
    .execute()
  const post = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: `@${bob.username} x`, visibility })).body.id as string
  const forFollowers = await post('private')
  const direct = await post('direct')
  assert.equal((await bob.client.get(`/api/v1/statuses/${forFollowers}`)).status, 200)
  assert.equal((await bob.client.post(`/api/v1/statuses/${forFollowers}/reblog`)).status, 404)
  assert.equal((await bob.client.post(`/api/v1/statuses/${direct}/reblog`)).status, 404)
  assert.equal((await alice.client.post(`/api/v1/statuses/${direct}/reblog`)).status, 404)
  const own = await alice.client.post(`/api/v1/statuses/${forFollowers}/reblog`, { visibility: 'public' })
  assert.deepEqual([own.status, own.body.visibility], [200, 'private'])
})

test('VI14 a boost by others does not show what its author hides from the viewer', async () => {
  const [author, booster, viewer] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const { body: original } = await author.client.post('/api/v1/statuses', { status: 'not for you' })
  const { body: boost } = await booster.client.post(`/api/v1/statuses/${original.id}/reblog`)
  assert.equal((await viewer.client.get(`/api/v1/statuses/${boost.id}`)).status, 200)
  await world.ctx.db
    .insertInto('blocks')
    .values({ account_id: author.accountId, target_account_id: viewer.accountId })
    .execute()
  const [hidden, unknown] = [
    await viewer.client.get(`/api/v1/statuses/${boost.id}`),
    await viewer.client.get('/api/v1/statuses/4711'),
  ]
  assert.deepEqual([hidden.status, hidden.body], [404, unknown.body])
})
