import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { captureQueries } from '../../../../test/performance/count-queries.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { expectSocketRejected, openSocket, until } from '../../../../test/streaming/streams.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'

const PATH = '/api/v1/admin/ip_blocks'
/** The address of a client, as the reverse proxy reports it, and one beside its block. */
const IP = '203.0.113.7'
const OTHER_IP = '198.51.100.7'

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
const user = await testServer.createUser()
const from = (ip: string) => ({ 'x-forwarded-for': ip })

async function block(payload: object): Promise<string> {
  const { status, body } = await admin.client.post(PATH, { severity: 'no_access', ...payload })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

/** Deletes a block; the second request makes the process check for invalidations. */
async function unblock(id: string): Promise<void> {
  assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 200)
  assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404)
}

async function statusOf(url: string, ip: string, headers: Record<string, string> = {}): Promise<number> {
  return (await testServer.anonymous.send({ method: 'GET', url, headers: { ...from(ip), ...headers } })).status
}

suite('an address without access', () => {
  test('gets 403 from every route except files and health checks, also with a token', async () => {
    const id = await block({ ip: '203.0.113.0/24' })
    const headers = { ...from(IP), authorization: `Bearer ${user.token}` }
    for (const [key, policy] of Object.entries(ROUTE_POLICIES)) {
      const [method = '', url = ''] = key.split(' ')
      const accept = key.endsWith(' as document') ? 'application/activity+json' : '*/*'
      if (policy.cache === 'file' || url.includes('*')) continue
      const path = url.replace(/:name/, user.username).replaceAll(/:\w+/g, '1')
      const request = { method: method as 'GET', url: path, headers: { ...headers, accept } }
      const { statusCode } = await testServer.server.inject(request)
      assert.equal(statusCode === 403, !policy.ignoresIpBlocks, `${key}: ${statusCode}`)
    }
    await unblock(id)
    assert.equal(await statusOf('/api/v1/timelines/home', IP, headers), 200)
  })

  test('gets the error as JSON from the API and as a page from the site, with its stylesheet', async () => {
    const id = await block({ ip: IP })
    const api = await testServer.anonymous.send({ method: 'GET', url: '/api/v2/instance', headers: from(IP) })
    assert.deepEqual([api.status, api.body], [403, { error: 'This action is not allowed' }])
    const page = await testServer.anonymous.send<string>({
      method: 'GET',
      url: '/about',
      headers: { ...from(IP), accept: 'text/html' },
    })
    assert.equal(page.status, 403)
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? []
    assert.equal(await statusOf(stylesheet, IP), 200)
    assert.equal(await statusOf('/health', IP), 200)
    assert.equal(await statusOf('/about', OTHER_IP), 200)
    await unblock(id)
    assert.equal(await statusOf('/about', IP), 200)
  })

  test('has access again when the block is milder or has expired', async () => {
    const id = await block({ ip: '203.0.113.0/25', expires_in: 60 })
    assert.equal(await statusOf('/about', IP), 403)
    aheadMs += 61_000
    assert.equal(await statusOf('/about', IP), 200)
    aheadMs -= 61_000
    assert.equal(await statusOf('/about', IP), 403)
    assert.equal((await admin.client.put(`${PATH}/${id}`, { severity: 'sign_up_block' })).status, 200)
    assert.equal(await statusOf('/about', IP), 200)
    await unblock(id)
  })

  test('is refused if any block contains it, in whatever form', async () => {
    const ids = [await block({ ip: '203.0.113.0/24', severity: 'sign_up_block' }), await block({ ip: '203.0.0.0/16' })]
    assert.equal(await statusOf('/about', IP), 403)
    assert.equal(await statusOf('/about', `::ffff:${IP}`), 403)
    ids.push(await block({ ip: '2001:db8::/32' }))
    assert.equal(await statusOf('/about', '2001:db8:1::1'), 403)
    assert.equal(await statusOf('/about', '2001:db9::1'), 200)
    for (const id of ids) await unblock(id)
  })

  test('cannot open a stream', async () => {
    const origin = await testServer.listen()
    const id = await block({ ip: IP })
    const { status } = await expectSocketRejected(origin, { token: user.token, ip: IP })
    assert.equal(status, 403)
    assert.equal(await statusOf('/api/v1/streaming/user', IP, { authorization: `Bearer ${user.token}` }), 403)
    for (const ip of [OTHER_IP, `${IP}, ${OTHER_IP}`]) (await openSocket(origin, { token: user.token, ip })).ws.close()
    await unblock(id)
    ;(await openSocket(origin, { token: user.token, ip: IP })).ws.close()
  })

  test('is refused by a process that has not checked for a second, too', async () => {
    assert.equal(await statusOf('/about', IP), 200)
    await testServer.ctx.db
      .insertInto('ip_blocks')
      .values({ ip: '203.0.113.7/32', severity: 'no_access', comment: '', created_at: new Date() })
      .execute()
    await until(async () => (await statusOf('/manifest.json', IP)) === 403 || null)
    await testServer.ctx.db.deleteFrom('ip_blocks').execute()
    await until(async () => (await statusOf('/manifest.json', IP)) === 200 || null)
  })

  test('is never the own address of the staff', async () => {
    const payload = { ip: '203.0.113.0/24', severity: 'no_access' }
    const own = { authorization: `Bearer ${admin.token}`, ...from(IP) }
    const refused = await testServer.anonymous.post(PATH, payload, own)
    assert.deepEqual([refused.status, refused.body.error], [422, 'Validation failed: Ip contains your own address'])
    const mild = await testServer.anonymous.post(PATH, { ...payload, severity: 'sign_up_block' }, own)
    assert.equal(mild.status, 200)
    const put = (body: object) =>
      testServer.anonymous.send({ method: 'PUT', url: `${PATH}/${mild.body.id}`, payload: body, headers: own })
    assert.equal((await put({ severity: 'no_access' })).status, 422)
    assert.equal((await put({ ip: OTHER_IP, severity: 'no_access' })).status, 200)
    assert.equal((await put({ ip: '203.0.0.0/16' })).status, 422)
    await unblock(mild.body.id)
  })
})

