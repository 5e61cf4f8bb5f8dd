import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { JSON_TYPE } from '../../test/http/echo-server.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from './route-policies.ts'

const logLines: string[] = []
const testServer = await openTestServer({
  effects: false,
  env: { TRUSTED_PROXY_IP: '10.0.0.0/8' },
  onLogLine: (line) => logLines.push(line),
})
after(testServer.close)
const { server } = testServer

const alice = await testServer.createUser()
const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'x' })
const unknown = await testServer.anonymous.get('/api/v1/statuses/1')

test('an unknown path under /api gets a JSON response, for any method and Accept header', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    for (const path of ['/api/v1/nothing', '/api', '/api/', '/api/v9/statuses']) {
      const answer = await testServer.anonymous.send({ method, url: path, headers: { accept: 'text/html' } })
      assert.deepEqual([answer.status, answer.body], [404, unknown.body], `${method} ${path}`)
    }
  }
  const wrongMethod = await alice.client.put('/api/v1/timelines/home')
  assert.deepEqual([wrongMethod.status, wrongMethod.body], [404, unknown.body])
})

test('HEAD responds as GET does, without the body', async () => {
  const headers = { authorization: `Bearer ${alice.token}` }
  const paths = [
    '/api/v1/instance',
    '/',
    '/api/v1/statuses/1',
    '/api/v1/timelines/home',
    '/oauth/userinfo',
    '/api/nothing',
  ]
  for (const path of paths) {
    const get = await server.inject({ method: 'GET', url: path, headers })
    const head = await server.inject({ method: 'HEAD', url: path, headers })
    assert.equal(head.statusCode, get.statusCode, path)
    assert.equal(head.headers['content-type'], get.headers['content-type'], path)
    assert.equal(head.body, '', path)
  }
  assert.equal((await server.inject({ method: 'HEAD', url: '/oauth/token' })).statusCode, 404)
})

test('a path with a trailing slash has the same route, authorization, caching and CORS headers', async () => {
  const rows = Object.keys(ROUTE_POLICIES).filter((key) => !key.includes('*') && key !== 'GET /')
  assert.ok(rows.length > 300)
  let found = 0
  for (const [n, row] of rows.entries()) {
    const [, method = '', route = '', , kind] = /^(\S+) (\S+)( as (\w+))?$/.exec(row) ?? []
    const path = route
      .replace('/@:name', `/@${alice.username}`)
      .replace(/(?<=\/)users\/:name/, `users/${alice.username}`)
    const readResponse = async (url: string) => {
      const accept = kind === 'document' ? 'application/activity+json' : '*/*'
      // A different client address for each route, so that no throttle is reached.
      const headers = { accept, origin: 'https://app.example', 'x-forwarded-for': `198.18.${n >> 8}.${n & 255}` }
      const answer = await server.inject({ method: method as 'GET', url, headers, remoteAddress: '10.1.2.3' })
      const of = (name: string) => answer.headers[name]
      return [answer.statusCode, of('content-type'), of('cache-control'), of('access-control-allow-origin'), of('link')]
    }
    const plain = await readResponse(path.replaceAll(/:\w+/g, '1'))
    assert.deepEqual(await readResponse(`${path.replaceAll(/:\w+/g, '1')}/`), plain, row)
    if (plain[0] !== 404) found += 1
  }
  assert.ok(found > 200, `${found} routes did not return 404`)
})

test('the Link header has no trailing slash, even if the request has one', async () => {
  await alice.client.post('/api/v1/statuses', { status: 'y' })
  const { headers } = await alice.client.get('/api/v1/timelines/public/?limit=1')
  assert.match(
    String(headers.link),
    /^<https:\/\/linnet\.test\/api\/v1\/timelines\/public\?limit=1&max_id=\d+>; rel="next"/,
  )
  const ranked = await alice.client.get('/api/v1/trends/statuses/?offset=1')
  assert.match(String(ranked.headers.link), /^<https:\/\/linnet\.test\/api\/v1\/trends\/statuses\?/)
})

const CORS_PATHS = [
  '/api/v1/instance',
  '/api/v1/timelines/home',
  '/api/nothing',
  '/api/v1/statuses?limit=1',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/.well-known/oauth-authorization-server',
  '/.well-known/webfinger?resource=x',
  '/nodeinfo/2.0',
  `/@${alice.username}`,
  `/users/${alice.username}`,
  `/@${alice.username}/`,
  `/users/${alice.username}/?x`,
  `/ap/users/${alice.accountId}`,
  '/system/media/x.png',
]
const SAME_ORIGIN_PATHS = [
  '/',
  '/account',
  '/auth/sign_in',
  '/auth/sign_up?x=/api/v1',
  '/oauth/authorize',
  '/oauth/authorize/native',
  '/oauth/tokens',
  '/apis',
  '/dev/mail',
  '/setup',
  `/@${alice.username}/${status.id}`,
  `/ap/users/${alice.accountId}/inbox`,
]

