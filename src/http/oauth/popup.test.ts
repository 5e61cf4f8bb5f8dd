// Slow: drives a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { createApps } from '../../../test/apps.ts'
import { fromSomewhere } from '../../../test/browser.ts'
import { findPort } from '../../../test/linnet.ts'
import { createAccountWithPassword, PASSWORD } from '../../../test/passwords.ts'
import { openWorld } from '../../../test/world.ts'
import { ACCESS } from '../access.ts'

const CHROMIUM = '/usr/bin/chromium'
const port = await findPort()
const origin = `http://localhost:${port}`
const world = await openWorld({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
after(world.close)
const apps = createApps(world)

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
  const { headers } = await world.server.inject({ method, url, headers: { accept: 'text/html', ...fromSomewhere() } })
  return headers['cross-origin-opener-policy']
}

test('every answer on the way of signing in keeps a popup connected to the window that opened it', async () => {
  const isOnTheWay = (path: string) => /^\/(oauth|auth)(\/|$)/.test(path) && path !== '/auth/edit'
  for (const key of Object.keys(ACCESS)) {
    const [method, path] = key.split(' ') as ['GET' | 'POST', string]
    if (!['GET', 'POST'].includes(method) || path.includes('streaming')) continue
    const expected = isOnTheWay(path) ? 'unsafe-none' : 'same-origin'
    assert.equal(await policyOf(method, path.replace(/:\w+|\*/g, '1')), expected, key)
  }
  for (const path of ['/auth/nothing', '/oauth/nothing?x=1', '/%61uth/sign_in', '/auth/sign_in?next=%2F']) {
    assert.equal(await policyOf('GET', path), 'unsafe-none', path)
  }
  for (const path of ['/nothing', '/authorized', '/oauths/authorize', '/?/auth/sign_in', '/%61uth/edit']) {
    assert.equal(await policyOf('GET', path), 'same-origin', path)
  }
})

suite('in a browser', { skip: existsSync(CHROMIUM) ? false : 'Chromium is not installed' }, () => {
  let browser: Browser
  before(async () => {
    await createAccountWithPassword(world.ctx, 'ada')
    await world.listen()
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  })
  after(() => browser?.close())

  test('a client on another origin receives the code from a popup in which a user signs in and consents', async () => {
    const redirectUri = `${clientOrigin}/callback`
    const app = await apps.register({ redirect_uris: redirectUri, scopes: 'read' })
    const asked = { response_type: 'code', client_id: app.client_id, redirect_uri: redirectUri, scope: 'read' }
    const url = `${origin}/oauth/authorize?${new URLSearchParams(asked).toString()}`
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.goto(clientOrigin)
    const opened = page.waitForEvent('popup')
    await page.evaluate(`void window.open(${JSON.stringify(url)}, 'sign-in', 'popup,width=500,height=700')`)
    const popup = await opened

    await popup.locator('[name="login"]').fill('ada')
    await popup.locator('[name="password"]').fill(PASSWORD)
    await popup.locator('main form button[type="submit"]').click()
    await popup.locator('button[name="decision"][value="allow"]').click()
    await popup.waitForURL(`${redirectUri}?*`)

    assert.equal(await popup.evaluate('window.opener !== null'), true, 'the popup has lost the window that opened it')
    const code = new URL(popup.url()).searchParams.get('code')!
    await page.waitForFunction('document.title !== "Client"')
    assert.equal(await page.title(), code)
    assert.equal((await apps.exchange(app, code, { redirect_uri: redirectUri })).status, 200)
  })
})