test('blocks cost no statement per request', async () => {
  const id = await block({ ip: IP })
  const read = async () => user.client.get('/api/v1/timelines/home')
  await testServer.waitForJobs()
  await read()
  const texts = await captureQueries(read)
  await unblock(id)
  await read()
  assert.deepEqual(texts.length, (await captureQueries(read)).length)
  assert.ok(!texts.some((text) => text.includes('ip_blocks')))
})

suite('sign-up', () => {
  const apps = createOAuthApps(testServer)
  let appToken = ''
  before(async () => {
    appToken = await apps.tokenOf(await apps.register(), 'write')
  })
  let count = 0
  const signUp = (ip: string) => {
    count += 1
    const fields = { username: `new${count}`, email: `new${count}@mail.test` }
    const headers = { authorization: `Bearer ${appToken}`, ...from(ip) }
    const payload = { ...fields, password: PASSWORD, agreement: true, locale: 'en' }
    return testServer.anonymous.post('/api/v1/accounts', payload, headers)
  }
  const signUpByPage = async (ip: string) => {
    count += 1
    const browser = createBrowser(testServer.server)
    const page = await browser.get('/auth/sign_up')
    const fields = { username: `new${count}`, email: `new${count}@mail.test`, password: PASSWORD, agreement: '1' }
    return browser.submit(page, '/auth', { ...fields, ...slowFields(testServer) }, from(ip))
  }
  const isApproved = async () => {
    const { approved } = await testServer.ctx.db
      .selectFrom('users')
      .select('approved')
      .where('email', '=', `new${count}@mail.test`)
      .executeTakeFirstOrThrow()
    return approved
  }

  test('is refused from an address with a block of sign-ups, while other requests succeed', async () => {
    const id = await block({ ip: '203.0.113.0/24', severity: 'sign_up_block' })
    assert.equal((await signUp(IP)).status, 403)
    assert.equal((await signUpByPage(IP)).status, 403)
    const form = await testServer.anonymous.send<string>({ method: 'GET', url: '/auth/sign_up', headers: from(IP) })
    assert.equal(form.status, 200)
    assert.doesNotMatch(form.body, /name="password"/)
    assert.equal((await signUp(OTHER_IP)).status, 200)
    await unblock(id)
    assert.equal((await signUp(IP)).status, 200)
    assert.equal(await isApproved(), true)
    assert.equal((await signUpByPage(IP)).status, 303)
  })

  test('makes a pending user where it requires approval, although registrations are open', async () => {
    const id = await block({ ip: '203.0.113.0/24', severity: 'sign_up_requires_approval' })
    assert.equal((await signUp(IP)).status, 200)
    assert.equal(await isApproved(), false)
    assert.equal((await signUpByPage(IP)).status, 303)
    assert.equal(await isApproved(), false)
    const form = await testServer.anonymous.send<string>({ method: 'GET', url: '/auth/sign_up', headers: from(IP) })
    assert.match(form.body, /name="reason"/)
    await signUp(OTHER_IP)
    assert.equal(await isApproved(), true)
    await unblock(id)
    await signUp(IP)
    assert.equal(await isApproved(), true)
  })

  test('is the only thing that is refused: existing users log in', async () => {
    await createUserWithPassword(testServer.ctx, 'present')
    const id = await block({ ip: '203.0.113.0/24', severity: 'sign_up_block' })
    const browser = createBrowser(testServer.server)
    const page = await browser.get('/auth/sign_in')
    const { status } = await browser.submit(page, '/auth/sign_in', { login: 'present', password: PASSWORD }, from(IP))
    assert.equal(status, 303)
    await unblock(id)
  })
})