test('repeated slashes in paths of the API and of OAuth count as one, also in the Link header', async () => {
  const path = '/api/v1/timelines/home'
  const plain = await alice.client.get(path, { limit: 1 })
  assert.equal(plain.status, 200)
  for (const repeated of ['/api/v1//timelines/home', '//api/v1/timelines/home', '///api//v1/timelines/home//']) {
    const { status, body, headers } = await alice.client.get(repeated, { limit: 1 })
    assert.deepEqual([status, body, headers['link']], [200, plain.body, plain.headers['link']], repeated)
  }
  assert.equal((await testServer.anonymous.get('/api/v1//timelines/home')).status, 401)
  assert.equal((await testServer.anonymous.post('//oauth//token', {})).status, 400)
  const url = `${testServer.ctx.config.origin}/@${alice.username}/${status.id}`
  assert.equal((await testServer.anonymous.get('/api//oembed', { url })).body.author_url, url.replace(/\/\d+$/, ''))
  for (const other of ['//about', '/users//x', '/apis//v1/instance'])
    assert.equal((await testServer.anonymous.get(other)).status, 404, other)
})

test('OA16 scripts of any site may read the API, without cookies and with all headers they need', async () => {
  for (const origin of ['https://app.example', 'null']) {
    for (const path of CORS_PATHS) {
      const { headers } = await server.inject({ url: path, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], '*', path)
      assert.equal(headers['access-control-allow-credentials'], undefined, path)
      for (const name of ['Link', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']) {
        assert.ok(String(headers['access-control-expose-headers']).split(', ').includes(name), name)
      }
      const preflightHeaders = {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization, idempotency-key',
      }
      const preflight = await server.inject({ method: 'OPTIONS', url: path, headers: preflightHeaders })
      assert.equal(preflight.statusCode, 204, path)
      assert.equal(preflight.headers['access-control-allow-origin'], '*')
      assert.match(String(preflight.headers['access-control-allow-methods']), /\bDELETE\b/)
      assert.equal(preflight.headers['access-control-allow-headers'], 'authorization, idempotency-key')
      assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
    }
  }
})

test('scripts of other sites follow WebFinger, or the URL of a profile, to the document of the actor', async () => {
  const headers = { origin: 'https://app.example', accept: 'application/activity+json' }
  const read = async (url: string) => {
    const response = await server.inject({ url, headers })
    assert.equal(response.headers['access-control-allow-origin'], '*', url)
    return response
  }
  const { links } = (await read(`/.well-known/webfinger?resource=acct:${alice.username}@linnet.test`)).json()
  const { href } = links.find((link: { rel: string }) => link.rel === 'self')
  assert.equal((await read(`/@${alice.username}`)).headers['location'], href)
  assert.equal((await read(new URL(href).pathname)).json().id, href)
})

test('OA16 paths with forms or cookies have no CORS headers', async () => {
  for (const path of SAME_ORIGIN_PATHS) {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers, statusCode } = await server.inject({
        method,
        url: path,
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      })
      assert.ok(statusCode < 500, path)
      for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^access-control/, `${method} ${path}`)
    }
  }
})

test('a preflight without its headers is refused, and does not count against a throttle', async () => {
  const bare = await server.inject({ method: 'OPTIONS', url: '/api/v1/statuses' })
  assert.equal(bare.statusCode, 400)
  assert.equal(bare.headers['x-ratelimit-limit'], undefined)
})

test('a GET may have its parameters in a JSON body, which is parsed after authorization', async () => {
  const request = async (client: typeof testServer.anonymous, payload: string) =>
    client.send({ method: 'GET', url: '/api/v1/accounts/familiar_followers', headers: JSON_TYPE, payload })
  const found = await request(alice.client, JSON.stringify({ id: [alice.accountId] }))
  assert.deepEqual([found.status, found.body], [200, [{ id: alice.accountId, accounts: [] }]])
  assert.equal((await request(alice.client, '{')).status, 400)
  assert.equal((await request(testServer.anonymous, '{')).status, 401)
  const listed = await alice.client.send({ method: 'GET', url: '/api/v1/timelines/public', payload: { limit: 1 } })
  assert.match(String(listed.headers['link']), /public\?limit=1&max_id=/)
})

