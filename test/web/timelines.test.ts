import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

suite('the web client shows timelines', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    for (let index = 1; index <= 45; index += 1)
      await bo.client.post('/api/v1/statuses', { status: `Post number ${index} about #linnets for @ada` })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const post = async (status: string) => {
    await bo.client.post('/api/v1/statuses', { status })
    await web.testServer.waitForJobs()
  }

  test('a new post waits behind a button, and neither it nor the button moves what the user reads', async () => {
    const subscribed = Promise.withResolvers<void>()
    const page = await web.openClient(ada, {
      onPage: (opened) => opened.on('websocket', (socket) => socket.on('framesent', () => subscribed.resolve())),
    })
    const third = page.getByRole('article').filter({ hasText: 'Post number 43 ' })
    await third.waitFor()
    await page.mouse.wheel(0, 300)
    const before = await third.evaluate((element) => element.getBoundingClientRect().top)
    await subscribed.promise
    await post('A post that arrives meanwhile')
    const button = page.getByRole('button', { name: '1 new post' })
    await button.waitFor()
    assert.equal(await page.getByText('A post that arrives meanwhile').count(), 0)
    await button.click()
    await button.waitFor({ state: 'detached' })
    const after = await third.evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(Math.abs(after - before) < 3, `moved from ${before} to ${after}`)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('A post that arrives meanwhile').waitFor()
    await page.context().close()
  })

  test('a favourite shows at once in all copies, and goes back with a message if the server refuses it', async () => {
    const page = await web.openClient(ada)
    const star = page.getByRole('article').first().getByRole('button', { name: 'Favourite' })
    const saved = page.waitForResponse((response) => response.url().endsWith('/favourite') && response.ok())
    await star.click()
    assert.equal(await star.getAttribute('aria-pressed'), 'true')
    await saved
    await page.route('**/api/v1/statuses/*/unfavourite', (route) =>
      route.fulfill({ status: 500, json: { error: 'No' } }),
    )
    await star.click()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await star.getAttribute('aria-pressed'), 'true')
    await page.unroute('**/api/v1/statuses/*/unfavourite')
    const removed = page.waitForResponse((response) => response.url().endsWith('/unfavourite') && response.ok())
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await removed
    assert.equal(await star.getAttribute('aria-pressed'), 'false')
    await page.context().close()
  })

  test('after a post has been opened far down, back leads to the same place', async () => {
    const page = await web.openClient(ada)
    const old = page.getByRole('article').filter({ hasText: 'Post number 15 ' })
    await page.getByRole('article').first().waitFor()
    while ((await old.count()) === 0) {
      await page.mouse.wheel(0, 700)
      await page.locator('[role=feed][aria-busy=false]').waitFor()
    }
    await old.scrollIntoViewIfNeeded()
    const before = await old.evaluate((element) => element.getBoundingClientRect().top)
    await old.locator('time').click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await old.waitFor()
    const after = await old.evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(Math.abs(after - before) < 3, `moved from ${before} to ${after}`)
    await page.context().close()
  })

  test('the timeline is accessible, light and dark, from 320 pixels', async () => {
    for (const options of [{}, { width: 320, theme: 'dark' as const }]) {
      const page = await web.openClient(ada, options)
      await page.getByRole('article').first().waitFor()
      await checkPage(page, `the home timeline at ${options.width ?? 1280} pixels`)
      await page.context().close()
    }
  })
})
