// Slow: reaches every throttle.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../../../test/http/browser.ts'
import type { ClientResponse } from '../../../../test/http/client.ts'
import { createSessions, createTokens, uniqueAddress } from '../../../../test/http/more-clients.ts'
import { createAccountsWithAvatars } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { hashSecret, generateSecret } from '../../../lib/secrets.ts'
import type { Throttle } from '../../../platform/rate-limit/rate-limiter.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import { THROTTLES } from './throttles.ts'
import type { ThrottleKey } from './throttles.ts'

/** Ten seconds after the start of windows of all lengths. */
const START = new Date('2026-11-05T00:00:10Z')
let now = START
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)
beforeEach(() => {
  now = START
})
const later = (seconds: number) => new Date(START.getTime() + seconds * 1_000)

interface Sender {
  token?: string | undefined
  /** The session of a browser. */
  sessionId?: string | undefined
  ip?: string | undefined
}

function send(url: string, sender: Sender, options: InjectOptions = {}): Promise<ClientResponse> {
  const { token, sessionId, ip = uniqueAddress() } = sender
  const headers = {
    'x-forwarded-for': ip,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(sessionId ? { cookie: `__Host-linnet-session=${sessionId}` } : {}),
    ...options.headers,
  }
  return testServer.anonymous.send({ method: 'GET', url, ...options, headers })
}

const moreTokens = ({ userId }: TestUser, count: number) => createTokens(testServer.ctx, { userId, count })
const moreSessions = ({ userId }: TestUser, count: number) => createSessions(testServer.ctx, { userId, count })

/** Sends requests up to the limit, which must succeed, and then one that must be refused. Returns the last response. */
async function reach(
  throttle: Throttle,
  request: (i: number) => Promise<ClientResponse>,
  { done = 0 }: { done?: number } = {},
): Promise<ClientResponse> {
  for (let count = done; count < throttle.limit;) {
    const batch = Math.min(25, throttle.limit - count)
    const responses = await Promise.all(Array.from({ length: batch }, async (_, i) => request(count + i)))
    for (const { status } of responses) assert.notEqual(status, 429, `${throttle.name}: refused among ${count + batch}`)
    count += batch
  }
  const last = await request(throttle.limit)
  const resetsAt = new Date(
    (Math.floor(now.getTime() / 1000 / throttle.windowSeconds) + 1) * throttle.windowSeconds * 1000,
  )
  assert.deepEqual(
    {
      status: last.status,
      limit: last.headers['x-ratelimit-limit'],
      remaining: last.headers['x-ratelimit-remaining'],
      reset: last.headers['x-ratelimit-reset'],
      retryAfter: last.headers['retry-after'],
    },
    {
      status: 429,
      limit: String(throttle.limit),
      remaining: '0',
      reset: resetsAt.toISOString().replace('.000Z', '.000000Z'),
      retryAfter: String(Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)),
    },
    throttle.name,
  )
  return last
}

const HOME = '/api/v1/timelines/home'
/** A cheap route that every token may call. */
const CHEAP = '/api/v1/emails/check_confirmation'

test('BI19 a token has 300 requests per five minutes, from all addresses together', async () => {
  const alice = await testServer.createUser()
  const refused = await reach(THROTTLES.apiToken, () => send(CHEAP, { token: alice.token }))
  assert.deepEqual(refused.body, { error: 'Too many requests' })
  const [other] = await moreTokens(alice, 1)
  assert.equal((await send(CHEAP, { token: other })).status, 200)
  now = later(289.999)
  const last = await send(CHEAP, { token: alice.token })
  assert.deepEqual([last.status, last.headers['retry-after']], [429, '1'])
  now = later(290)
  const again = await send(CHEAP, { token: alice.token })
  assert.equal(again.status, 200)
  assert.equal(again.headers['x-ratelimit-remaining'], '299')
  assert.equal(again.headers['x-ratelimit-reset'], '2026-11-05T00:10:00.000000Z')
})

test('BI19 a user has 1,500 requests per five minutes, with all tokens together', async () => {
  const alice = await testServer.createUser()
  const tokens = await moreTokens(alice, 8)
  await reach(THROTTLES.apiAccount, (i) => send(CHEAP, { token: tokens[i % tokens.length] }))
  assert.equal((await (await testServer.createUser()).client.get(CHEAP)).status, 200)
})

test('BI19 an address has 300 requests without a token, with an invalid one, or with one of an app', async () => {
  const ip = uniqueAddress()
  const appToken = generateSecret()
  await testServer.ctx.db
    .insertInto('access_tokens')
    .values({ token_hash: hashSecret(appToken), scopes: ['read'] })
    .execute()
  const senders: Sender[] = [{ ip }, { ip, token: 'garbage' }, { ip, token: appToken }]
  await reach(THROTTLES.apiAnonymous, (i) => send(HOME, senders[i % 3]!))
  assert.equal((await send(HOME, {})).status, 401)
  const alice = await testServer.createUser()
  assert.equal((await send(HOME, { ip, token: alice.token })).status, 200)
})

