import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'

const ME = '/api/v1/accounts/verify_credentials'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

async function openBrowser(): Promise<{ browser: Browser }> {
  const { userId } = await testServer.createUser()
  return { browser: await openBrowserSession(testServer, { userId }) }
}

/** Returns the codes on the page: the client id and, if they are shown, the client secret and the access token. */
function codesOf(page: PageResponse): string[] {
  return [...page.html.matchAll(/<code class="address" tabindex="0">([\w-]+)<\/code>/g)].map(([, code]) => code!)
}

const statusOf = async (token: string, path = ME) =>
  (await testServer.anonymous.send({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } })).status

async function register(browser: Browser): Promise<PageResponse> {
  const page = await browser.get('/settings/applications/new')
  return browser.submit(page, '/settings/applications', {
    name: 'My <bot>',
    website: 'https://bot.example',
    redirect_uri: 'https://bot.example/callback\nurn:ietf:wg:oauth:2.0:oob',
    'scopes[1]': 'read',
    'scopes[9]': 'write:statuses',
  })
}

test('a user registers an application, and its secret and access token are shown once', async () => {
  const { browser } = await openBrowser()
  const created = await register(browser)
  assert.equal(created.status, 200)
  const [clientId, clientSecret, accessToken] = codesOf(created)
  assert.equal(await statusOf(accessToken!), 200)
  const exchange = await testServer.anonymous.post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'read',
  })
  assert.equal(exchange.status, 200)
  const list = await browser.get('/settings/applications')
  assert.match(list.text, /My <bot>/)
  const path = /href="(\/settings\/applications\/\d+)"/.exec(list.html)![1]!
  const page = await browser.get(path)
  assert.deepEqual(codesOf(page), [clientId])
  assert.match(page.text, /https:\/\/bot\.example\/callback\s+urn:ietf:wg:oauth:2\.0:oob/)
  assert.match(page.html, /value="write:statuses"\s+checked/)
})

test('an application is changed, gets new secrets, and ends with all tokens when it is deleted', async () => {
  const { browser } = await openBrowser()
  const created = await register(browser)
  const [clientId, clientSecret, accessToken] = codesOf(created)
  const path = created.forms.map(({ action }) => action).find((action) => /applications\/\d+$/.test(action))!
  const { 'scopes[1]': _, ...fields } = created.forms.find(({ action }) => action === path)!.values
  const changed = await browser.post(path, { ...fields, name: 'Renamed', 'scopes[0]': 'profile' })
  assert.match(changed.text, /The application was saved/)
  assert.match(changed.html, /<h1><bdi>Renamed<\/bdi><\/h1>/)
  const wrong = await browser.post(path, { ...fields, name: '', redirect_uri: 'javascript:alert(1)' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Name: This field is required.*Redirect URIs: /s)
  const otherUser = await testServer.createUser()
  const foreignToken = await ctx.write((tx) =>
    issueToken(tx, { applicationId: path.split('/').at(-1)!, userId: otherUser.userId, scopes: ['profile'] }),
  )
  const renewed = await browser.submit(changed, `${path}/secrets`)
  const [sameId, newSecret, newToken] = codesOf(renewed)
  assert.equal(sameId, clientId)
  assert.equal(await statusOf(accessToken!), 401)
  assert.equal(await statusOf(newToken!), 200)
  assert.equal(await statusOf(foreignToken.token), 200)
  const ofApp = { grant_type: 'client_credentials', client_id: clientId, scope: 'profile' }
  const exchange = async (secret: string) =>
    (await testServer.anonymous.post('/oauth/token', { ...ofApp, client_secret: secret })).status
  assert.deepEqual([await exchange(clientSecret!), await exchange(newSecret!)], [401, 200])
  const deleted = await browser.submit(await browser.get(path), `${path}/delete`)
  assert.match((await browser.get(deleted.location!)).text, /The application was deleted/)
  assert.deepEqual([await statusOf(newToken!), await statusOf(foreignToken.token)], [401, 401])
  assert.equal(await exchange(newSecret!), 401)
  assert.equal((await browser.get(path)).status, 404)
})

test('applications of others do not exist', async () => {
  const [own, other] = [await openBrowser(), await openBrowser()]
  const created = await register(own.browser)
  const path = created.forms.map(({ action }) => action).find((action) => /applications\/\d+$/.test(action))!
  const { csrf } = (await other.browser.get('/settings/applications/new')).forms[0]!.values
  const answers = [
    await other.browser.get(path),
    await other.browser.post(path, { csrf: csrf!, name: 'x', redirect_uri: 'https://x.example' }),
    await other.browser.post(`${path}/secrets`, { csrf: csrf! }),
    await other.browser.post(`${path}/delete`, { csrf: csrf! }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404],
  )
})
