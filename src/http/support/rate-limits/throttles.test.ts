import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uniqueAddress } from '../../../../test/http/more-clients.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { RateLimiterUnavailableError } from '../../../platform/rate-limit/rate-limiter.ts'
import type { RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'
import { THROTTLES } from './throttles.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx, server } = testServer

const MINUTES = 60
const HOURS = 3_600

/** Each step of a log-in at which secrets can be guessed. */
const SIGN_IN_ROUTES = [
  'POST /auth/external/link',
  'POST /auth/sign_in',
  'POST /auth/sign_in/passkey',
  'POST /auth/sign_in/second_factor',
]

const CONFIRMATION_ROUTES = [
  'POST /api/v1/emails/confirmations',
  'POST /auth/captcha_confirmation',
  'POST /auth/confirmation',
]

/** The throttles of Mastodon: limit, seconds, and, if a route policy names it, key and routes. */
const MASTODON: Record<string, [limit: number, seconds: number, by?: string, routes?: string[]]> = {
  apiAccount: [1_500, 5 * MINUTES],
  apiToken: [300, 5 * MINUTES],
  apiAnonymous: [300, 5 * MINUTES],
  paging: [300, 15 * MINUTES],
  media: [30, 30 * MINUTES, 'account', ['POST /api/v1/media', 'POST /api/v2/media']],
  signUpApi: [5, 30 * MINUTES, 'ip', ['POST /api/v1/accounts']],
  deletes: [30, 30 * MINUTES, 'account', ['DELETE /api/v1/statuses/:id', 'POST /api/v1/statuses/:id/unreblog']],
  apps: [5, 10 * MINUTES, 'ip', ['POST /api/v1/apps']],
  signUpForm: [25, 5 * MINUTES, 'ip', ['POST /auth', 'POST /auth/external', 'POST /auth/sign_up']],
  passwordReset: [25, 5 * MINUTES, 'ip', ['POST /auth/password']],
  passwordMail: [5, 30 * MINUTES],
  confirmation: [25, 5 * MINUTES, 'ip', CONFIRMATION_ROUTES],
  confirmationMail: [5, 30 * MINUTES],
  emailCorrection: [5, 10 * MINUTES],
  signIn: [25, 5 * MINUTES, 'ip', SIGN_IN_ROUTES],
  signInAccount: [25, 1 * HOURS],
  passwordChange: [10, 10 * MINUTES],
  statuses: [300, 3 * HOURS],
  follows: [400, 24 * HOURS],
  reports: [400, 24 * HOURS],
}

const throttledRoutes = Object.entries(ROUTE_POLICIES).filter(([, { throttles }]) => throttles.length > 0)

test('the throttles have the limits, windows, keys and routes of Mastodon', () => {
  for (const [name, [limit, seconds, by, routes]] of Object.entries(MASTODON)) {
    const throttle = THROTTLES[name as keyof typeof THROTTLES]
    assert.deepEqual([throttle.limit, throttle.windowSeconds], [limit, seconds], name)
    if (!routes) continue
    const found = throttledRoutes.filter(([, policy]) =>
      policy.throttles.some((one) => one.throttle === throttle && one.by === by),
    )
    assert.deepEqual(found.map(([key]) => key).toSorted(), routes, name)
  }
  assert.ok(ROUTE_POLICIES['POST /auth/edit']!.throttles.some(({ throttle }) => throttle === THROTTLES.passwordChange))
})

/** Sends a request without parameters to a route. */
async function request(method: string, url: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': uniqueAddress() }
  return server.inject({ method: method as 'GET', url, headers: { ...from, ...headers } })
}

const methodAndPath = (key: string) =>
  key.replace(':provider', 'saml').replace(/:\w+/g, '1').split(' ') as [string, string]

test('the steps of log-ins at a provider, which has limits of its own, have a throttle of their own', () => {
  const found = throttledRoutes.filter(([, policy]) =>
    policy.throttles.some(({ throttle, by }) => throttle === THROTTLES.externalLogin && by === 'ip'),
  )
  assert.deepEqual(found.map(([key]) => key).toSorted(), [
    'GET /auth/auth/:provider/callback',
    'POST /auth/auth/:provider',
    'POST /auth/auth/:provider/callback',
  ])
})

test('BI12 another spelling of a throttled path that has no route is no way around the throttle', async () => {
  const { token } = await testServer.createUser()
  const variantsOf = (path: string) => [`${path}.json`, path.toUpperCase(), `${path};x`, `${path}%2F`, `${path}%20`]
  // A last segment that names a provider accepts any text, and counts all of it.
  for (const [key] of throttledRoutes.filter(([route]) => !route.endsWith('/:provider'))) {
    const [method, path] = methodAndPath(key)
    for (const variant of variantsOf(path)) {
      const { statusCode } = await request(method, variant, { authorization: `Bearer ${token}` })
      assert.equal(statusCode, 404, `${method} ${variant}`)
    }
  }
})

test('BI12 repeated slashes in a throttled path are no way around the throttle', async () => {
  const limitOf = async (method: string, url: string) => {
    const { token } = await testServer.createUser()
    const { statusCode, headers } = await request(method, url, { authorization: `Bearer ${token}` })
    return [statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
  }
  for (const [key] of throttledRoutes.filter(([route]) => !route.endsWith('/:provider'))) {
    const [method, path] = methodAndPath(key)
    const expected = /^\/(api|oauth)\//.test(path) ? await limitOf(method, path) : [404, undefined, undefined]
    for (const variant of [`${path}//`, `/${path}`])
      assert.deepEqual(await limitOf(method, variant), expected, `${method} ${variant}`)
  }
})

test('any request with a cursor counts as paging, also for pages and documents of other servers', async () => {
  const alice = await testServer.createUser({ username: 'alice' })
  const from = { 'x-forwarded-for': uniqueAddress() }
  const remaining = []
  for (const [url, accept] of [
    ['/@alice?max_id=1', 'text/html'],
    ['/@alice/media?min_id=1', 'text/html'],
    [`/ap/users/${alice.accountId}/outbox?page=true`, 'application/activity+json'],
    ['/api/v1/timelines/public?since_id=1', '*/*'],
    ['/@alice', 'text/html'],
    [`/api/v1/accounts/${alice.accountId}`, '*/*'],
  ] as const) {
    const { headers, statusCode } = await server.inject({ url, headers: { ...from, accept } })
    assert.ok(statusCode < 400, `${url}: ${statusCode}`)
    remaining.push(headers['x-ratelimit-remaining'])
  }
  const api = ctx.rateLimiter.peek(THROTTLES.apiAnonymous, `ip:${from['x-forwarded-for']}`, ctx.now())
  const paging = ctx.rateLimiter.peek(THROTTLES.paging, `ip:${from['x-forwarded-for']}`, ctx.now())
  assert.deepEqual([(await paging).remaining, (await api).remaining], [296, 298])
  assert.deepEqual(remaining, ['299', '298', '297', '296', undefined, '298'])
})

test('pages, files and streams are outside the throttles of the API', async () => {
  for (const path of ['/', '/auth/sign_in', '/system/x.png', '/api/v1/streaming/health', '/health'])
    assert.equal((await request('GET', path)).headers['x-ratelimit-limit'], undefined, path)
})

test('BI20 while requests cannot be counted, whatever could be guessed or flooded is closed, and the rest is open', async (t) => {
  const { token } = await testServer.createUser()
  const unavailable = async () => {
    throw new RateLimiterUnavailableError({ cause: new Error('refused') })
  }
  const { rateLimiter } = ctx
  t.after(() => Object.assign(ctx, { rateLimiter }))
  Object.assign(ctx, {
    rateLimiter: { take: unavailable, peek: unavailable, refund: unavailable } satisfies RateLimiter,
  })

  const closed: string[] = []
  for (const [key] of Object.entries(ROUTE_POLICIES)) {
    const [method, path] = methodAndPath(key)
    // The response of a stream does not end.
    if (/\*|\/streaming/.test(path) || key.includes(' as ')) continue
    const { statusCode, headers } = await request(method, path, { authorization: `Bearer ${token}` })
    if (statusCode !== 503) continue
    closed.push(key)
    assert.ok(Number(headers['retry-after']) > 0, key)
  }
  const expected = throttledRoutes.filter(([, { throttles }]) => throttles.some(({ throttle }) => throttle.failsClosed))
  assert.deepEqual(closed.toSorted(), expected.map(([key]) => key).toSorted())
  for (const key of ['POST /auth/sign_in', 'POST /auth', 'POST /auth/password', 'POST /oauth/token'])
    assert.ok(closed.includes(key), key)

  const home = await request('GET', '/api/v1/timelines/home?max_id=1', { authorization: `Bearer ${token}` })
  assert.deepEqual([home.statusCode, home.headers['x-ratelimit-limit']], [200, undefined])
  assert.equal((await request('GET', '/auth/sign_in')).statusCode, 200)
})
