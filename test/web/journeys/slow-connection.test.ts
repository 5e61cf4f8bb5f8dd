// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page, Route, WebSocketRoute } from 'playwright-core'
import type { Status } from '../../../src/entities/statuses/status.ts'
import { createImage } from '../../media/images.ts'
import { until } from '../../streaming/streams.ts'
import type { TestUser } from '../../servers/test-server.ts'
import { withoutChromium } from '../../services/browser.ts'
import { openWebClientTest, STREAM } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'
import { visit } from '../visit.ts'
import { untilPressed } from '../wait-until.ts'

suite('journeys with a slow connection', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada', role: 'owner', scopes: 'read write follow admin:write' })
    bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await bo.client.post('/api/v1/statuses', { status: 'Good morning' })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const textOf = (page: Page, title: string) =>
    page.getByRole('dialog', { name: title }).getByRole('textbox', { name: "What's on your mind?" })
  const writePost = async (page: Page, text: string) => {
    await page.getByRole('button', { name: 'New post' }).click()
    await textOf(page, 'New post').fill(text)
    await textOf(page, 'New post').press('Control+Enter')
  }
  /** Requests that match wait until the test continues or aborts them. */
  const holdRequests = async (page: Page, { url, method }: { url: string; method: string }) => {
    const held: PromiseWithResolvers<Route>[] = [Promise.withResolvers(), Promise.withResolvers()]
    let count = 0
    await page.route(url, async (route) => {
      if (route.request().method() !== method) return route.continue()
      held[count]?.resolve(route)
      count += 1
      return undefined
    })
    return { held: held.map(async ({ promise }) => promise), count: () => count }
  }

  test('a post that fails after its composer was closed is reported, and what is written since stays open', async () => {
    const page = await web.openClient(ada)
    const { held } = await holdRequests(page, { url: '**/api/v1/statuses', method: 'POST' })
    await articleOf(page, 'Good morning').waitFor()
    await writePost(page, 'From a tunnel')
    const first = await held[0]!
    assert.equal(await textOf(page, 'New post').getAttribute('readonly'), '')
    await textOf(page, 'New post').press('Escape')
    await articleOf(page, 'Good morning').getByRole('button', { name: 'Reply' }).click()
    await textOf(page, 'Reply').fill('@bo And to you')
    await first.abort()
    const failure = page.getByRole('alert').filter({ hasText: 'Your post is still here' })
    await failure.waitFor()
    assert.equal(await textOf(page, 'Reply').inputValue(), '@bo And to you')
    await textOf(page, 'Reply').press('Escape')
    await failure.getByRole('button', { name: 'Open draft' }).click()
    assert.equal(await textOf(page, 'New post').inputValue(), 'From a tunnel')

    await textOf(page, 'New post').press('Control+Enter')
    const second = await held[1]!
    await textOf(page, 'New post').press('Escape')
    await articleOf(page, 'Good morning').getByRole('button', { name: 'Reply' }).click()
    assert.equal(await textOf(page, 'Reply').inputValue(), '@bo And to you')
    await second.continue()
    await page.getByText('Post published.').waitFor()
    assert.equal(await textOf(page, 'Reply').inputValue(), '@bo And to you')
    await page.context().close()
  })

  test('a double click leaves at the server what the button shows, whichever request arrives first', async () => {
    const page = await web.openClient(ada)
    const url = '**/api/v1/statuses/*/*favourite'
    const { held, count } = await holdRequests(page, { url, method: 'POST' })
    const favourite = articleOf(page, 'Good morning').getByRole('button', { name: 'Favourite' })
    await favourite.dblclick()
    await untilPressed(favourite, false)
    const first = await held[0]!
    assert.equal(count(), 1)
    await first.continue()
    const second = await held[1]!
    assert.match(second.request().url(), /unfavourite$/)
    await second.continue()
    await page.context().close()
  })

  test('a deletion whose response was lost succeeds when the user tries again, with the text', async () => {
    await ada.client.post('/api/v1/statuses', { status: 'A tpyo\n\nand a line' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { onPage: (opened) => opened.routeWebSocket(STREAM, () => undefined) })
    let requests = 0
    await page.route('**/api/v1/statuses/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      requests += 1
      if (requests > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    const post = articleOf(page, 'A tpyo')
    await post.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete & redraft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete & redraft' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    assert.equal(await textOf(page, 'New post').inputValue(), 'A tpyo\n\nand a line')
    await post.waitFor({ state: 'detached' })
    const { body } = await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)
    assert.ok(body.every(({ content }) => !content?.includes('tpyo')))
    await page.context().close()
  })

  test('an upload that fails while the server processes it says so in the language of the user', async () => {
    const page = await web.openClient(ada)
    await page.route('**/api/v1/media/*', (route) => route.abort())
    await page.getByRole('button', { name: 'New post' }).click()
    const dialog = page.getByRole('dialog', { name: 'New post' })
    const buffer = await createImage('png', { width: 60, height: 40 })
    await dialog.locator('input[type=file]').setInputFiles([{ name: 'linnet.png', mimeType: 'image/png', buffer }])
    const failure = dialog.getByRole('alert').filter({ hasText: 'The file could not be uploaded.' })
    await failure.waitFor()
    await page.unroute('**/api/v1/media/*')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await failure.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('what is written into a personal note while it is saved stays, and is saved when the page is left', async () => {
    const page = await web.openClient(ada, { path: '/@bo' })
    const { held } = await holdRequests(page, { url: '**/api/v1/accounts/*/note', method: 'POST' })
    const note = page.getByLabel('Personal note')
    await note.fill('Met in spring')
    await note.blur()
    const first = await held[0]!
    await note.fill('Met in spring, likes linnets')
    await first.continue()
    await page.getByText('Note saved').waitFor()
    assert.equal(await note.inputValue(), 'Met in spring, likes linnets')
    await visit(page, '/home')
    assert.match((await held[1]!).request().postData() ?? '', /Met in spring, likes linnets/)
    await page.context().close()
  })

  test('a conversation and an announcement that the stream missed appear when it is there again', async () => {
    const streams: WebSocketRoute[] = []
    const page = await web.openClient(ada, {
      onPage: (opened) => opened.routeWebSocket(STREAM, (socket) => void streams.push(socket)),
    })
    const announce = (text: string) => ada.client.post('/api/v1/admin/announcements', { text, published: true })
    await articleOf(page, 'Good morning').waitFor()
    await until(async () => streams.length === 1, 'the first connection')
    await announce('A new roof')
    await streams[0]!.close()
    await page.getByText('A new roof').waitFor()
    await page.getByRole('link', { name: 'Private mentions' }).first().click()
    await page.getByText('any private mentions yet').waitFor()
    await until(async () => streams.length === 2, 'the second connection')
    await bo.client.post('/api/v1/statuses', { status: '@ada In private', visibility: 'direct' })
    await announce('Open day')
    await web.testServer.waitForJobs()
    await streams[1]!.close()
    await page.getByRole('listitem').filter({ hasText: 'In private' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('1 of 2').waitFor()
    await page.context().close()
  })

  test('a log-out without a connection says that it failed, and succeeds later', async () => {
    const page = await web.openClient(bo)
    await page.route('**/oauth/revoke', (route) => route.abort())
    await page.getByRole('button', { name: 'Account menu of @bo' }).first().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'You could not be logged out' })
    await failure.waitFor()
    await page.unroute('**/oauth/revoke')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
    await page.context().close()
  })
})
