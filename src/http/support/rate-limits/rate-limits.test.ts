// Slow: reaches every throttle.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../../../test/http/browser.ts'
import type { PageResponse } from '../../../../test/http/browser.ts'
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

test('BI19 BI12 every throttle of the route policies counts all of its routes together, in all spellings', async () => {
  const users = await Promise.all(Array.from({ length: 40 }, async () => testServer.createUser()))
  for (const { throttle, by, keys } of throttlesOfPolicies()) {
    const alice = await testServer.createUser()
    const tokens = await moreTokens(alice, 2)
    const sessions = await moreSessions(alice, 2)
    const ip = uniqueAddress()
    const request = (i: number) => {
      const [method, path] = keys[i % keys.length]!.split(' ') as ['GET', string]
      const plain = path.replace(/:\w+|\*/g, '1')
      const url = [plain, `${plain}/`, plain.replace('a', '%61')][i % 3]!
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

const fromUnique = () => ({ 'x-forwarded-for': uniqueAddress() })
const responseOf = ({ status, headers, text }: PageResponse): ClientResponse => ({
  status,
  headers: headers as ClientResponse['headers'],
  body: text,
})

/** Returns submissions of a form, each from a different IP address, with one e-mail address in two spellings. */
async function byForm(
  at: string,
  path: string,
  fieldsOf: (email: string) => Record<string, string>,
): Promise<(i: number) => Promise<ClientResponse>> {
  const browser = createBrowser(testServer.server)
  const page = await browser.get(at, fromUnique())
  return async (i) => {
    const fields = fieldsOf(i % 2 ? 'Nobody@Mail.test ' : 'nobody@mail.test')
    return responseOf(await browser.submit(page, path, fields, fromUnique()))
  }
}

/** Returns the browser of a user who has not confirmed the e-mail address, and the page that asks for that. */
async function openConfirmation(): Promise<{ user: TestUser; submit: (email?: string) => Promise<ClientResponse> }> {
  const user = await testServer.createUser({ confirmed: false })
  const [sessionId] = await moreSessions(user, 1)
  const browser = createBrowser(testServer.server)
  browser.cookies.set('__Host-linnet-session', sessionId!)
  const page = await browser.get('/auth/setup', fromUnique())
  const submit = async (email?: string) =>
    responseOf(await browser.submit(page, '/auth/confirmation', email === undefined ? {} : { email }, fromUnique()))
  return { user, submit }
}

/** Throttles that are counted by the action itself, each with a request that performs it. */
const ACTIONS: Record<string, () => Promise<(i: number) => Promise<ClientResponse>>> = {
  async statuses() {
    return byTokens('/api/v1/statuses', (i) => ({ status: `${i}` }))
  },
  async follows() {
    const tokens = await moreTokens(await testServer.createUser(), 2)
    const { accountId, username } = await testServer.createUser()
    const paths = [`/api/v1/accounts/${accountId}/follow`, '/api/v1/tags/rain/follow', '/api/v1/follows']
    return (i) => send(paths[i % 3]!, { token: tokens[i % 2] }, { method: 'POST', payload: { uri: username } })
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
  async 'confirmation-mail'() {
    const { user, submit } = await openConfirmation()
    const byApi = () => send('/api/v1/emails/confirmations', { token: user.token }, { method: 'POST' })
    return (i) => (i % 2 ? byApi() : submit())
  },
  async 'email-correction'() {
    const { submit } = await openConfirmation()
    return (i) => submit(`other${i}@mail.test`)
  },
  async 'email-correction by address'() {
    const browsers = await Promise.all(Array.from({ length: THROTTLES.emailCorrection.limit + 1 }, openConfirmation))
    return (i) => browsers[i]!.submit(i % 2 ? ' Victim@Mail.test' : 'victim@mail.test')
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
    const throttle = Object.values(THROTTLES).find((one) => one.name === name.split(' ')[0])
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