test('CA1 responses to authenticated requests are never cached, and anonymous ones only for seconds', async () => {
  const path = `/api/v1/statuses/${status.id}`
  const anonymous = await testServer.anonymous.get(path)
  assert.match(String(anonymous.headers['cache-control']), /^public, max-age=15/)
  assert.equal(anonymous.headers['vary'], 'Authorization, Origin')
  const uncacheable = [
    await alice.client.get(path),
    await testServer.anonymous.get(`${path}?access_token=${alice.token}`),
    await testServer.anonymous.get('/api/v1/statuses/1'),
    await testServer.anonymous.get('/api/v1/timelines/home'),
    await alice.client.get('/api/v1/timelines/home'),
    await alice.client.get('/api/nothing'),
    await testServer.anonymous.get(path, { access_token: 'garbage' }),
    await testServer.anonymous.get('/auth/sign_in'),
    await testServer.anonymous.post('/oauth/token'),
    await testServer.anonymous.post('/api/v1/apps', {}),
    // Caches identify responses by the URL only, so a response that depends on a body must not be stored.
    await testServer.anonymous.send({ method: 'GET', url: path, payload: { limit: 1 } }),
    await testServer.anonymous.send({ method: 'GET', url: '/api/v1/instance', payload: { lang: 'de' } }),
    await testServer.anonymous.send({ method: 'GET', url: '/nodeinfo/2.0', payload: { page: true } }),
  ]
  for (const answer of uncacheable) assert.equal(answer.headers['cache-control'], 'private, no-store')
  const steady = await testServer.anonymous.get('/api/v1/instance')
  assert.equal(steady.headers['cache-control'], 'public, max-age=300')
})

test('every response has a request id and the security headers', async () => {
  const ids = new Set<unknown>()
  for (const path of ['/', '/api/v1/instance', '/api/nothing', '/nothing', '/oauth/authorize']) {
    for (const accept of ['*/*', 'text/html']) {
      const { headers } = await server.inject({ url: path, headers: { accept, 'x-request-id': 'chosen-by-client' } })
      ids.add(headers['x-request-id'])
      assert.match(String(headers['x-request-id']), /^[\da-f-]{36}$/)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, path)
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN', path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      const openerPolicy = path === '/oauth/authorize' ? 'unsafe-none' : 'same-origin-allow-popups'
      assert.equal(headers['cross-origin-opener-policy'], openerPolicy, path)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', path)
      assert.equal(headers['server'], undefined)
      assert.equal(headers['x-powered-by'], undefined)
    }
  }
  assert.equal(ids.size, 10)
})

/** Returns the remaining requests of the address by which a request is counted. */
async function readRemaining({ remoteAddress, headers = {} }: InjectOptions): Promise<number> {
  const answer = await server.inject({ url: '/api/v1/timelines/home', remoteAddress: remoteAddress!, headers })
  return Number(answer.headers['x-ratelimit-remaining'])
}

test('BI11 X-Forwarded-For is used from trusted proxies only, and only the address that the proxy saw', async () => {
  const direct = { remoteAddress: '203.0.113.5' }
  const before = await readRemaining(direct)
  for (const [i, forged] of ['198.51.100.1', '10.0.0.1', '127.0.0.1', 'nonsense'].entries()) {
    assert.equal(await readRemaining({ ...direct, headers: { 'x-forwarded-for': forged } }), before - i - 1, forged)
  }
  const proxied = (list: string) => readRemaining({ remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': list } })
  const first = await proxied('198.51.100.7')
  assert.equal(await proxied('1.1.1.1, 198.51.100.7'), first - 1)
  assert.equal(await proxied('198.51.100.7, 10.9.9.9'), first - 2)
  assert.equal(await proxied('198.51.100.8'), first)
})

test('a peer in a private network whose X-Forwarded-For is ignored is reported once', async () => {
  const reported = () => logLines.filter((line) => line.includes('TRUSTED_PROXY_IP'))
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  await readRemaining({ remoteAddress: '203.0.113.5', headers })
  await readRemaining({ remoteAddress: '10.1.2.3', headers })
  await readRemaining({ remoteAddress: '172.18.0.4' })
  assert.deepEqual(reported(), [])
  for (let n = 0; n < 2; n += 1) await readRemaining({ remoteAddress: '172.18.0.4', headers })
  assert.equal(reported().length, 1)
  assert.match(reported()[0]!, /"peer":"172\.18\.0\.4"/)
})
