// Slow: drives a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage } from '../../../../test/http/pages/check-page.ts'
import { authorizePath, createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { findPort } from '../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { openClientSite } from '../../../../test/services/client-site.ts'
import { noSlapd, openLdapServer } from '../../../../test/services/login/ldap-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { openSamlServer } from '../../../../test/services/login/saml-server.ts'
import { openSharedBrowser, withoutChromium } from '../../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../../test/services/browser.ts'

const DIRECTORY_PASSWORD = 'a password of the directory'
const client = await openClientSite()
after(client.close)

suite('in a browser', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  before(async () => {
    browser = await openSharedBrowser()
  })
  after(() => browser?.close())

  /** Opens a server with these settings until the end of the file, and registers an app there. */
  async function openServer(openEnv: (server: { origin: string }) => Promise<Record<string, string>>) {
    const port = await findPort()
    const origin = `http://localhost:${port}`
    const env = { ...(await openEnv({ origin })), LOCAL_DOMAIN: `localhost:${port}`, PORT: port }
    const testServer = await openTestServer({ env, effects: false })
    after(testServer.close)
    await testServer.listen()
    const apps = createOAuthApps(testServer)
    const app = await apps.register({ redirect_uris: client.redirectUri, scopes: 'read' })
    return { testServer, origin, apps, app }
  }

  type OpenedServer = Awaited<ReturnType<typeof openServer>>

  /** Opens the page on which the app requests authorization, in a new window with cookies of its own. */
  async function requestAuthorization({ origin, app }: OpenedServer): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 320, height: 700 } })
    const page = await context.newPage()
    await page.goto(origin + authorizePath(app, { redirect_uri: client.redirectUri }))
    return page
  }

  const checked = new Set<string>()

  /** Waits for a page of the server. Checks that it is accessible, if it is the first one of its kind. */
  async function arriveAt(page: Page, path: string, kind = path): Promise<void> {
    await page.waitForURL((url) => url.hostname === 'localhost' && url.pathname === path)
    if (!checked.has(kind)) await checkPage(page, kind)
    checked.add(kind)
  }

  /** Allows the request of the app, which returns the browser to the app. Returns the name of the user of its token. */
  async function allow(page: Page, { apps, app }: OpenedServer): Promise<string> {
    await arriveAt(page, '/oauth/authorize')
    await page.locator('button[name="decision"][value="allow"]').click()
    await page.waitForURL(`${client.redirectUri}?*`)
    const code = new URL(page.url()).searchParams.get('code')!
    const { body } = await apps.exchange(app, code, { redirect_uri: client.redirectUri })
    const account = await apps.request(body.access_token, '/api/v1/accounts/verify_credentials')
    assert.equal(account.status, 200)
    await page.context().close()
    return account.body.username
  }

  /** Creates the account at the first log-in. */
  async function createAccount(page: Page, { username }: { username: string }): Promise<void> {
    await arriveAt(page, '/auth/external')
    assert.equal(await page.locator('[name="username"]').inputValue(), username)
    await page.locator('[name="agreement"]').check()
    await page.getByRole('button', { name: 'Create account' }).click()
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('users choose OpenID Connect, SAML or CAS where there are no passwords, and return to the app', async () => {
    const server = await openServer(async ({ origin }) => {
      const [oidc, saml, cas] = [
        await openOidcServer({ origin }),
        await openSamlServer({ origin }),
        await openCasServer(),
      ]
      after(() => Promise.all([oidc.close(), saml.close(), cas.close()]))
      const verified = { email: 'ada@corp.test', email_verified: true }
      oidc.user = { sub: '1', preferred_username: 'ada', ...verified }
      saml.user = { nameId: 'bea@campus.test', attributes: { mail: 'bea@campus.test', verified: 'true' } }
      cas.user = { name: 'cleo', attributes: { email: 'cleo@campus.test' } }
      const assumed = { CAS_SECURITY_ASSUME_EMAIL_IS_VERIFIED: 'true', CAS_DISPLAY_NAME: 'Library' }
      return { ...oidc.env, ...saml.env, ...cas.env, ...assumed, OMNIAUTH_ONLY: 'true' }
    })
    for (const [button, username] of [
      ['Log in with Example login', 'ada'],
      ['Log in with Campus login', 'bea'],
      ['Log in with Library', 'cleo'],
    ] as const) {
      for (const isFirst of [true, false]) {
        const page = await requestAuthorization(server)
        await arriveAt(page, '/auth/sign_in', 'the choice of a provider')
        assert.equal(await page.locator('[type="password"]').count(), 0)
        await press(page, button)
        if (isFirst) await createAccount(page, { username })
        assert.equal(await allow(page, server), username, button)
      }
    }
  })

  test('the only provider where there are no passwords is opened without a page of the server', async () => {
    const server = await openServer(async () => {
      const cas = await openCasServer()
      after(cas.close)
      cas.user = { name: 'dora', attributes: { email: 'dora@campus.test' } }
      return { ...cas.env, CAS_SECURITY_ASSUME_EMAIL_IS_VERIFIED: 'true', OMNIAUTH_ONLY: 'true' }
    })
    const first = await requestAuthorization(server)
    await createAccount(first, { username: 'dora' })
    assert.equal(await allow(first, server), 'dora')
    assert.equal(await allow(await requestAuthorization(server), server), 'dora')
  })

  test('users of LDAP enter the password of the directory, and return to the app', { skip: noSlapd }, async () => {
    const ldap = await openLdapServer()
    after(ldap.close)
    await ldap.addUser({ uid: 'edith', password: DIRECTORY_PASSWORD, mail: 'edith@corp.test' })
    const server = await openServer(async () => ldap.env('plain'))
    for (const isFirst of [true, false]) {
      const page = await requestAuthorization(server)
      await arriveAt(page, '/auth/sign_in')
      await page.locator('[name="login"]').fill('edith')
      await page.locator('[name="password"]').fill(DIRECTORY_PASSWORD)
      await press(page, 'Log in')
      if (isFirst) await createAccount(page, { username: 'edith' })
      assert.equal(await allow(page, server), 'edith')
    }
  })
})
