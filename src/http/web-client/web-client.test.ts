import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { createBrowser } from '../../../test/http/browser.ts'
import type { Browser } from '../../../test/http/browser.ts'
import { createClient } from '../../../test/http/client.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer, TestUser } from '../../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from '../route-policies.ts'
import { CLIENT_PAGES, CLIENT_PATHS } from './client-paths.ts'

let testServer: TestServer
let ada: TestUser
let browser: Browser

before(async () => {
  testServer = await openTestServer()
  ada = await testServer.createUser({ username: 'ada' })
  browser = await openBrowserSession(testServer, ada)
})
after(() => testServer.close())

test('the document of the web client names the file with the texts of the language, which loads with the script', async () => {
  const { html } = await browser.get('/home?lang=de')
  assert.match(html, /<link rel="modulepreload" href="\/web\/assets\/de-[\w-]+\.js" \/>/)
  assert.match(html, /<link rel="modulepreload" href="\/web\/assets\/en-[\w-]+\.js" \/>/)
  assert.doesNotMatch(html, /assets\/es-/)
})

const REDIRECT_URI = 'https://linnet.test/web/authorized'
const verifier = randomBytes(32).toString('base64url')
const PARAMETERS = {
  response_type: 'code',
  client_id: 'web',
  redirect_uri: REDIRECT_URI,
  scope: 'read write',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

const authorize = (parameters: Record<string, string>, { from = browser, site = 'same-origin', dest = 'empty' } = {}) =>
  from.get(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`, {
    'sec-fetch-site': site,
    'sec-fetch-dest': dest,
  })

const exchange = (code: string, parameters: Record<string, string> = {}) =>
  testServer.anonymous.post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: 'web',
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
    ...parameters,
  })

async function getCode(from = browser): Promise<string> {
  const { location } = await authorize(PARAMETERS, { from })
  return new URL(String(location)).searchParams.get('code')!
}

test('the theme that the browser stores applies to the web client and to all pages of the server', async () => {
  const { cookies } = browser
  cookies.set('linnet-theme', 'dark')
  const anonymous = createBrowser(testServer.server)
  anonymous.cookies.set('linnet-theme', 'dark')
  const pages = [
    browser.get('/home'),
    browser.get('/auth/edit'),
    anonymous.get('/auth/sign_in'),
    anonymous.get('/about'),
  ]
  for (const { html } of [...(await Promise.all(pages)), await anonymous.get('/missing')])
    assert.match(html, /<html [^>]*data-theme="dark"/)
  cookies.delete('linnet-theme')
  assert.match((await browser.get('/home')).html, /<meta name="theme-color" content="#171413" media="[^"]*dark/)
})

test('the same URLs are the web client for users who are logged in, and pages for everybody else', async () => {
  for (const path of ['/', '/@ada', '/tags/linnet']) {
    const { html, headers } = await browser.get(path)
    assert.match(html, /<div id="root">/, path)
    assert.equal(headers['cache-control'], 'private, no-store', path)
    const page = await createBrowser(testServer.server).get(path)
    assert.equal(page.status, 200, path)
    assert.doesNotMatch(page.html, /<div id="root">/, path)
  }
})

test('pages that only the web client has lead to the log-in page, and back after it', async () => {
  for (const path of CLIENT_PATHS.filter((one) => !/[:*]/.test(one))) {
    assert.match((await browser.get(path)).html, /<div id="root">/, path)
    const { status, location } = await createBrowser(testServer.server).get(path)
    assert.deepEqual([status, location], [303, `/auth/sign_in?next=${encodeURIComponent(path)}`], path)
  }
})

test('the paths of the service worker are those at which the web client opens', () => {
  const pages = Object.entries(ROUTE_POLICIES).filter(([key]) => /^GET (?!.* as document$)/.test(key))
  for (const [key, { webClient }] of pages) {
    const path = key
      .slice('GET '.length)
      .replace(/ as page$/, '')
      .replaceAll(/:\w+/g, 'name')
      .replace('*', 'a/b')
    assert.equal(CLIENT_PAGES.test(path), webClient !== 'never', path)
  }
  for (const path of ['/home/', '/@bo@example.com/1/']) assert.ok(CLIENT_PAGES.test(path), path)
})

test('the web client has a strict content security policy and no inline script', async () => {
  const { html, headers } = await browser.get('/home')
  const policy = String(headers['content-security-policy'])
  assert.match(
    policy,
    /default-src 'none'; script-src https:\/\/linnet\.test\/web\/; style-src https:\/\/linnet\.test\/web\/;/,
  )
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style| style=| on\w+=/)
})

test('the files of the web client are cached for ever under names that change with their content', async () => {
  const { html } = await browser.get('/home')
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? []
  const { status, headers, body } = await testServer.anonymous.get(script)
  assert.deepEqual(
    [status, headers['cache-control'], String(headers['content-type'])],
    [200, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
  )
  const compressed = await testServer.anonymous.send({ url: script, headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(compressed.headers['content-encoding'], 'br')
  assert.ok(compressed.body.length < body.length / 2)
  for (const path of ['/web/.vite/manifest.json', '/web/.built', '/web/assets/missing.js', '/web/../package.json'])
    assert.notEqual((await testServer.anonymous.get(path)).status, 200, path)
})

test('a script of this server gets a code for the web client without a page, and exchanges it once by PKCE', async () => {
  const code = await getCode()
  assert.equal((await exchange(code, { code_verifier: 'wrong'.repeat(10) })).status, 400)
  const token = await exchange(code)
  assert.equal(token.status, 200)
  const client = createClient(testServer.server, { token: token.body.access_token })
  assert.equal((await client.get('/api/v1/accounts/verify_credentials')).body.username, 'ada')
  assert.equal((await exchange(code)).status, 400)
})

test('requests from other sites, and navigations, get the page that asks for consent', async () => {
  for (const [site, dest] of [
    ['cross-site', 'empty'],
    ['same-site', 'empty'],
    ['none', 'document'],
    ['same-origin', 'document'],
    ['same-origin', 'iframe'],
  ]) {
    const { status, location } = await authorize(PARAMETERS, { site, dest })
    assert.deepEqual([status, location], [200, null], `${site} ${dest}`)
  }
})

test('the web client is not listed as an authorised app, and its access cannot be revoked there', async () => {
  const { body } = await exchange(await getCode())
  const page = await browser.get('/oauth/authorized_applications')
  assert.match(page.text, /No app can use your account/)
  const { db } = testServer.ctx
  const { id } = await db
    .selectFrom('applications')
    .select('id')
    .where('client_id', '=', 'web')
    .executeTakeFirstOrThrow()
  const { forms } = await browser.get('/account')
  const csrf = forms.map(({ values }) => values['csrf']).find(Boolean) ?? ''
  assert.equal((await browser.post(`/oauth/authorized_applications/${id}`, { csrf })).status, 404)
  const client = createClient(testServer.server, { token: body.access_token })
  assert.equal((await client.get('/api/v1/accounts/verify_credentials')).status, 200)
})

test('the web client needs PKCE and its own redirect URI, and gets no token without a user', async () => {
  const { code_challenge: _, code_challenge_method: __, ...withoutChallenge } = PARAMETERS
  assert.equal((await authorize(withoutChallenge)).status, 400)
  assert.equal((await authorize({ ...PARAMETERS, redirect_uri: 'https://evil.example/' })).status, 400)
  const response = await testServer.anonymous.post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: 'web',
  })
  assert.deepEqual([response.status, response.body.error], [403, 'unauthorized_client'])
  assert.equal(response.body.error_description, 'The client may not use this grant type.')
})

suite('with the browser session', () => {
  const verify = async (token: string) =>
    (await createClient(testServer.server, { token }).get('/api/v1/accounts/verify_credentials')).status
  const csrfOf = async (from: Browser) =>
    (await from.get('/account')).forms.map(({ values }) => values['csrf']).find(Boolean) ?? ''
  const lastSessionPath = async () => {
    const { forms } = await browser.get('/settings/sessions')
    return forms.find(({ action }) => /\/\d+$/.test(action))!.action
  }
  const ends: Record<string, (other: Browser) => Promise<unknown>> = {
    'logging out': async (other) => other.post('/auth/sign_out', { csrf: await csrfOf(other) }),
    'ending it': async () => browser.post(await lastSessionPath(), { csrf: await csrfOf(browser) }),
    'ending all others': async () => browser.post('/settings/sessions/others', { csrf: await csrfOf(browser) }),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`by ${name}, the token of the web client ends, and a code cannot be exchanged any more`, async () => {
      const other = await openBrowserSession(testServer, ada)
      const { body } = await exchange(await getCode(other))
      const code = await getCode(other)
      assert.equal(await verify(body.access_token), 200)
      await end(other)
      assert.equal(await verify(body.access_token), 401)
      const refused = await exchange(code)
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    })
  }

  test('that has expired, a code cannot be exchanged any more', async () => {
    const other = await openBrowserSession(testServer, ada)
    const code = await getCode(other)
    const { db } = testServer.ctx
    const { id } = await db.selectFrom('sessions').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    await db.updateTable('sessions').set({ expires_at: new Date() }).where('id', '=', id).execute()
    assert.equal((await exchange(code)).status, 400)
  })
})
