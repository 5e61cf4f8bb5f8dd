// Slow: replays random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { countQueries } from './performance/count-queries.ts'
import { eventually } from './servers/linnet-process.ts'
import { disableRateLimits, openUncachedServer } from './servers/uncached-server.ts'
import { ACTIONS, RandomActivity } from './oracles/random-activity.ts'
import type { RandomAction } from './oracles/random-activity.ts'
import { postPoll } from './features/polls.ts'
import { openTestServer } from './servers/test-server.ts'

const testServer = await openTestServer()
const uncachedServer = await openUncachedServer(testServer)
after(async () => {
  await uncachedServer.close()
  await testServer.close()
})
disableRateLimits(testServer)
await sql`insert into custom_emojis (shortcode, image_key) values ('blob', 'blob.png')`.execute(testServer.ctx.db)

const USERS = 3
const user = fc.nat({ max: USERS - 1 })
const WRITING = [
  'post',
  'post to followers',
  'mention',
  'mention a remote account',
  'reply',
  'quote',
  'post a poll',
  'reblog',
  'receive a remote status',
]
const INTERACTING = [
  'favourite',
  'bookmark',
  'vote',
  'follow',
  'follow a remote account',
  'edit',
  'change a quote policy',
  'rename the remote account',
]
const HIDING = [
  'unfollow',
  'remove a follower',
  'mute',
  'block',
  'block a domain',
  'suspend',
  'delete',
  'delete mentions',
]

const actionOf = (names: readonly string[]): fc.Arbitrary<RandomAction> =>
  fc.record({
    name: fc.constantFrom(...names),
    from: user,
    to: user,
    // Recent statuses are read, reblogged and deleted most.
    pick: fc.nat({ max: 11 }),
    onOtherServer: fc.boolean(),
  })
const some = actionOf([...WRITING, ...INTERACTING, ...HIDING, ...Object.keys(ACTIONS)]).map((action) => [action])
// A user posts, another one blocks or hides that user, and a late effect still adds the post to the feed.
const lateEntry = fc
  .tuple(actionOf(WRITING), actionOf(HIDING), actionOf(['fill all feeds']))
  .map(([writing, hiding, filling]) => [{ ...writing, from: hiding.to, to: hiding.from }, hiding, filling])
const actions = fc
  .array(fc.oneof({ weight: 6, arbitrary: some }, { weight: 1, arbitrary: lateEntry }), {
    minLength: 40,
    maxLength: 40,
  })
  .map((parts) => parts.flat())
const beginning: RandomAction[] = Array.from({ length: USERS * USERS }, (_, n) => ({
  name: n % (USERS + 1) === 0 ? 'post' : 'follow',
  from: Math.floor(n / USERS),
  to: n % USERS,
  pick: 0,
  onOtherServer: false,
}))

interface Page {
  token: string | undefined
  url: string
}

function pagesOf({ users, statuses, remoteAccountId }: RandomActivity, { from, to, pick }: RandomAction): Page[] {
  const list = (ids: string[]) => ids.map((id) => `id[]=${id}`).join('&')
  const newest = statuses.slice(-20).map(({ id }) => id)
  const accounts = [...users.map(({ accountId }) => accountId), remoteAccountId]
  const context = newest.at(-1 - (pick % (newest.length || 1)))
  const some = [
    `/api/v1/accounts?${list(accounts)}`,
    `/api/v1/accounts/${users[to]!.accountId}/statuses?limit=40`,
    ...(context === undefined ? [] : [`/api/v1/statuses/${context}/context`]),
  ]
  const all = `/api/v1/statuses?${list(newest)}`
  const of = (n: number, ...urls: string[]) => urls.map((url) => ({ token: users[n]!.tokens.at(-1), url }))
  return [
    ...[all, ...some].map((url) => ({ token: undefined, url })),
    ...users.flatMap(({ listId }, n) =>
      of(
        n,
        all,
        '/api/v1/timelines/home?limit=40',
        `/api/v1/timelines/list/${listId}?limit=40`,
        '/api/v1/notifications?limit=40',
      ),
    ),
    ...of(from, ...some),
    // Revoked tokens remain invalid.
    ...users.flatMap(({ tokens }) =>
      tokens.slice(-2, -1).map((token) => ({ token, url: '/api/v1/accounts/verify_credentials' })),
    ),
  ]
}

const read = (server: FastifyInstance, pages: Page[]) =>
  Promise.all(
    pages.map(async ({ token, url }) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const { statusCode, body } = await server.inject({ url, headers })
      return `${statusCode} ${body}`
    }),
  )

const describeAction = ({ name, from, to, pick }: RandomAction) => `${name} (${from} → ${to}, ${pick})`

test('after each action every page equals that of an uncached server, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (history) => {
      const activity = await RandomActivity.open({ testServer, otherServer: uncachedServer }, { size: USERS })
      const done: string[] = []
      let pages: Page[] = []
      for (const action of [...beginning, ...history]) {
        // Concurrent requests may cache what they read, but later ones must not use entries from before the action.
        await Promise.all([activity.perform(action), read(testServer.server, pages)])
        done.push(describeAction(action))
        if (done.length < beginning.length) continue
        pages = pagesOf(activity, action)
        uncachedServer.clearCaches()
        const cached = await read(testServer.server, pages)
        const fresh = await read(uncachedServer.server, pages)
        const stale = pages.findIndex((_, n) => cached[n] !== fresh[n])
        const { token, url } = pages[stale] ?? {}
        const viewer = activity.users.findIndex(({ tokens }) => tokens.includes(token ?? ''))
        assert.equal(cached[stale], fresh[stale], `${url} as ${viewer} sees it after ${done.slice(-6).join(', ')}`)
      }
    }),
    // A history takes seconds, so a failing one is reported without shrinking.
    { numRuns: 4, endOnFailure: true },
  )
})

test('a server with empty caches queries the database again, and one with filled caches does not', async () => {
  const { token } = await testServer.createUser()
  const page = [{ token, url: '/api/v1/timelines/home' }]
  const countReadQueries = (server: FastifyInstance) => countQueries(() => read(server, page))
  // The first request also records the user's activity.
  for (let n = 0; n < 2; n += 1) await countReadQueries(uncachedServer.server)
  const warm = await countReadQueries(uncachedServer.server)
  uncachedServer.clearCaches()
  assert.ok((await countReadQueries(uncachedServer.server)) > warm)
})

test('cached pages respect the end of a poll and of a mute', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const { id, poll } = await postPoll(author)
  await testServer.waitForJobs()
  const home = async () => (await reader.client.get('/api/v1/timelines/home')).body
  assert.equal((await home())[0].poll.expired, false)
  const soon = sql`clock_timestamp() + interval '200 milliseconds'`
  await sql`update polls set expires_at = ${soon} where id = ${poll.id}`.execute(testServer.ctx.db)
  await eventually(async () => assert.equal((await home())[0].poll.expired, true))

  await reader.client.post(`/api/v1/accounts/${author.accountId}/mute`, { duration: 3_600 })
  await testServer.waitForJobs()
  await sql`insert into feed_entries (account_id, status_id, original_id) values (${reader.accountId}, ${id}, ${id})
    on conflict do nothing`.execute(testServer.ctx.db)
  assert.deepEqual(await home(), [])
  await sql`update mutes set expires_at = ${soon} where account_id = ${reader.accountId}`.execute(testServer.ctx.db)
  await eventually(async () => assert.equal((await home()).length, 1))
})
