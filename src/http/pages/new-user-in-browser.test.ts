// Slow: drives a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage } from '../../../test/http/pages/check-page.ts'
import { authorizePath, createOAuthApps } from '../../../test/http/oauth-apps.ts'
import { findPort } from '../../../test/servers/linnet-process.ts'
import { PASSWORD } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { openClientSite } from '../../../test/services/client-site.ts'
import { openMailServer } from '../../../test/services/mail-server.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../test/services/browser.ts'

const port = await findPort()
const baseURL = `http://localhost:${port}`
const [smtp, client] = [await openMailServer(), await openClientSite()]
let aheadMs = 0
const testServer = await openTestServer({
  env: { ...smtp.env, LOCAL_DOMAIN: `localhost:${port}`, PORT: port, REGISTRATIONS_MODE: 'approved' },
  now: () => new Date(Date.now() + aheadMs),
})
after(async () => {
  await testServer.close()
  await Promise.all([smtp.close(), client.close()])
})

suite('in a browser', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  let staff: TestUser
  before(async () => {
    staff = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
    await testServer.listen()
    browser = await openSharedBrowser()
  })
  after(() => browser?.close())

  /** Checks that the page is at this path and accessible. */
  async function arriveAt(page: Page, path: string): Promise<void> {
    await page.waitForURL((url) => url.pathname === path)
    await checkPage(page, path)
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  /** Adds an authenticator that has a fingerprint reader, and whose user always agrees. */
  async function addAuthenticator(page: Page): Promise<void> {
    // The user chooses the passkey by the button. Otherwise the field of the username would offer it at once.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = undefined')
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const device = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    const options = { ...device, isUserVerified: true, automaticPresenceSimulation: true }
    await session.send('WebAuthn.addVirtualAuthenticator', { options })
  }

  test('a new user signs up, confirms, is approved, logs in to the web client, adds a passkey, and authorises an app with it', async () => {
    const page = await browser.newPage({
      baseURL,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      viewport: { width: 320, height: 700 },
    })
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (err) => problems.push(String(err)))
    await addAuthenticator(page)

    await page.goto('/auth/sign_up')
    await arriveAt(page, '/auth/sign_up')
    await page.locator('[name="username"]').fill('ada')
    await page.locator('[name="email"]').fill('ada@mail.test')
    await page.locator('[name="password"]').fill(PASSWORD)
    await page.locator('[name="reason"]').fill('I would like to join.')
    await page.locator('[name="agreement"]').check()
    aheadMs += 10_000
    await press(page, 'Send request')
    await arriveAt(page, '/auth/setup')

    await testServer.waitForJobs()
    const mail = smtp.mails.find(({ to }) => to.includes('ada@mail.test'))
    const link = /http:\/\/localhost:\d+(\/auth\/confirmation\?\S+)/.exec(mail?.data ?? '')?.[1]
    assert.ok(link, 'the mail has the link')
    await page.goto(link)
    await arriveAt(page, '/auth/confirmation')
    await page.goto('/account')
    await arriveAt(page, '/account')
    assert.match(await page.locator('main').innerText(), /Waiting for approval/)

    const [pending] = (await staff.client.get<{ id: string }[]>('/api/v2/admin/accounts?status=pending')).body
    assert.equal((await staff.client.post(`/api/v1/admin/accounts/${pending!.id}/approve`)).status, 200)
    await page.reload()
    await arriveAt(page, '/account')
    await press(page, 'Log out')
    await arriveAt(page, '/')

    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await arriveAt(page, '/auth/sign_in')
    await page.locator('[name="login"]').fill('ada@mail.test')
    await page.locator('[name="password"]').fill(PASSWORD)
    await press(page, 'Log in')
    await page.waitForURL('**/home')
    await page.goto('/account')
    await arriveAt(page, '/account')
    assert.equal(await page.getByRole('link', { name: 'Use Linnet in this browser' }).getAttribute('href'), '/home')

    await page.goto('/settings/two_factor_authentication_methods')
    await arriveAt(page, '/settings/two_factor_authentication_methods')
    await page.goto('/settings/security_keys')
    await arriveAt(page, '/settings/security_keys')
    await page.locator('[name="nickname"]').fill('Laptop')
    await press(page, 'Add passkey')
    await page.getByText('Your recovery codes were created').waitFor()
    await checkPage(page, 'the recovery codes')
    await page.goto('/account')
    await press(page, 'Log out')
    await arriveAt(page, '/')

    const apps = createOAuthApps(testServer)
    const redirect = { redirect_uri: client.redirectUri }
    const app = await apps.register({ redirect_uris: client.redirectUri, scopes: 'read' })
    await page.goto(authorizePath(app, redirect))
    await arriveAt(page, '/auth/sign_in')
    await press(page, 'Log in with a passkey')
    await arriveAt(page, '/oauth/authorize')
    await page.locator('button[name="decision"][value="allow"]').click()
    await page.waitForURL(`${client.redirectUri}?*`)
    const code = new URL(page.url()).searchParams.get('code')!
    const { access_token: token } = (await apps.exchange(app, code, redirect)).body
    const { status, body } = await apps.request(token, '/api/v1/accounts/verify_credentials')
    assert.deepEqual([status, body.username], [200, 'ada'])
    assert.deepEqual(problems, [])
  })
})
