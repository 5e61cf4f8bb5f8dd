import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Status } from '../../src/entities/statuses/status.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'
import { untilFocused } from './wait-until.ts'

// Slow: it starts a server and a browser.

suite('the web client uses the width of the window', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let cy: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    cy = await web.testServer.createUser({ username: 'cy' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    for (let index = 1; index <= 30; index += 1)
      await bo.client.post('/api/v1/statuses', { status: `Post number ${index} about #linnets` })
    await bo.client.post('/api/v1/statuses', { status: 'A word with @ada' })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const side = (page: Page) => page.getByRole('complementary', { name: 'Search and discover' })
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  test('beside the page, there are a search, trending hashtags and accounts to follow', async () => {
    const page = await web.openClient(ada, { onPage: serveDiscoveries })
    await side(page).getByRole('link', { name: '#walnuts' }).waitFor()
    await side(page).getByRole('link', { name: 'About this server' }).waitFor()
    await checkPage(page, 'the home timeline with its side column')

    await page.locator('main article').first().focus()
    await page.keyboard.press('s')
    const field = side(page).getByRole('searchbox')
    await untilFocused(field)
    const followed = page.waitForResponse((response) => response.url().endsWith(`/${cy.accountId}/follow`))
    await side(page).getByRole('button', { name: 'Follow @cy' }).click()
    assert.ok((await followed).ok())

    await field.fill('bo')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
    assert.equal(await page.getByRole('searchbox').count(), 1, 'the page of searches has the only field')
    assert.equal(await page.getByRole('main').getByRole('searchbox').inputValue(), 'bo')

    for (let index = 1; index <= 5; index += 1) await ada.client.post('/api/v1/lists', { title: `List ${index}` })
    await page.reload()
    await page.getByRole('link', { name: 'List 5' }).waitFor()
    const { y, height } = (await page.getByRole('button', { name: 'Account menu of @ada' }).boundingBox())!
    assert.ok(y + height <= 900, 'the account menu stays in the window below the lists')

    await page.setViewportSize({ width: 1000, height: 800 })
    await side(page).waitFor({ state: 'detached' })
    for (const name of ['Home', 'Explore', 'Private mentions', 'New post']) await page.getByTitle(name).waitFor()
    await page.context().close()
  })

  test('very wide windows show up to two pinned pages, which scroll on their own and stay up to date', async () => {
    const subscribed = Promise.withResolvers<void>()
    const page = await web.openClient(ada, {
      path: '/tags/linnets',
      width: 1920,
      onPage: (opened) =>
        opened.on('websocket', (socket) =>
          socket.on('framesent', ({ payload }) => String(payload).includes('hashtag') && subscribed.resolve()),
        ),
    })
    await page.getByRole('button', { name: 'Pin as a column' }).click()
    const tag = column(page, '#linnets')
    await tag.getByText('Post number 30 ').waitFor()
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('button', { name: 'Pin as a column' }).click()
    await column(page, 'Notifications').getByText('A word with').waitFor()
    assert.equal(await side(page).count(), 0, 'two columns take the place of the side column')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.locator('main article').first().waitFor()
    await checkPage(page, 'two pinned columns', { isNarrowToo: false })
    const main = await page.getByRole('main').boundingBox()
    assert.ok(main && main.width <= 640, `posts are ${main?.width} pixels wide`)

    const content = tag.locator('> div')
    while ((await tag.getByText('Post number 5 ').count()) === 0) {
      await content.evaluate((element) => element.scrollBy(0, 600))
      await tag.locator('[role=feed][aria-busy=false]').waitFor()
    }
    assert.equal(await page.evaluate('scrollY'), 0)

    const fifth = tag.getByRole('article').filter({ hasText: 'Post number 5 ' })
    const topOf = () => fifth.evaluate((element) => element.getBoundingClientRect().top)
    await fifth.scrollIntoViewIfNeeded()
    const before = await topOf()
    await subscribed.promise
    await bo.client.post('/api/v1/statuses', { status: 'One more about #linnets' })
    await web.testServer.waitForJobs()
    await tag.getByRole('button', { name: '1 new post' }).click()
    await tag.getByRole('button', { name: '1 new post' }).waitFor({ state: 'detached' })
    const moved = Math.abs((await topOf()) - before)
    assert.ok(moved < 3, `moved by ${moved} pixels`)

    await page.reload()
    await column(page, 'Notifications').getByRole('button', { name: 'Unpin Notifications' }).click()
    await column(page, 'Notifications').waitFor({ state: 'detached' })
    await side(page).waitFor()
    await page.setViewportSize({ width: 1600, height: 900 })
    // Narrower windows have no room for columns.
    await tag.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a thread opens beside the timeline if the user wants that, and back or Escape closes it', async () => {
    const question = await bo.client.post<Status>('/api/v1/statuses', { status: 'Who has seen a linnet?' })
    const answer = { status: '@bo I have seen two', in_reply_to_id: question.body.id }
    await cy.client.post('/api/v1/statuses', answer)
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { path: '/settings/client/timelines' })
    await page.getByRole('checkbox', { name: 'Open posts beside the timeline' }).click()
    await page.getByRole('link', { name: 'Home' }).click()
    const post = page.getByRole('main').getByRole('article').filter({ hasText: 'Who has seen a linnet?' })
    const path = `/@bo/${question.body.id}`
    await post.focus()
    await page.keyboard.press('Enter')
    const thread = column(page, 'Post')
    const main = thread.locator('[data-start]')
    await untilFocused(main)
    await thread.getByText('I have seen two').waitFor()
    assert.equal(new URL(page.url()).pathname, path)
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Home')
    assert.equal(await side(page).count(), 0)
    await checkPage(page, 'a thread beside the timeline', { isNarrowToo: false })

    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await main.getByText('I have seen two').waitFor()
    await page.keyboard.press('Backspace')
    await main.getByText('Who has seen').waitFor()
    await page.keyboard.press('Escape')
    await thread.waitFor({ state: 'detached' })
    await untilFocused(post)
    await side(page).waitFor()
    assert.equal(new URL(page.url()).pathname, '/home')

    const link = post.locator('[data-key=o]')
    assert.equal(await link.getAttribute('href'), path)
    const opening = page.context().waitForEvent('page')
    await link.click({ modifiers: ['ControlOrMeta'] })
    const tab = await opening
    await tab.getByRole('heading', { name: 'Post', level: 1 }).waitFor()
    await tab.close()

    await link.click()
    await thread.waitFor()
    await page.reload()
    await thread.getByText('I have seen two').waitFor()
    await page.goBack()
    await thread.waitFor({ state: 'detached' })
    await page.goForward()
    await thread.getByRole('link', { name: 'Post', exact: true }).click()
    await page.getByRole('heading', { name: 'Post', level: 1 }).waitFor()
    await page.goBack()
    await thread.waitFor()
    await page.setViewportSize({ width: 1000, height: 800 })
    await page.getByRole('heading', { name: 'Post', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, path)
    await page.context().close()
  })

  test('the composer opens beside the timeline if the user wants that, and keeps its text in narrow windows', async () => {
    const page = await web.openClient(ada, { path: '/settings/client/timelines' })
    await page.getByRole('checkbox', { name: 'Write posts beside the timeline' }).click()
    await page.getByRole('link', { name: 'Home' }).click()
    const posts = page.getByRole('main').getByRole('article')
    await posts.first().focus()
    await page.keyboard.press('n')
    const composer = page.getByRole('region', { name: 'New post' })
    const field = composer.getByRole('textbox', { name: "What's on your mind?" })
    await untilFocused(field)
    await field.fill('Two linnets')
    await checkPage(page, 'the composer beside the timeline', { isNarrowToo: false })
    assert.equal(await page.getByRole('dialog').count(), 0)

    await posts.nth(1).focus()
    await page.keyboard.press('n')
    await untilFocused(field)
    assert.equal(await field.inputValue(), 'Two linnets')

    await page.setViewportSize({ width: 1000, height: 800 })
    const dialog = page.getByRole('dialog', { name: 'New post' })
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'Two linnets')
    await page.setViewportSize({ width: 1400, height: 800 })
    await field.press('Escape')
    await composer.waitFor({ state: 'detached' })
    await untilFocused(posts.first())
    await side(page).waitFor()
    await page.context().close()
  })

  test('in forced colours, what is chosen and what has focus differ by more than their colours', async () => {
    const page = await web.openClient(ada, { path: '/home' })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.locator('main article').first().focus()
    await checkPage(page, 'the home timeline in forced colours')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    const backgroundOf = (locator: Locator) =>
      locator.evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).backgroundColor)
    const current = await backgroundOf(navigation.getByRole('link', { name: 'Home' }))
    assert.notEqual(current, await backgroundOf(navigation.getByRole('link', { name: 'Explore' })))

    const isNotMarked = async (locator: Locator) =>
      assert.notEqual(await backgroundOf(locator), current, String(locator))
    await isNotMarked(page.getByRole('banner').getByRole('link').first())
    await page.goto('/@bo')
    const post = page.locator('main article').first()
    await post.waitFor()
    for (const link of await page.getByRole('main').locator('a[aria-current]:not(nav a)').all()) await isNotMarked(link)
    await post.locator('[data-key=o]').first().click()
    const main = page.locator('main article[aria-current]')
    await main.waitFor()
    await isNotMarked(main)
    await checkPage(page, 'a thread in forced colours')
    await page.context().close()
  })

  test('menus, dialogs and errors are accessible', async () => {
    const page = await web.openClient(ada, { path: '/home', width: 320, theme: 'dark' })
    const post = page.locator('main article').first()
    await post.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await checkPage(page, 'the menu of a post')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').waitFor()
    await checkPage(page, 'the menu of pages')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await checkPage(page, 'the keyboard shortcuts')
    await page.keyboard.press('Escape')

    await page.route('**/api/v1/timelines/public?**', (route) => route.fulfill({ status: 503, json: { error: 'No' } }))
    await visit(page, '/public/local')
    await page.getByRole('alert').waitFor()
    await checkPage(page, 'a timeline that could not be loaded')
    await page.unroute('**/api/v1/timelines/public?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main article').first().waitFor()
    await visit(page, '/@nobody')
    await page.locator('main h2, main h1').first().waitFor()
    await checkPage(page, 'a missing profile')
    await page.context().close()
  })

  /** Responds to the requests for trends, which the server calculates from more users than a test has. */
  function serveDiscoveries(page: Page): void {
    const history = Array.from({ length: 7 }, (_, day) => ({ day: String(day), accounts: '6', uses: String(9 - day) }))
    const isFirst = (url: string) => (new URL(url).searchParams.get('offset') ?? '0') === '0'
    void page.route('**/api/v1/trends/tags?*', (route) =>
      route.fulfill({
        json: isFirst(route.request().url()) ? [{ id: '1', name: 'walnuts', url: '/tags/walnuts', history }] : [],
      }),
    )
    void page.route('**/api/v2/suggestions?*', async (route) => {
      const { body: account } = await ada.client.get(`/api/v1/accounts/${cy.accountId}`)
      await route.fulfill({ json: [{ source: 'global', sources: ['most_followed'], account }] })
    })
  }
})