test('BI19 IPv6 addresses are counted by their /64 network, and IPv4-mapped ones as IPv4', async () => {
  const remaining = async (ip: string) => Number((await send(HOME, { ip })).headers['x-ratelimit-remaining'])
  const first = await remaining('2001:db8:1:2::1')
  assert.equal(await remaining('2001:db8:1:2:ffff:ffff:ffff:ffff'), first - 1)
  assert.equal(await remaining('2001:0db8:0001:0002::3'), first - 2)
  assert.equal(await remaining('2001:db8:1:3::1'), first)
  const plain = await remaining('203.250.0.1')
  assert.equal(await remaining('::ffff:203.250.0.1'), plain - 1)
  assert.equal(networkPrefixOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkPrefixOf('2001:db8::1'), '2001:db8:0:0')
  assert.equal(networkPrefixOf('no address'), 'no address')
})

test('BI19 a user or an address has 300 paged requests per quarter of an hour, for all cursors', async () => {
  const alice = await testServer.createUser()
  const tokens = await moreTokens(alice, 2)
  const names = ['max_id', 'min_id', 'since_id', 'page']
  await reach(THROTTLES.paging, (i) => send(`${HOME}?limit=0&${names[i % 4]}=1`, { token: tokens[i % 2] }))
  const [fresh] = await moreTokens(alice, 1)
  assert.equal((await send(HOME, { token: fresh })).status, 200)
  assert.equal((await send(`${HOME}?min_id[]=1`, { token: fresh })).status, 429)

  // Also with a cursor in a body, which is merged into the query of a GET.
  assert.equal((await send(HOME, { token: fresh }, { payload: { max_id: '1' } })).status, 429)
  assert.equal((await send(HOME, { token: fresh }, { payload: { limit: 1 } })).status, 200)

  const ip = uniqueAddress()
  for (let i = 0; i < 150; i += 1) await send(`${HOME}?max_id=1`, { ip })
  now = later(300)
  await reach(THROTTLES.paging, () => send(`${HOME}?max_id=1`, { ip }), { done: 150 })
  assert.equal((await send(HOME, { ip })).status, 401)
})

/** Returns the throttles of the route policies with their keys, and the routes of each. */
function throttlesOfPolicies(): { throttle: Throttle; by: ThrottleKey; keys: string[] }[] {
  const found = new Map<string, { throttle: Throttle; by: ThrottleKey; keys: string[] }>()
  for (const [key, { throttles }] of Object.entries(ROUTE_POLICIES)) {
    for (const { throttle, by } of throttles) {
      const id = `${throttle.name} ${by}`
      const known = found.get(id) ?? { throttle, by, keys: [] }
      found.set(id, { ...known, keys: [...known.keys, key] })
    }
  }
  return [...found.values()]
}

test('BI19 every throttle of the route policies counts all of its routes together', async () => {
  const users = await Promise.all(Array.from({ length: 40 }, async () => testServer.createUser()))
  for (const { throttle, by, keys } of throttlesOfPolicies()) {
    const alice = await testServer.createUser()
    const tokens = await moreTokens(alice, 2)
    const sessions = await moreSessions(alice, 2)
    const ip = uniqueAddress()
    const request = (i: number) => {
      const [method, path] = keys[i % keys.length]!.split(' ') as ['GET', string]
      const url = path.replace(/:\w+|\*/g, '1')
      // By address: a different user each time. By user: a different address each time, with alternating tokens.
      const one = { token: tokens[i % 2], sessionId: sessions[i % 2] }
      const sender = by === 'ip' ? { ip, token: users[i % users.length]!.token } : one
      return send(url, sender, { method })
    }
    await reach(throttle, request)
    for (const i of keys.keys())
      assert.equal((await request(i)).status, 429, `${keys[i]} is not counted by ${throttle.name}`)
    const other = by === 'ip' ? { token: alice.token } : { token: users[0]!.token }
    const [method, path] = keys[0]!.split(' ') as ['GET', string]
    assert.notEqual((await send(path.replace(/:\w+|\*/g, '1'), other, { method })).status, 429, throttle.name)
  }
})

/** Returns requests of one user to one route, with two alternating tokens. */
async function byTokens(
  path: string,
  payloadOf: (i: number) => object,
): Promise<(i: number) => Promise<ClientResponse>> {
  const tokens = await moreTokens(await testServer.createUser(), 2)
  return (i) => send(path, { token: tokens[i % 2] }, { method: 'POST', payload: payloadOf(i) })
}

