// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkViews, NARROW } from './views.ts'

suite('the settings of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
  })
  after(() => web?.close())

  test('new users are shown people and hashtags to follow; nothing moves when these arrive, and a refused one stays', async () => {
    const { promise: arrival, resolve } = Promise.withResolvers<void>()
    const onPage = async (page: Page) =>
      page.route(/v2\/suggestions/, async (route) => arrival.then(() => route.continue()))
    const page = await web.openClient(ada, { path: '/start?step=people', onPage })
    await heading(page, 'People to follow')
    await page.locator('main [aria-hidden=true]').first().waitFor()
    const shownEarly = await page.getByRole('button', { name: 'Save and continue' }).all()
    const before = await shownEarly[0]?.boundingBox()
    resolve()
    await page.getByText('There are no suggestions yet').waitFor()
    const after = await page.getByRole('button', { name: 'Save and continue' }).boundingBox()
    assert.equal(before?.y ?? after?.y, after?.y)
    await next(page)
    await heading(page, 'Hashtags to follow')
    await page.getByLabel('Another hashtag').fill('linnets')
    await page.route('**/follow', (route) => route.abort())
    await page.getByRole('button', { name: 'Go to the home timeline' }).click()
    await page.getByRole('alert').waitFor()
    await heading(page, 'Hashtags to follow')
    await page.unroute('**/follow')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByText('You follow #linnets').waitFor()
    await checkPage(page, 'hashtags to follow')
    await page.context().close()
  })

  test('the server explains invalid values in the language of the client, not in that of the browser', async () => {
    const owner = await web.testServer.createUser({ username: 'owner', role: 'owner' })
    for (const [language, explanation] of [
      ['ar', 'عنوان التواصل: هذا ليس عنوان بريد إلكتروني'],
      ['de', 'Die Kontaktadresse ist keine E-Mail-Adresse'],
    ] as const) {
      const page = await web.openClient(owner, { path: `/start?step=server&lang=${language}` })
      await page.locator('main input[maxlength="254"]').fill('nobody')
      await page.locator('main form button[type=submit]').click()
      await page.getByRole('alert').filter({ hasText: explanation }).waitFor()
      await page.context().close()
    }
  })

  test('the theme and the text size survive a reload, and the message takes a change back', async () => {
    const page = await web.openClient(ada, { path: '/settings' })
    await page.getByLabel('Find a setting').fill('theme')
    await page.getByRole('link', { name: /Appearance/ }).click()
    await page.getByLabel('Dark', { exact: true }).check()
    await page.getByLabel('Large', { exact: true }).check()
    await page.reload()
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    assert.deepEqual(await look(page), { theme: 'dark', textSize: 'large' })
    assert.equal(await page.getByLabel('Dark', { exact: true }).isChecked(), true)
    await page.getByLabel('Light', { exact: true }).check()
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await look(page), { theme: 'dark', textSize: 'large' })
    await page.context().close()
  })

  test('single keys are shortcuts until the user turns them off', async () => {
    const page = await web.openClient(ada, { path: '/settings/client/keyboard' })
    await page.getByRole('heading', { name: 'Keyboard', exact: true }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await checkPage(page, 'the list of shortcuts')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.getByLabel('Shortcuts with single keys').uncheck()
    await page.getByText('Saved').waitFor()
    await page.keyboard.press('?')
    await page.keyboard.press('n')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.context().close()
  })

  test('defaults of posts are saved in the account', async () => {
    const page = await web.openClient(ada, { path: '/settings/client/posting' })
    await page.getByLabel('Quiet public').click()
    await page.getByText('Saved').waitFor()
    const { body } = await ada.client.get('/api/v1/preferences')
    assert.equal(body['posting:default:visibility'], 'unlisted')
    await page.context().close()
  })

  test('push notifications are subscribed to with the key of the server', async () => {
    const page = await web.openClient(ada, { path: '/settings', hasServiceWorker: true })
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await page.evaluate(simulatePushService)
    await page.getByRole('link', { name: /Push notifications/ }).click()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByLabel('Boosts', { exact: true }).click()
    await page.getByText('Saved').waitFor()
    const rows = await web.testServer.ctx.db.selectFrom('push_subscriptions').selectAll().execute()
    assert.deepEqual(
      rows.map(({ endpoint, standard, policy }) => [endpoint, standard, policy]),
      [['https://push.example/1', true, 'all']],
    )
    const alerts = rows[0]!.alerts as Record<string, boolean>
    assert.deepEqual([alerts['mention'], alerts['reblog'] ?? false], [true, false])

    // The worker is active now.
    let requests = 0
    web.testServer.server.server.on('request', ({ url }) => (requests += Number(url === '/auth/edit')))
    await page.goto('/auth/edit')
    assert.equal(requests, 1, 'a browser with the service worker requests a page of the server once')
    await page.context().close()
  })

  test('the settings are accessible, light and dark, from 320 pixels', async () => {
    const page = await web.openClient(ada, { path: '/settings', ...NARROW })
    for (const section of ['Appearance', 'Timelines', 'Privacy and reach', 'Push notifications']) {
      await page.getByRole('link', { name: new RegExp(section) }).click()
      await page.getByRole('heading', { name: section, exact: true, level: 1 }).waitFor()
      await checkViews(page, section)
      await page.getByRole('button', { name: 'Back' }).click()
    }
    await page.getByLabel('Find a setting').waitFor()
    await checkViews(page, 'the settings')
    await page.context().close()
  })
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const next = (page: Page) => page.getByRole('button', { name: 'Save and continue' }).click()
const look = (page: Page) =>
  page.evaluate<{ theme: string; textSize: string }>(
    `({ theme: document.documentElement.dataset.theme, textSize: document.documentElement.dataset.textSize })`,
  )

/** Chromium has no push service in tests. */
const simulatePushService = `
  Notification.requestPermission = async () => 'granted'
  const subscription = {
    toJSON: () => ({
      endpoint: 'https://push.example/1',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
  }
  let current = null
  PushManager.prototype.subscribe = async () => (current = subscription)
  PushManager.prototype.getSubscription = async () => current
`
