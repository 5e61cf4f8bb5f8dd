import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizePath, createOAuthApps, REDIRECT, redirectLocation } from '../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../test/http/oauth-apps.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../test/http/browser.ts'
import { createUserWithPassword, PASSWORD } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { generateSecret } from '../../lib/secrets.ts'

const USER = '/api/v1/accounts/verify_credentials'

let testServer: TestServer
let apps: OAuthApps

before(async () => {
  testServer = await openTestServer()
  apps = createOAuthApps(testServer)
  await createUserWithPassword(testServer.ctx, 'ada')
})
after(() => testServer.close())

test('a user who is not logged in logs in, consents, and the app gets a valid token', async () => {
  const app = await apps.register()
  const browser = createBrowser(testServer.server)
  const first = await browser.get(authorizePath(app, { state: 'x y', scope: 'read write:statuses' }))
  assert.equal(first.status, 303)
  assert.match(first.location!, /^\/auth\/sign_in\?next=%2Foauth%2Fauthorize%3F/)
  const form = await browser.get(first.location!)
  assert.match(form.text, /Test app/)
  const loggedIn = await browser.submit(form, '/auth/sign_in', { login: 'ada@mail.test', password: PASSWORD })
  const consent = await browser.get(loggedIn.location!)
  assert.equal(consent.status, 200)
  assert.match(consent.text, /Authorize Test app\?/)
  const done = await browser.submit(consent, '/oauth/authorize', { decision: 'allow' })
  assert.match(String(consent.headers['content-security-policy']), /form-action 'self' https:\/\/app\.example$/)
  const url = redirectLocation(done)
  assert.ok(url.href.startsWith(`${REDIRECT}&code=`), 'the registered redirect URI stays as it is')
  assert.equal(url.searchParams.get('state'), 'x y')

  const token = await apps.exchange(app, url.searchParams.get('code')!)
  assert.equal(token.status, 200)
  assert.deepEqual(Object.keys(token.body).toSorted(), ['access_token', 'created_at', 'scope', 'token_type'])
  assert.equal(token.body.token_type, 'Bearer')
  assert.equal(token.body.scope, 'read write:statuses')
  assert.ok(Number.isInteger(token.body.created_at))
  assert.equal(token.headers['cache-control'], 'private, no-store')
  assert.equal((await apps.request(token.body.access_token, USER)).status, 200)
})

test('OA1: only the exact redirect URI that was registered is accepted', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const others = [
    'https://app.example/cb',
    'https://app.example/cb?keep=a b',
    'https://app.example/cb?keep=a%20b&more=1',
    'https://app.example/cb/?keep=a%20b',
    'https://app.example/cb/../cb?keep=a%20b',
    'https://app.example/%63b?keep=a%20b',
    'https://APP.example/cb?keep=a%20b',
    'https://app.example:443/cb?keep=a%20b',
    'http://app.example/cb?keep=a%20b',
    `${REDIRECT}#x`,
    `${REDIRECT} `,
    `${REDIRECT}\n`,
    'https://app.example.evil.example/cb?keep=a%20b',
    'javascript:alert(1)',
    'urn:ietf:wg:oauth:2.0:oob',
    '',
  ]
  for (const other of others) {
    const page = await browser.get(authorizePath(app, { redirect_uri: other }))
    assert.equal(page.status, 400, other)
    assert.equal(page.location, null)
    const code = await apps.obtainCode(app, browser)
    assert.equal((await apps.exchange(app, code, { redirect_uri: other })).status, 400, other)
    assert.equal((await apps.exchange(app, code)).status, 200, 'a wrong redirect URI does not use up the code')
  }
})

test('OA4: the parameters of the form are validated again when it is sent', async () => {
  const app = await apps.register({ scopes: 'read' })
  const browser = await apps.logIn('ada')
  const page = await browser.get(authorizePath(app))
  const answer = await browser.submit(page, '/oauth/authorize', { decision: 'allow', scope: 'write' })
  assert.equal(answer.status, 400)
  const otherRedirect = await browser.submit(page, '/oauth/authorize', {
    decision: 'allow',
    redirect_uri: 'https://evil.example',
  })
  assert.equal(otherRedirect.status, 400)
})

test('OA7: consent is requested each time, and only a form with a valid CSRF token can give it', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  await apps.obtainCode(app, browser)
  const again = await browser.get(authorizePath(app))
  assert.equal(again.status, 200)
  assert.match(again.text, /Authorize Test app/)
  const { csrf: _, ...rest } = again.forms.find(({ action }) => action === '/oauth/authorize')!.values
  for (const csrf of ['', 'x', generateSecret()]) {
    const response = await browser.post('/oauth/authorize', { ...rest, csrf, decision: 'allow' })
    assert.equal(response.status, 422)
    assert.doesNotMatch(response.html, /code=/)
  }
  const otherBrowser = await apps.logIn('ada')
  const otherCsrf = (await otherBrowser.get(authorizePath(app))).forms[0]!.values.csrf!
  assert.equal((await browser.post('/oauth/authorize', { ...rest, csrf: otherCsrf, decision: 'allow' })).status, 422)
})

test('OA7: the name of an app is escaped and its text direction isolated', async () => {
  const app = await apps.register({ client_name: '<b>Bold</b>\u202eevil' })
  const browser = await apps.logIn('ada')
  const page = await browser.get(authorizePath(app))
  assert.doesNotMatch(page.html, /<b>Bold|\u202e/)
  assert.match(page.html, /<bdi>&lt;b&gt;Bold&lt;\/b&gt;evil<\/bdi>/)
  assert.match(
    String(page.headers['content-security-policy']),
    /default-src 'none'.*frame-ancestors 'none'.*form-action 'self' https:\/\/app\.example$/,
  )
})

