// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { checkPage } from '../../http/pages/check-page.ts'
import type { TestUser } from '../../servers/test-server.ts'
import { until } from '../../streaming/streams.ts'
import { untilShellIsSaved, untilTimelineIsSaved } from '../browser-data.ts'
import { withoutChromium } from '../../services/browser.ts'
import { openWebClientTest } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'
import { untilPressed } from '../wait-until.ts'

suite('journeys without a network', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    await web.testServer.createUser({ username: 'cy' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    for (let index = 1; index <= 25; index += 1)
      await bo.client.post('/api/v1/statuses', { status: `Post number ${index}` })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  /** Collects the requests of all windows that change something. */
  const collectChanges = (context: BrowserContext): string[] => {
    const paths: string[] = []
    context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST' && pathname.startsWith('/api/v1/')) paths.push(pathname)
    })
    return paths
  }

  test('without a network, a reload shows the same posts at the same place until the user logs out', async () => {
    const page = await web.openClient(ada, { hasServiceWorker: true })
    await page.getByRole('article').first().waitFor()
    await page.evaluate(untilShellIsSaved)
    await page.mouse.wheel(0, 900)
    // Playwright does not wait for the scrolling.
    await until(async () => (await page.evaluate<number>('scrollY')) > 0)
    const post = articleOf(page, 'Post number 17')
    await post.waitFor()
    await page.evaluate(untilTimelineIsSaved)
    const top = () => post.evaluate((element) => element.getBoundingClientRect().top)
    const before = await top()
    await page.context().setOffline(true)
    await page.reload()
    await post.waitFor()
    await page.getByText("You're offline").waitFor()
    // The client restores the position when it has measured the posts above.
    await until(async () => Math.abs((await top()) - before) < 40, `the post at ${before} pixels`)
    await page.context().setOffline(false)

    await page.goto('/account')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('/')
    await page.context().setOffline(true)
    await assert.rejects(page.goto('/home'), /ERR_FAILED/, 'after a log-out, there is nothing to read')
    await page.context().close()
  })

  test('offline, a favourite, a boost, a bookmark, a follow and a reply wait, survive a reload, and are sent once', async () => {
    const page = await web.openClient(ada, { path: '/@cy', hasServiceWorker: true })
    const context = page.context()
    const changes = collectChanges(context)
    await page.getByRole('button', { name: 'Follow @cy' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await articleOf(page, 'Post number 25').waitFor()
    await page.evaluate(untilShellIsSaved)
    await page.evaluate(untilTimelineIsSaved)
    await context.setOffline(true)

    const buttonOf = (text: string, name: string) => articleOf(page, text).getByRole('button', { name })
    const actions = [
      ['Post number 25', 'Favourite'],
      ['Post number 24', 'Boost'],
      ['Post number 23', 'Bookmark'],
    ] as const
    for (const [text, name] of actions) {
      await buttonOf(text, name).click()
      await page.locator('article').filter({ hasText: text }).getByTitle('Waiting for a connection').waitFor()
    }
    await page.getByText('3 actions are waiting for a connection.').waitFor()
    await checkPage(page, 'actions that wait')
    await page.goBack()
    await page.getByRole('button', { name: 'Follow @cy' }).click()
    await page.getByRole('button', { name: 'Following @cy' }).waitFor()
    await page.goForward()

    await articleOf(page, 'Post number 22').locator('time').click()
    const main = page.locator('article[aria-current]').filter({ hasText: 'Post number 22' })
    await main.getByRole('button', { name: 'Reply' }).click()
    await page.getByRole('dialog', { name: 'Reply' }).getByRole('textbox').fill('@bo From the train')
    await page.getByRole('dialog', { name: 'Reply' }).getByRole('textbox').press('Control+Enter')
    const drafts = page.getByRole('button', { name: 'Drafts' })
    const lines = await drafts.evaluate((button) => {
      const text = button.ownerDocument.createRange()
      text.selectNodeContents(button)
      return text.getClientRects().length
    })
    assert.equal(lines, 1, 'the word is whole beside the long message')
    await drafts.click()
    const waiting = page.getByRole('listitem').filter({ hasText: 'From the train' })
    await waiting.getByText('Waiting for a connection').waitFor()
    await checkPage(page, 'a post that waits')
    assert.equal(changes.length, 0, 'nothing was requested')

    await page.goto('/home')
    await page.getByText('5 actions are waiting for a connection.').waitFor()
    for (const [text, name] of actions) await untilPressed(buttonOf(text, name), true)

    // The response to the first request is lost, so that the post is requested twice; both windows send.
    const keys: (string | undefined)[] = []
    await context.route('**/api/v1/statuses', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    const other = await context.newPage()
    await other.goto('/home')
    await other.getByText('5 actions are waiting').waitFor()
    await context.setOffline(false)
    const windows = [page, other]
    await Promise.any(windows.map((one) => one.getByText('Your waiting post was sent.').waitFor()))
    for (const one of windows) await one.getByTitle('Waiting for a connection').first().waitFor({ state: 'detached' })
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    const sent = changes.filter((path) => path !== '/api/v1/statuses').map((path) => path.split('/').at(-1))
    assert.deepEqual(new Set(sent), new Set(['bookmark', 'favourite', 'follow', 'reblog']))
    assert.equal(sent.length, 4)
    await web.testServer.waitForJobs()
    const { body: statuses } = await ada.client.get(`/api/v1/accounts/${ada.accountId}/statuses`, {
      exclude_reblogs: true,
    })
    assert.deepEqual(
      statuses.map(({ content }: { content: string }) => content.includes('From the train')),
      [true],
    )
    const { body: home } = await ada.client.get('/api/v1/timelines/home')
    const find = (text: string) => home.find(({ content }: { content: string }) => content.includes(text))
    assert.equal(find('Post number 25').favourited, true)
    assert.equal(find('Post number 23').bookmarked, true)
    assert.equal(find('Post number 22').replies_count, 1)
    await page.goto('/drafts')
    await page.getByText('You have no drafts').waitFor()
    await context.close()
  })

  test('an action that the server refuses later is taken back with a notice, and a post stays a draft', async () => {
    const { body: doomed } = await bo.client.post('/api/v1/statuses', { status: 'Short-lived' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { hasServiceWorker: true })
    const article = articleOf(page, 'Short-lived')
    const favourite = article.getByRole('button', { name: 'Favourite' })
    await favourite.waitFor()
    await page.evaluate(untilShellIsSaved)
    await page.context().setOffline(true)
    await favourite.click()
    await untilPressed(favourite, true)
    await article.getByRole('button', { name: 'Reply' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reply' })
    await dialog.getByRole('textbox').fill('@bo Too late')
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('2 actions are waiting').waitFor()
    await page.route('**/api/v1/statuses/*/favourite', (route) =>
      route.fulfill({ status: 422, json: { error: 'Not possible' } }),
    )
    await bo.client.delete(`/api/v1/statuses/${doomed.id}`)
    await page.context().setOffline(false)
    await page.getByText('The favourite could not be saved: Not possible').waitFor()
    const refused = page.getByRole('alert').filter({ hasText: 'Your waiting post could not be sent' })
    await refused.waitFor()
    await checkPage(page, 'refused actions')
    assert.equal(await page.getByTitle('Waiting for a connection').count(), 0)
    await refused.getByRole('button', { name: 'Open draft' }).click()
    const draft = page.getByRole('dialog', { name: 'Reply' }).getByRole('textbox')
    assert.equal(await draft.inputValue(), '@bo Too late')
    await page.context().close()
  })
})
