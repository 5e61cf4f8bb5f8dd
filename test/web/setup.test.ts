import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { ownerSetupToken } from '../../src/domain/accounts/registration/create-owner.ts'
import { PASSWORD } from '../servers/create-user-with-password.ts'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

const VIEWS = [{}, { width: 320, theme: 'dark' as const }]

suite('the first steps of the owner', { skip: withoutChromium }, () => {
  let web: WebClientTest
  before(async () => {
    web = await openWebClientTest()
  })
  after(() => web?.close())

  test('lead from the link of a new server to the first post', async () => {
    const { ctx } = web.testServer
    const context = await web.browser.newContext({ baseURL: web.origin, locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`/setup?token=${await ownerSetupToken(ctx)}`)
    await page.getByLabel('Username').fill('olivia')
    await page.getByLabel('E-mail').fill('olivia@mail.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: /create/i }).click()

    await heading(page, 'Your domain is permanent')
    await page.getByText(`@olivia@${new URL(web.origin).host}`).waitFor()
    await checkPage(page, 'the first step')
    await page.getByRole('button', { name: 'Keep this domain' }).click()

    await heading(page, 'Describe your server')
    await page.getByLabel('Server name').fill('Bird friends')
    await page.getByLabel('Server description').fill('For people who watch birds.')
    await page.getByLabel('Contact e-mail address').fill('not an address')
    await next(page)
    await page.getByRole('alert').filter({ hasText: 'Contact email' }).waitFor()
    await page.getByLabel('Contact e-mail address').fill('birds@mail.test')
    await next(page)

    await heading(page, 'Your profile')
    await page.reload()
    await heading(page, 'Your profile')
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#2e6f57' } })
      .png()
      .toBuffer()
    await page
      .getByLabel('Choose a profile picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await page.getByLabel('Display name').fill('Olivia')
    await next(page)

    await heading(page, 'Who can join')
    await page.getByLabel('Approval required').check()
    await next(page)

    await heading(page, 'Server rules')
    await page.getByRole('button', { name: 'Be respectful' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Be respectful' }).waitFor()
    await page.getByLabel('New rule').fill('Only birds')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Move up: Only birds' }).click()
    await page.getByText('1. Only birds').waitFor()
    await checkPage(page, 'the rules')
    await next(page)

    await heading(page, 'Test mail')
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText('No mail server is configured').waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()

    await heading(page, 'Your first post')
    await page.getByRole('button', { name: 'Write a post' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().fill('#Introduction I watch linnets')
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Go to the home timeline' }).click()
    await page.getByRole('article').filter({ hasText: 'I watch linnets' }).waitFor()

    const { body: instance } = await web.testServer.anonymous.get('/api/v2/instance')
    assert.deepEqual(
      [instance.title, instance.contact.email, instance.registrations.approval_required],
      ['Bird friends', 'birds@mail.test', true],
    )
    assert.deepEqual(
      instance.rules.map(({ text }: { text: string }) => text),
      ['Only birds', 'Be respectful'],
    )
    const { body: olivia } = await web.testServer.anonymous.get('/api/v1/accounts/lookup', { acct: 'olivia' })
    assert.equal(olivia.display_name, 'Olivia')
    assert.doesNotMatch(olivia.avatar, /missing/)
    await context.close()
  })
})

suite('settings and offline reading', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    const bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    for (let index = 1; index <= 25; index += 1)
      await bo.client.post('/api/v1/statuses', { status: `Post number ${index}` })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  test('new users are shown people and hashtags to follow', async () => {
    const page = await web.openClient(ada, { path: '/start?step=people' })
    await heading(page, 'People to follow')
    await next(page)
    await heading(page, 'Hashtags to follow')
    await page.getByLabel('Another hashtag').fill('linnets')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByText('You follow #linnets').waitFor()
    await checkPage(page, 'hashtags to follow')
    await page.context().close()
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
    const page = await web.openClient(ada, { path: '/settings' })
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
    await page.context().close()
  })

  test('without a network, a reload shows the same posts at the same place', async () => {
    const page = await web.openClient(ada)
    await page.getByRole('article').first().waitFor()
    await page.evaluate(untilShellIsSaved)
    await page.mouse.wheel(0, 900)
    const post = page.getByRole('article').filter({ hasText: 'Post number 17' })
    await post.waitFor()
    await page.evaluate(untilTimelineIsSaved)
    const top = () => post.evaluate((element) => element.getBoundingClientRect().top)
    const before = await top()
    await page.context().setOffline(true)
    await page.reload()
    await post.waitFor()
    await page.getByText("You're offline").waitFor()
    const after = await top()
    assert.ok(Math.abs(after - before) < 40, `moved from ${before} to ${after}`)
    await page.context().setOffline(false)
    await page.context().close()
  })

  test('the settings are accessible, light and dark, from 320 pixels', async () => {
    for (const options of VIEWS) {
      const page = await web.openClient(ada, { path: '/settings', ...options })
      for (const section of ['Appearance', 'Timelines', 'Privacy and reach', 'Push notifications']) {
        await page.getByRole('link', { name: new RegExp(section) }).click()
        await page.getByRole('heading', { name: section, exact: true, level: 1 }).waitFor()
        await checkPage(page, `${section} at ${options.width ?? 1280} pixels`)
        await page.getByRole('button', { name: 'Back' }).click()
      }
      await page.getByLabel('Find a setting').waitFor()
      await checkPage(page, `the settings at ${options.width ?? 1280} pixels`)
      await page.context().close()
    }
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

/** Resolves when the service worker can show the client without a network. */
const untilShellIsSaved = `(async () => {
  while (!navigator.serviceWorker.controller || !(await caches.match('/home')))
    await new Promise((resolve) => setTimeout(resolve, 50))
})()`

/** Resolves when a timeline is stored. */
const untilTimelineIsSaved = `(async () => {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open('linnet')
    request.onsuccess = () => resolve(request.result)
  })
  const count = () =>
    new Promise((resolve) => {
      const request = database.transaction('timelines').objectStore('timelines').count()
      request.onsuccess = () => resolve(request.result)
    })
  while ((await count()) === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  database.close()
})()`