/** Returns submissions of a form, each from a different IP address, with one e-mail address in two spellings. */
async function byForm(
  at: string,
  path: string,
  fieldsOf: (email: string) => Record<string, string>,
): Promise<(i: number) => Promise<ClientResponse>> {
  const browser = createBrowser(testServer.server)
  const page = await browser.get(at, { 'x-forwarded-for': uniqueAddress() })
  return async (i) => {
    const fields = fieldsOf(i % 2 ? 'Nobody@Mail.test ' : 'nobody@mail.test')
    const visit = await browser.submit(page, path, fields, { 'x-forwarded-for': uniqueAddress() })
    return { status: visit.status, headers: visit.headers as ClientResponse['headers'], body: visit.text }
  }
}

/** Throttles that are counted by the action itself, each with a request that performs it. */
const ACTIONS: Record<string, () => Promise<(i: number) => Promise<ClientResponse>>> = {
  async statuses() {
    return byTokens('/api/v1/statuses', (i) => ({ status: `${i}` }))
  },
  async follows() {
    const bob = await testServer.createUser()
    return byTokens(`/api/v1/accounts/${bob.accountId}/follow`, () => ({}))
  },
  async reports() {
    const bob = await testServer.createUser()
    return byTokens('/api/v1/reports', () => ({ account_id: bob.accountId }))
  },
  async 'remote-files'() {
    const ids = await createAccountsWithAvatars(testServer.ctx, { count: THROTTLES.remoteFiles.limit + 1 })
    const ip = uniqueAddress()
    return (i) => send(`/media_proxy/accounts/${ids[i]}/avatar`, { ip })
  },
  async 'password-mail'() {
    return byForm('/auth/password/new', '/auth/password', (email) => ({ email }))
  },
  async 'sign-in-account'() {
    // Too short for a password, so nothing is hashed.
    return byForm('/auth/sign_in', '/auth/sign_in', (login) => ({ login, password: 'x' }))
  },
}

for (const [name, prepare] of Object.entries(ACTIONS)) {
  test(`BI19 the throttle ${name} is reached by the action that it counts`, async () => {
    const throttle = Object.values(THROTTLES).find((one) => one.name === name)
    await reach(throttle!, await prepare())
  })
}

test('BI19 every throttle is covered by a test of this file or of its feature', () => {
  const general = [THROTTLES.apiAccount, THROTTLES.apiToken, THROTTLES.apiAnonymous, THROTTLES.paging]
  const reached = new Set([
    'second-factor', // pages/two-factor/authenticator-app.test.ts
    ...general.map(({ name }) => name),
    ...throttlesOfPolicies().map(({ throttle }) => throttle.name),
    ...Object.keys(ACTIONS),
  ])
  const missing = Object.values(THROTTLES).filter(({ name }) => !reached.has(name))
  assert.deepEqual(missing, [], 'add the action that it counts to ACTIONS')
  assert.equal(new Set(Object.values(THROTTLES).map(({ name }) => name)).size, Object.keys(THROTTLES).length)
})

test('a failed post is not counted, and the headers show the throttle with the fewest remaining', async () => {
  const alice = await testServer.createUser()
  const [token] = await moreTokens(alice, 1)
  const post = (text: string, by: string | undefined) =>
    send('/api/v1/statuses', { token: by }, { method: 'POST', payload: { status: text } })
  const rateLimitOf = ({ headers }: ClientResponse) => [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
  assert.deepEqual(rateLimitOf(await post('one', token)), ['299', '2026-11-05T03:00:00.000000Z'])
  const failed = await post('', token)
  assert.deepEqual([failed.status, ...rateLimitOf(failed)], [422, '298', '2026-11-05T00:05:00.000000Z'])
  const other = await post('two', alice.token)
  assert.deepEqual(rateLimitOf(other), ['298', '2026-11-05T03:00:00.000000Z'])
  const reblog = await send(`/api/v1/statuses/${other.body.id}/reblog`, { token: alice.token }, { method: 'POST' })
  assert.deepEqual(rateLimitOf(reblog), ['298', '2026-11-05T03:00:00.000000Z'])
  assert.deepEqual(rateLimitOf(await post('three', alice.token)), ['297', '2026-11-05T03:00:00.000000Z'])
})

test('of fifty concurrent posts, the successful ones are counted', async () => {
  const alice = await testServer.createUser()
  const [token] = await moreTokens(alice, 1)
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) =>
      send('/api/v1/statuses', { token }, { method: 'POST', payload: { status: i % 2 ? `${i}` : '' } }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 25)
  const next = await send('/api/v1/statuses', { token: alice.token }, { method: 'POST', payload: { status: 'x' } })
  assert.equal(next.headers['x-ratelimit-remaining'], '274')
})

test('pages, files and streams are outside the throttles of the API', async () => {
  for (const path of ['/', '/auth/sign_in', '/system/x.png', '/api/v1/streaming/health', '/health']) {
    assert.equal((await send(path, {})).headers['x-ratelimit-limit'], undefined, path)
  }
})
