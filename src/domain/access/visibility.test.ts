// Slow: compares random relationships and statuses with a model.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

// Each round is half an hour later, because of the rate limit for deleting statuses: 30 in 30 minutes.
let rounds = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + rounds * 1_800_000) })
after(testServer.close)

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

interface Post {
  author: number
  visibility: (typeof VISIBILITIES)[number]
  mentioned: number[]
  localOnly: boolean
}

interface Scenario {
  follows: [number, number][]
  blocks: [number, number][]
  posts: Post[]
}

const USER_COUNT = 4
const userIndex = fc.nat({ max: USER_COUNT - 1 })
const pairs = fc.array(fc.tuple(userIndex, userIndex), { maxLength: 8 })
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  follows: pairs,
  blocks: pairs,
  posts: fc.array(
    fc.record({
      author: userIndex,
      visibility: fc.constantFrom(...VISIBILITIES),
      mentioned: fc.uniqueArray(userIndex, { maxLength: 2 }),
      localOnly: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const has = (list: [number, number][], a: number, b: number) => list.some(([x, y]) => x === a && y === b && x !== y)

/** The rules of visibility without SQL. `viewer` −1 = anonymous. */
function mayRead({ follows, blocks }: Scenario, post: Post, viewer: number): boolean {
  if (viewer === post.author) return true
  if (viewer >= 0 && has(blocks, post.author, viewer)) return false
  if (post.localOnly && viewer < 0) return false
  if (post.visibility === 'public' || post.visibility === 'unlisted') return true
  if (viewer < 0) return false
  return (post.visibility === 'private' && has(follows, viewer, post.author)) || post.mentioned.includes(viewer)
}

async function createScenario(scenario: Scenario, users: TestUser[]): Promise<string[]> {
  const { db } = testServer.ctx
  await db.deleteFrom('statuses').execute()
  await db.deleteFrom('follows').execute()
  await db.deleteFrom('blocks').execute()
  for (const [table, list] of [
    ['follows', scenario.follows],
    ['blocks', scenario.blocks],
  ] as const) {
    for (const [a, b] of list) {
      if (a === b) continue
      const values = { account_id: users[a]!.accountId, target_account_id: users[b]!.accountId }
      await db
        .insertInto(table)
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
  const ids: string[] = []
  for (const { author, visibility, mentioned, localOnly } of scenario.posts) {
    const status = `text ${mentioned.map((i) => `@${users[i]!.username}`).join(' ')}`
    const body = { status, visibility, local_only: localOnly }
    const response = await users[author]!.client.post('/api/v1/statuses', body)
    ids.push(response.body.id)
  }
  return ids
}

/**
 * The requests with the id of a status. All of them get the same response for a hidden status as for an unknown one.
 */
const STATUS_REQUESTS: [method: 'GET' | 'POST' | 'DELETE', path: string, body?: object][] = [
  ['GET', '/api/v1/statuses/ID'],
  ['GET', '/api/v1/statuses/ID/context'],
  ['POST', '/api/v1/statuses/ID/favourite'],
  ['POST', '/api/v1/statuses/ID/unfavourite'],
  ['POST', '/api/v1/statuses/ID/reblog'],
  ['POST', '/api/v1/statuses/ID/unreblog'],
  ['DELETE', '/api/v1/statuses/ID'],
  ['POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: 'ID' }],
]

test('VI1 VI8 visibility decides who can read a status; a hidden one gets the responses of an unknown id', async () => {
  const users = await Promise.all(Array.from({ length: USER_COUNT }, () => testServer.createUser()))
  const clients = [testServer.anonymous, ...users.map(({ client }) => client)]
  const check = async (scenario: Scenario) => {
    rounds += 1
    const ids = await createScenario(scenario, users)
    for (const [n, post] of scenario.posts.entries()) {
      for (const [i, client] of clients.entries()) {
        const allowed = mayRead(scenario, post, i - 1)
        const response = await client.get(`/api/v1/statuses/${ids[n]}`)
        assert.equal(response.status, allowed ? 200 : 404, JSON.stringify({ post, viewer: i - 1, scenario }))
        if (allowed || i === 0) continue
        for (const [method, path, body] of STATUS_REQUESTS) {
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
    await checkTimelines(scenario, ids, users)
    await checkSelections(scenario, ids, users)
  }
  await fc.assert(fc.asyncProperty(scenarios, check), { numRuns: 12, seed: 20261120 })
  await fc.assert(fc.asyncProperty(scenarios, check), { numRuns: 6 })
})

/** Checks requests for several statuses by their ids, first without and then with cached answers. */
async function checkSelections(scenario: Scenario, ids: string[], users: TestUser[]): Promise<void> {
  const path = `/api/v1/statuses?${ids.map((id) => `id[]=${id}`).join('&')}`
  for (const [i, client] of [testServer.anonymous, ...users.map(({ client }) => client)].entries()) {
    const expected = ids.filter((_id, n) => mayRead(scenario, scenario.posts[n]!, i - 1))
    for (let count = 0; count < 2; count += 1) {
      const { body } = await client.get<{ id: string }[]>(path)
      assert.deepEqual(
        body.map(({ id }) => id),
        expected,
        JSON.stringify({ scenario, viewer: i - 1, count }),
      )
    }
  }
}

/** Checks the public timeline and the statuses of each account. */
async function checkTimelines(scenario: Scenario, ids: string[], users: TestUser[]): Promise<void> {
  for (const [i, client] of [testServer.anonymous, ...users.map(({ client }) => client)].entries()) {
    const viewer = i - 1
    const expected = ids.filter((_id, n) => {
      const post = scenario.posts[n]!
      return (
        post.visibility === 'public' && mayRead(scenario, post, viewer) && !has(scenario.blocks, viewer, post.author)
      )
    })
    const timeline = await client.get<{ id: string }[]>('/api/v1/timelines/public')
    assert.deepEqual(timeline.body.map(({ id }) => id).toReversed(), expected, JSON.stringify({ scenario, viewer }))
    for (const [author, { accountId }] of users.entries()) {
      const expectedOfAuthor = ids.filter((_id, n) => {
        const post = scenario.posts[n]!
        return post.author === author && mayRead(scenario, post, viewer) && !has(scenario.blocks, author, viewer)
      })
      const { body } = await client.get<{ id: string }[]>(`/api/v1/accounts/${accountId}/statuses`)
      assert.deepEqual(
        body.map(({ id }) => id).toReversed(),
        expectedOfAuthor,
        JSON.stringify({ scenario, viewer, author }),
      )
    }
  }
}

test('VI2 a hidden status is absent from its thread, and visible replies below it stay', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const root = (await alice.client.post('/api/v1/statuses', { status: 'root' })).body.id
  const secret = (
    await bob.client.post('/api/v1/statuses', {
      status: `@${alice.username} direct`,
      visibility: 'direct',
      in_reply_to_id: root,
    })
  ).body.id
  const reply = (await alice.client.post('/api/v1/statuses', { status: 'public', in_reply_to_id: secret })).body.id
  const ids = async (client: typeof alice.client, id: string) => {
    const { body } = await client.get(`/api/v1/statuses/${id}/context`)
    return [body.ancestors, body.descendants].map((list: { id: string }[]) => list.map((status) => status.id))
  }
  assert.deepEqual(await ids(carol.client, root), [[], [reply]])
  assert.deepEqual(await ids(carol.client, reply), [[root], []])
  assert.deepEqual(await ids(alice.client, reply), [[root, secret], []])
})

test('VI7 only the author can reblog a followers-only status, and nobody a direct one', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await testServer.ctx.db
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

test('VI14 a reblog does not reveal a status to a viewer whom its author blocks', async () => {
  const [author, reblogger, viewer] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { body: original } = await author.client.post('/api/v1/statuses', { status: 'not for you' })
  const { body: reblog } = await reblogger.client.post(`/api/v1/statuses/${original.id}/reblog`)
  assert.equal((await viewer.client.get(`/api/v1/statuses/${reblog.id}`)).status, 200)
  await testServer.ctx.db
    .insertInto('blocks')
    .values({ account_id: author.accountId, target_account_id: viewer.accountId })
    .execute()
  const [hidden, unknown] = [
    await viewer.client.get(`/api/v1/statuses/${reblog.id}`),
    await viewer.client.get('/api/v1/statuses/4711'),
  ]
  assert.deepEqual([hidden.status, hidden.body], [404, unknown.body])
  const both = `/api/v1/statuses?id[]=${original.id}&id[]=${reblog.id}`
  assert.deepEqual((await viewer.client.get(both)).body, [])
  assert.equal((await reblogger.client.get(both)).body.length, 2)
})
