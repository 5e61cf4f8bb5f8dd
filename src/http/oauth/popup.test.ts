// Slow: drives a browser.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { createOAuthApps } from '../../../test/http/oauth-apps.ts'
import { uniqueAddressHeaders } from '../../../test/http/browser.ts'
import { findPort } from '../../../test/servers/linnet-process.ts'
import { createUserWithPassword, PASSWORD } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from '../route-policies.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../test/services/browser.ts'

const port = await findPort()
const origin = `http://localhost:${port}`
const testServer = await openTestServer({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
after(testServer.close)
const apps = createOAuthApps(testServer)

/** The pages of a client: one that opens the popup, and one to which the popup returns. */
const CLIENT_PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Client</title><script>addEventListener("message", ({ data }) => { document.title = data })</script>',
  '/callback': `<title>Callback</title><script>
    if (window.opener) window.opener.postMessage(new URLSearchParams(location.search).get('code'), location.origin)
  </script>`,
}
const client = createServer((request, response) => {
  const page = CLIENT_PAGES[request.url!.split('?')[0]!]
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
})
await new Promise<void>((resolve) => {
  client.listen(0, '127.0.0.1', resolve)
})
after(
  () =>
    new Promise<void>((resolve) => {
      client.close(() => resolve())
      client.closeAllConnections()
    }),
)
const clientOrigin = `http://127.0.0.1:${(client.address() as AddressInfo).port}`

async function policyOf(method: 'GET' | 'POST', url: string): Promise<unknown> {
  const { headers } = await testServer.server.inject({
    method,
    url,
    headers: { accept: 'text/html', ...uniqueAddressHeaders() },
  })
  return headers['cross-origin-opener-policy']
}

test('responses of log-in and authorization keep a popup connected to the window that opened it', async () => {
  const isSignInPath = (path: string) => /^\/(oauth|auth)(\/|$)/.test(path) && path !== '/auth/edit'
  for (const key of Object.keys(ROUTE_POLICIES)) {
    const [method, path] = key.split(' ') as ['GET' | 'POST', string]
    if (!['GET', 'POST'].includes(method) || path.includes('streaming')) continue
    const expected = isSignInPath(path) ? 'unsafe-none' : 'same-origin-allow-popups'
    assert.equal(await policyOf(method, path.replace(/:\w+|\*/g, '1')), expected, key)
  }
  for (const path of ['/auth/nothing', '/oauth/nothing?x=1', '/%61uth/sign_in', '/auth/sign_in?next=%2F']) {
    assert.equal(await policyOf('GET', path), 'unsafe-none', path)
  }
  for (const path of ['/nothing', '/authorized', '/oauths/authorize', '/?/auth/sign_in', '/%61uth/edit']) {
    assert.equal(await policyOf('GET', path), 'same-origin-allow-popups', path)
  }
})

suite('in a browser', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  before(async () => {
    await createUserWithPassword(testServer.ctx, 'ada')
    await testServer.listen()
    browser = await openSharedBrowser()
  })
  after(() => browser?.close())

  test('a client on another origin receives the code from a popup in which a user signs in and consents', async () => {
    const redirectUri = `${clientOrigin}/callback`
    const app = await apps.register({ redirect_uris: redirectUri, scopes: 'read' })
    const parameters = { response_type: 'code', client_id: app.client_id, redirect_uri: redirectUri, scope: 'read' }
    const url = `${origin}/oauth/authorize?${new URLSearchParams(parameters).toString()}`
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.goto(clientOrigin)
    const opened = page.waitForEvent('popup')
    await page.evaluate(`void window.open(${JSON.stringify(url)}, 'sign-in', 'popup,width=500,height=700')`)
    const popup = await opened

    await popup.locator('[name="login"]').fill('ada')
    await popup.locator('[name="password"]').fill(PASSWORD)
    await popup.locator('form[action="/auth/sign_in"] button').click()
    await popup.locator('button[name="decision"][value="allow"]').click()
    await popup.waitForURL(`${redirectUri}?*`)

    assert.equal(await popup.evaluate('window.opener !== null'), true, 'the popup has lost the window that opened it')
    const code = new URL(popup.url()).searchParams.get('code')!
    await page.waitForFunction('document.title !== "Client"')
    assert.equal(await page.title(), code)
    assert.equal((await apps.exchange(app, code, { redirect_uri: redirectUri })).status, 200)
  })
})
