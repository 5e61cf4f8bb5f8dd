import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { until } from '../streaming/streams.ts'
import { openWebClientTest, watchSubscription } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { untilFocused } from './wait-until.ts'

// Slow: it starts a server and a browser.

suite('messages of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await bo.client.post('/api/v1/statuses', { status: 'Good morning' })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  test('a message about something in a dialog can be read and pressed there, and stays when the dialog closes', async () => {
    const page = await web.openClient(ada, { path: '/notifications' })
    await page.route('**/api/v2/notifications/policy', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, json: { error: 'No' } }),
    )
    await page.getByRole('button', { name: 'Notification options' }).click()
    await page.getByRole('menuitem', { name: 'Manage notifications from…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().selectOption({ index: 1 })
    const failure = page.getByRole('alert')
    const retry = failure.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    const isOnTop = await retry.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
    })
    assert.ok(isOnTop, 'the dialog does not cover the message')
    await retry.click()
    await retry.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.unrouteAll()
    await retry.click()
    await failure.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a message disappears by itself, but not while the pointer or the focus is on it', async () => {
    const page = await web.openClient(ada, {
      path: '/settings/client/timelines',
      onPage: (opened) => opened.clock.install(),
    })
    await page.getByRole('checkbox', { name: 'Show boosts' }).click()
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
    await undo.hover()
    await page.clock.fastForward(30_000)
    assert.equal(await undo.count(), 1, 'under the pointer')
    await undo.focus()
    await page.mouse.move(10, 10)
    await page.clock.fastForward(30_000)
    assert.equal(await undo.count(), 1, 'with the focus')
    await undo.blur()
    await page.clock.fastForward(30_000)
    await undo.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('new posts are announced to screen readers at once, then at most every ten seconds', async () => {
    const { subscribed, onPage } = watchSubscription()
    const page = await web.openClient(ada, {
      path: '/public/local',
      onPage: async (opened) => {
        onPage(opened)
        await opened.clock.install()
      },
    })
    await page.getByText('Good morning').waitFor()
    // The connection is opened after a pause.
    await page.clock.fastForward(2_000)
    await subscribed
    const write = async (status: string) => {
      await bo.client.post('/api/v1/statuses', { status })
      await web.testServer.waitForJobs()
    }
    const spoken = page.locator('#announcements')
    await write('First')
    await until(async () => (await spoken.textContent()) === '1 new post', 'the first announcement')
    await write('Second')
    await write('Third')
    await page.getByRole('button', { name: '3 new posts' }).waitFor()
    assert.equal(await spoken.textContent(), '1 new post')
    await page.clock.fastForward(10_000)
    await until(async () => (await spoken.textContent()) === '3 new posts', 'the second announcement')
    await page.context().close()
  })

  test('the question before all notifications are cleared returns the focus when it is cancelled', async () => {
    await bo.client.post('/api/v1/statuses', { status: '@ada a linnet' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { path: '/notifications' })
    await page.getByText('mentioned you').waitFor()
    const menu = page.getByRole('button', { name: 'Notification options' })
    const open = async () => {
      await menu.press('Enter')
      await page.getByRole('menuitem', { name: 'Clear notifications' }).press('Enter')
      return page.getByRole('dialog')
    }
    const dialog = await open()
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    await untilFocused(menu)
    await open()
    await dialog.getByRole('button', { name: 'Clear notifications' }).press('Enter')
    await page.getByText('mentioned you').waitFor({ state: 'detached' })
    await untilFocused(menu)
    await page.context().close()
  })
})