test('if the user denies the request, the app gets an error', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const page = await browser.get(authorizePath(app, { state: 's' }))
  const url = redirectLocation(await browser.submit(page, '/oauth/authorize', { decision: 'deny' }))
  assert.equal(url.searchParams.get('error'), 'access_denied')
  assert.equal(url.searchParams.get('state'), 's')
  assert.equal(url.searchParams.get('code'), null)
})

test('the response can be sent in the fragment, or be posted by a button', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const fragment = await browser.submit(
    await browser.get(authorizePath(app, { response_mode: 'fragment', state: 's' })),
    '/oauth/authorize',
  )
  const url = redirectLocation(fragment)
  assert.equal(url.search, '?keep=a%20b')
  assert.equal(new URLSearchParams(url.hash.slice(1)).get('state'), 's')
  assert.ok(new URLSearchParams(url.hash.slice(1)).get('code'))

  const posted = await browser.submit(
    await browser.get(authorizePath(app, { response_mode: 'form_post', state: 's' })),
    '/oauth/authorize',
  )
  const form = posted.forms.find(({ action }) => action === REDIRECT)!
  assert.equal(form.values.state, 's')
  assert.ok(form.values.code)
  assert.match(String(posted.headers['content-security-policy']), /form-action 'self' https:\/\/app\.example$/)
  assert.equal((await browser.get(authorizePath(app, { response_mode: 'web_message' }))).status, 400)
})

test('redirect URIs with custom schemes or non-ASCII characters get the response by a redirect', async () => {
  const browser = await apps.logIn('ada')
  for (const [redirectUri, source, start] of [
    ['com.example.app:/done', 'com.example.app:', 'com.example.app:/done?code='],
    ['com.example.app://done?x=1', 'com.example.app:', 'com.example.app://done?x=1&code='],
    ['http://localhost:4000/cb', 'http://localhost:4000', 'http://localhost:4000/cb?code='],
    ['https://müsli.example/ö?ü', 'https://xn--msli-0ra.example', 'https://m%C3%BCsli.example/%C3%B6?%C3%BC&code='],
  ] as const) {
    const app = await apps.register({ redirect_uris: redirectUri })
    const consent = await browser.get(authorizePath(app, { redirect_uri: redirectUri }))
    assert.ok(String(consent.headers['content-security-policy']).endsWith(`; form-action 'self' ${source}`))
    const done = await browser.submit(consent, '/oauth/authorize', { decision: 'allow' })
    assert.equal(done.status, 303)
    assert.ok(done.location!.startsWith(start), done.location!)
    const code = new URL(done.location!).searchParams.get('code')!
    assert.equal((await apps.exchange(app, code, { redirect_uri: redirectUri })).status, 200)
  }
})

test('an app without a redirect URI gets its code from a page', async () => {
  const oob = 'urn:ietf:wg:oauth:2.0:oob'
  const app = await apps.register({ redirect_uris: oob })
  const browser = await apps.logIn('ada')
  const page = await browser.get(authorizePath(app, { redirect_uri: oob }))
  const sent = await browser.submit(page, '/oauth/authorize', { decision: 'allow' })
  assert.equal(sent.status, 303)
  assert.match(sent.location!, /^\/oauth\/authorize\/native\?code=/)
  const shown = await browser.get(sent.location!)
  const code = new URL(sent.location!, 'https://x').searchParams.get('code')!
  assert.ok(shown.text.includes(code))
  assert.equal((await apps.exchange(app, code, { redirect_uri: oob })).status, 200)
  assert.equal((await browser.get('/oauth/authorize/native?code=Call+us+at+555')).status, 400)
  const denied = await browser.submit(
    await browser.get(authorizePath(app, { redirect_uri: oob })),
    '/oauth/authorize',
    {
      decision: 'deny',
    },
  )
  assert.equal(denied.status, 403)
  assert.match(denied.text, /Access denied Test app did not get access to your account/)
})

test('errors of a request are shown on a page of this server, without a redirect', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const invalidRequests: [Record<string, string>, number, RegExp][] = [
    [{ client_id: 'nobody' }, 401, /does not know the app/],
    [{ client_id: '' }, 400, /is not valid: Missing required parameter: client_id\./],
    [{ redirect_uri: 'https://other.example' }, 400, /did not register the address/],
    [{ response_type: 'token' }, 400, /is not valid: The response type is not supported/],
    [{ response_type: '' }, 400, /is not valid: Missing required parameter: response_type\./],
    [{ scope: 'admin:write' }, 400, /permissions that do not exist, or that it did not register/],
  ]
  for (const [parameters, status, text] of invalidRequests) {
    const page = await browser.get(authorizePath(app, parameters))
    assert.equal(page.status, status, JSON.stringify(parameters))
    assert.equal(page.location, null)
    assert.match(page.text, text)
    // The user is logged in, also if the app is unknown.
    assert.match(page.text, /Invalid request/)
    assert.doesNotMatch(page.text, /Please log in/)
  }
})

test('the errors of a request are in the language of the user', async () => {
  const headers = { 'accept-language': 'de' }
  const page = await createBrowser(testServer.server).get('/oauth/authorize?client_id=nobody', headers)
  assert.match(page.text, /Dieser Server kennt die App nicht/)
})

test('force_login requires the password again, once', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const first = await browser.get(authorizePath(app, { force_login: 'true' }))
  assert.equal(first.status, 303)
  const form = await browser.get(first.location!)
  assert.equal(form.status, 200)
  const answer = await browser.submit(
    form,
    '/auth/sign_in',
    { login: 'ada', password: PASSWORD },
    uniqueAddressHeaders(),
  )
  const consent = await browser.get(answer.location!)
  assert.equal(consent.status, 200)
  assert.match(consent.text, /Authorize Test app/)
})
