// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { revokeTokens } from '../../src/domain/auth/access-tokens.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'
import { PASSWORD } from '../servers/create-user-with-password.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { until } from '../streaming/streams.ts'
import { untilShellIsSaved } from './browser-data.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

/** The push service in place of that of the browser, which does not permit pushes without a screen. */
const PUSH_SERVICE = `
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  const read = () => {
    const stored = localStorage.getItem('push')
    if (stored === null) return null
    const subscription = JSON.parse(stored)
    return { ...subscription, toJSON: () => subscription, unsubscribe: async () => localStorage.removeItem('push') }
  }
  const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  PushManager.prototype.getSubscription = async () => read()
  PushManager.prototype.subscribe = async () => {
    if (read() !== null) return read()
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const keys = {
      p256dh: encode(await crypto.subtle.exportKey('raw', publicKey)),
      auth: encode(crypto.getRandomValues(new Uint8Array(16))),
    }
    const endpoint = 'https://push.example/' + crypto.randomUUID()
    localStorage.setItem('push', JSON.stringify({ endpoint, keys }))
    return read()
  }`

suite('the web client gets pushes', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo', passwordHash: await hashPassword(PASSWORD) })
  })
  after(() => web?.close())

  const openClient = async (path: string): Promise<Page> =>
    web.openClient(ada, {
      path,
      hasServiceWorker: true,
      onPage: async (page) => page.addInitScript(PUSH_SERVICE),
    })
  const endpointInBrowser = (page: Page): Promise<string | null> =>
    page.evaluate(() => {
      const stored = localStorage.getItem('push')
      return stored === null ? null : (JSON.parse(stored) as { endpoint: string }).endpoint
    })
  /** Returns the endpoints to which the server pushes notifications. */
  const endpointsOfServer = async (): Promise<string[]> => {
    const rows = await web.testServer.ctx.db.selectFrom('push_subscriptions').select('endpoint').execute()
    return rows.map(({ endpoint }) => endpoint)
  }
  const untilServerHas = async (page: Page) =>
    until(async () => {
      const [endpoint] = await endpointsOfServer()
      return endpoint !== undefined && endpoint === (await endpointInBrowser(page))
    })

  test('until they are turned off, also with a new token and after the browser has replaced its subscription', async () => {
    const { ctx } = web.testServer
    const page = await openClient('/settings/client/notifications')
    await page.getByRole('button', { name: 'Turn on' }).click()
    const box = page.getByRole('checkbox', { name: 'Boosts' })
    await box.click()
    await page.getByText('Saved').first().waitFor()
    assert.equal(await box.isChecked(), false)
    await untilServerHas(page)

    const tokens = await ctx.db.selectFrom('access_tokens').select('id').where('session_id', 'is not', null).execute()
    await ctx.write((tx) => revokeTokens(tx, { ids: tokens.map(({ id }) => id) }))
    assert.deepEqual(await endpointsOfServer(), [])
    await page.reload()
    await untilServerHas(page)
    await box.waitFor()
    assert.equal(await box.isChecked(), false)

    const before = await endpointInBrowser(page)
    await page.evaluate(() => localStorage.removeItem('push'))
    await page.reload()
    await until(async () => ![before, null].includes(await endpointInBrowser(page)))
    await untilServerHas(page)

    await page.reload()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    assert.deepEqual([await endpointsOfServer(), await endpointInBrowser(page)], [[], null])
    const renewals: string[] = []
    page.on('request', (request) => request.url().endsWith('/push/subscription') && renewals.push(request.url()))
    await page.reload()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    await page.evaluate(untilShellIsSaved)
    assert.deepEqual([renewals, await endpointsOfServer()], [[], []])
    await page.context().close()
  })

  test('until the last of its accounts is logged out', async () => {
    const page = await openClient('/settings/client/notifications')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    const menuOf = (name: string) => page.getByRole('button', { name: `Account menu of @${name}` })
    await menuOf('ada').click()
    await page.getByRole('menuitem', { name: 'Add an account' }).click()
    await page.getByLabel('E-mail').fill(bo.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await menuOf('bo').click()
    await page.getByRole('menuitem', { name: 'Switch to @ada' }).click()
    await menuOf('ada').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await menuOf('bo').click()
    assert.notEqual(await endpointInBrowser(page), null)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
    assert.equal(await endpointInBrowser(page), null)
    await page.context().close()
  })
})
