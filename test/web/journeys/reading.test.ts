// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import arabicComposer from '../../../src/lib/messages/web-catalogues/ar/statuses/composer.json' with { type: 'json' }
import arabicShell from '../../../src/lib/messages/web-catalogues/ar/shell/shell.json' with { type: 'json' }
import { checkPage } from '../../http/pages/check-page.ts'
import type { TestUser } from '../../servers/test-server.ts'
import { withoutChromium } from '../../services/browser.ts'
import { until } from '../../streaming/streams.ts'
import { openWebClientTest } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'
import { changeView, checkPages, checkViews, NARROW } from '../views.ts'
import { untilFocused, untilPressed } from '../wait-until.ts'

/** More than are loaded at once, and more than fit into any window. */
const POSTS = 215

suite('journeys of readers', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let newestId: string

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    for (let index = 1; index <= POSTS; index += 1) newestId = await post(bo, `Post number ${index} about #linnets`)
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const post = async (user: TestUser, status: string): Promise<string> => {
    const { body, status: code } = await user.client.post('/api/v1/statuses', { status })
    assert.equal(code, 200, JSON.stringify(body))
    return body.id
  }
  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const topOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().top)
  const assertUnmoved = async (element: Locator, before: number) => {
    const now = await topOf(element)
    assert.ok(Math.abs(now - before) < 3, `moved from ${before} to ${now}`)
  }
  /** Waits until an element is where it was. The client restores the position when it has measured the posts above. */
  const untilAt = async (element: Locator, before: number) => {
    await element.waitFor()
    await until(async () => Math.abs((await topOf(element)) - before) < 3, `the element at ${before} pixels`)
  }
  /** Resolves when the window has subscribed to its stream. */
  const untilSubscribed = (page: Page) =>
    new Promise<void>((resolve) => page.on('websocket', (socket) => socket.on('framesent', () => resolve())))

  test('two windows: a post of one waits behind a button in the other, which stays where it is', async () => {
    let subscribed = Promise.resolve()
    const reading = await web.openClient(ada, {
      onPage: (page) => {
        subscribed = untilSubscribed(page)
      },
    })
    const third = articleOf(reading, `Post number ${POSTS - 2} about`)
    await third.waitFor()
    await reading.mouse.wheel(0, 300)
    // Playwright does not wait for the scrolling.
    await until(async () => (await reading.evaluate<number>('scrollY')) > 0)
    await subscribed
    const before = await topOf(third)
    const writing = await reading.context().newPage()
    await writing.goto('/home')
    await writing.getByRole('button', { name: 'New post' }).click()
    const dialog = writing.getByRole('dialog', { name: 'New post' })
    await dialog.getByRole('textbox').fill('A post from the other window')
    await dialog.getByRole('textbox').press('Control+Enter')
    await articleOf(writing, 'A post from the other window').waitFor()

    await reading.bringToFront()
    const button = reading.getByRole('button', { name: '1 new post' })
    await button.waitFor()
    assert.equal(await reading.getByText('A post from the other window').count(), 0)
    await assertUnmoved(third, before)
    // A change of the window's size would move the post.
    await checkPage(reading, 'a timeline with a new post', { isNarrowToo: false })
    await button.press('Enter')
    await button.waitFor({ state: 'detached' })
    await assertUnmoved(third, before)
    await untilFocused(reading.getByRole('heading', { name: 'Home', level: 1 }))
    await reading.evaluate('scrollTo(0, 0)')
    await reading.getByText('A post from the other window').waitFor()
    await reading.context().close()
  })

  test('200 posts down, a thread, back and a reload lead to the same place', async () => {
    const page = await web.openClient(ada)
    const old = articleOf(page, `Post number ${POSTS - 200} about`)
    await page.getByRole('article').first().waitFor()
    while ((await old.count()) === 0) {
      // Two steps at once could pass the post.
      await page.evaluate('new Promise((resolve) => { scrollBy(0, 900); requestAnimationFrame(resolve) })')
      await page.locator('[role=feed][aria-busy=false]').waitFor()
    }
    // In the middle, nothing covers it, so that a click does not scroll.
    await old.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    assert.ok((await page.getByRole('article').count()) < 60, 'only rows near the window are in the document')
    const before = await topOf(old)
    await old.locator('time').click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await untilAt(old, before)
    await untilFocused(old)
    await page.reload()
    await untilAt(old, before)
    await checkPage(page, 'the timeline far down')
    await page.context().close()
  })

  test('with the keyboard alone, a user reads, opens, answers, favourites, boosts, returns and gets help', async () => {
    const id = await post(bo, 'A post for keys')
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    await articleOf(page, 'A post for keys').waitFor()
    await page.keyboard.press('j')
    await page.locator('article:focus').filter({ hasText: 'A post for keys' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator(`article[data-status="${id}"][aria-current]:focus`).waitFor()
    for (const [key, path] of Object.entries({ f: 'favourite', b: 'reblog' })) {
      const saved = page.waitForResponse((response) => response.url().endsWith(`/${path}`) && response.ok())
      await page.keyboard.press(key)
      await saved
    }
    const pressed = page.locator(`article[data-status="${id}"][aria-current]`).getByRole('button', { pressed: true })
    assert.deepEqual(await pressed.allInnerTexts(), ['Boost\n1', 'Favourite\n1'])
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Reply' }).waitFor()
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('By keys')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: /repl/i }).getByText('By keys').waitFor()
    await page.locator(`article[data-status="${id}"]:focus`).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await page.keyboard.press('Backspace')
    await page.locator('section article:focus').filter({ hasText: 'By keys' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.waitForURL('**/home')
    await page.locator('article:focus').filter({ hasText: 'A post for keys' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await checkPage(page, 'the list of shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { body } = await ada.client.get(`/api/v1/statuses/${id}`)
    assert.deepEqual([body.favourited, body.reblogged, body.replies_count], [true, true, 1])
    await page.context().close()
  })

  test('at 320 pixels and 400 % zoom, in Arabic, each page fits and is usable from right to left', async () => {
    const amal = await web.testServer.createUser({ username: 'amal' })
    await web.testServer.ctx.db.updateTable('users').set({ locale: 'ar' }).where('id', '=', amal.userId).execute()
    await amal.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await web.testServer.waitForJobs()
    const views = [
      { width: 320, height: 640, theme: 'light' },
      { width: 320, height: 256, theme: 'dark' },
    ] as const
    const page = await web.openClient(amal, views[0])
    const post = page.getByRole('article').first()
    const leftOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().left)
    for (const view of views) {
      await changeView(page, view)
      await post.waitFor()
      assert.equal(await page.evaluate('getComputedStyle(document.documentElement).direction'), 'rtl')
      await checkPage(page, `the home timeline in Arabic at 320 × ${view.height} pixels`)
      assert.ok(
        (await leftOf(post.locator('> a'))) > (await leftOf(post.locator('header'))),
        'the avatar is at the right',
      )
    }
    await page.getByRole('button', { name: arabicShell['web.nav.write'] }).click()
    const dialog = page.getByRole('dialog', { name: arabicComposer['web.composer.title-new'] })
    await dialog.getByRole('textbox').fill('مرحبا')
    await dialog.getByRole('button', { name: arabicComposer['web.composer.poll'] }).click()
    await checkViews(page, 'the composer in Arabic', views.toReversed())
    await dialog.getByRole('button', { name: arabicShell['web.close'] }).click()
    await checkPages(page, [`/@bo/${newestId}`, '/@bo', '/notifications', '/settings', '/search?q=bo'], views)
    await page.context().close()
  })

  test('a filter hides a post with a notice, and Show anyway shows it', async () => {
    await ada.client.post('/api/v2/filters', {
      title: 'Spoilers',
      context: ['home'],
      keywords_attributes: [{ keyword: 'finale' }],
    })
    await post(bo, 'The finale was sad')
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    const notice = page.getByRole('article', { name: 'Matches filter “Spoilers”' })
    await notice.waitFor()
    assert.equal(await page.getByText('The finale was sad').count(), 0)
    await checkPage(page, 'a filtered post')
    await notice.getByRole('button', { name: 'Show anyway' }).click()
    await page.locator('article:focus').filter({ hasText: 'The finale was sad' }).waitFor()
    await page.context().close()
  })

  test('one URL is a page of the server for visitors, and the client for users', async () => {
    const id = await post(bo, 'For all')
    const visitor = await web.browser.newContext({ baseURL: web.origin, locale: 'en-GB', javaScriptEnabled: false })
    const serverPage = await visitor.newPage()
    const page = await web.openClient(ada, { path: `/@bo/${id}` })
    for (const [path, text] of [
      [`/@bo/${id}`, 'For all'],
      ['/@bo', '@bo'],
      ['/tags/linnets', '#linnets'],
    ] as const) {
      await serverPage.goto(path)
      await serverPage.getByText(text).first().waitFor()
      assert.equal(await serverPage.locator('#start-data').count(), 0)
      await page.goto(path)
      await page.getByRole('main').getByText(text).first().waitFor()
      await page.locator('#start-data').waitFor({ state: 'attached' })
      await checkPage(page, `${path} in the client`)
    }
    await visitor.close()
    await page.context().close()
  })

  test('a boost shows at once in all copies, and goes back with a message that tries again if it fails', async () => {
    const id = await post(bo, 'Worth a boost')
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    const boost = articleOf(page, 'Worth a boost').getByRole('button', { name: 'Boost' })
    await boost.waitFor()
    const refusal = Promise.withResolvers<void>()
    await page.route('**/reblog', async (route) => {
      await refusal.promise
      await route.fulfill({ status: 500, json: { error: 'No' } })
    })
    await boost.click()
    await untilPressed(boost, true)
    refusal.resolve()
    const alert = page.getByRole('alert').filter({ hasText: 'The boost could not be saved' })
    await alert.waitFor()
    await untilPressed(boost, false)
    await checkPage(page, 'a failed boost')
    await page.unroute('**/reblog')
    const saved = page.waitForResponse((response) => response.url().endsWith('/reblog') && response.ok())
    await alert.getByRole('button', { name: 'Try again' }).click()
    await saved
    await untilPressed(boost, true)
    assert.equal((await ada.client.get(`/api/v1/statuses/${id}`)).body.reblogged, true)
    await page.context().close()
  })

  test('the timeline is accessible, light and dark, from 320 pixels', async () => {
    const page = await web.openClient(ada, NARROW)
    await page.getByRole('article').first().waitFor()
    await checkViews(page, 'the home timeline')
    await page.context().close()
  })
})
