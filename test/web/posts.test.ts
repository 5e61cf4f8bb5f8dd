// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Status } from '../../src/entities/statuses/status.ts'
import { multipart } from '../http/client.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest, STREAM } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'
import { untilFocused, untilPressed } from './wait-until.ts'

suite('the web client shows posts and threads', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let cy: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    cy = await web.testServer.createUser({ username: 'cy' })
  })
  after(() => web?.close())

  const post = async (user: TestUser, body: object): Promise<string> => {
    const answer = await user.client.post<{ id: string }>('/api/v1/statuses', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.id
  }
  const upload = async (user: TestUser, description: string): Promise<string> => {
    const create = { width: 60, height: 40, channels: 3, background: 'teal' } as const
    const bytes = await sharp({ create }).png().toBuffer()
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes }, description })
    return (await user.client.post('/api/v2/media', form.payload, form.headers)).body.id
  }
  const openThread = async (id: string, user = ada, onPage?: (page: Page) => unknown) => {
    const page = await web.openClient(user, { path: `/@bo/${id}`, ...(onPage && { onPage }) })
    const main = page.locator(`article[data-status="${id}"]`)
    await main.waitFor()
    return { page, main }
  }
  const openMenu = async (post: Locator, item: string) => {
    await post.getByRole('button', { name: 'More', exact: true }).click()
    await post.getByRole('menuitem', { name: item, exact: true }).click()
  }

  test('authors boost their own posts for followers, and nobody else does', async () => {
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    const id = await post(bo, { status: 'For followers', visibility: 'private' })
    const direct = await post(bo, { status: 'For nobody else', visibility: 'direct' })
    const ofFollower = await openThread(id)
    assert.ok(await ofFollower.main.getByRole('button', { name: 'Boost' }).isDisabled())
    await ofFollower.page.context().close()
    const { page, main } = await openThread(id, bo)
    const boosted = page.waitForResponse((response) => response.url().endsWith(`/${id}/reblog`))
    await main.getByRole('button', { name: 'Boost' }).click()
    assert.equal(((await (await boosted).json()) as Status).visibility, 'private')
    await untilPressed(main.getByRole('button', { name: 'Boost' }), true)
    await page.context().close()
    const ofAuthor = await openThread(direct, bo)
    assert.ok(await ofAuthor.main.getByRole('button', { name: 'Boost' }).isDisabled())
    await ofAuthor.page.context().close()
  })

  test('keys open the content warning, uncover the media and open the viewer, which returns the focus', async () => {
    const media = [await upload(bo, 'The first'), await upload(bo, 'The second')]
    const id = await post(bo, { status: 'Inside', spoiler_text: 'Birds', media_ids: media })
    const { page, main } = await openThread(id)
    await main.focus()
    assert.equal(await main.getByText('Inside').count(), 0)
    await page.keyboard.press('x')
    await main.getByText('Inside').waitFor()
    assert.equal(await main.getByRole('img', { name: 'The first' }).count(), 0)
    await page.keyboard.press('h')
    await main.getByRole('img', { name: 'The first' }).waitFor()
    await page.keyboard.press('e')
    const viewer = page.getByRole('dialog', { name: 'Media viewer' })
    await viewer.getByText('1 of 2').waitFor()
    await checkPage(page, 'the viewer')
    await page.keyboard.press('ArrowRight')
    await viewer.getByText('2 of 2').waitFor()
    await viewer.getByText('The second').waitFor()
    await viewer.getByRole('button', { name: 'Zoom' }).press('Enter')
    await page.keyboard.press('ArrowLeft')
    assert.equal(await viewer.getByText('2 of 2').count(), 1, 'the key moves the zoomed picture')
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await page.locator(`article[data-status="${id}"]:focus`).waitFor()
    await page.context().close()
  })

  test('the author deletes a post after a confirmation, and the focus moves to the next one', async () => {
    await post(bo, { status: 'Stays' })
    await post(bo, { status: 'Goes away' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(bo)
    const doomed = page.getByRole('article').filter({ hasText: 'Goes away' })
    await openMenu(doomed, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete post?' })
    await checkPage(page, 'the confirmation of a deletion')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await openMenu(doomed, 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await doomed.waitFor({ state: 'detached' })
    await page.locator('article:focus').filter({ hasText: 'Stays' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Redraft' }).click()
    assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), 'Goes away')
    await page.context().close()
  })

  test('a thread is a tree that folds, and focuses its post without moving when the posts above it appear', async () => {
    const root = await post(cy, { status: 'The root' })
    const id = await post(bo, { status: 'The main post', in_reply_to_id: root })
    const first = await post(cy, { status: 'First reply', in_reply_to_id: id })
    await post(ada, { status: 'One answer', in_reply_to_id: first })
    await post(bo, { status: 'Another answer', in_reply_to_id: first })
    const { page, main } = await openThread(id)
    await page.getByText('Another answer').waitFor()
    await page.getByText('The root').waitFor({ state: 'attached' })
    await page.locator(`article[data-status="${id}"]:focus`).waitFor()
    const top = await main.evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(top > 0 && top < 100, `the main post is at ${top}`)
    for (const [width, theme] of [
      [1280, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      await checkPage(page, `a thread at ${width} pixels`)
    }
    const fold = page.getByRole('button', { name: '2 replies' })
    await fold.click()
    assert.equal(await fold.getAttribute('aria-expanded'), 'false')
    assert.equal(await page.getByText('One answer').count(), 0)
    await page.context().close()
  })

  test('quotes show the quoted post, or why it is hidden', async () => {
    const quoted = await post(cy, { status: 'The original thought' })
    const id = await post(bo, { status: 'I agree', quoted_status_id: quoted })
    // Other software than Mastodon has a span within the last paragraph.
    const content = '<p>I agree<span class="quote-inline"><br>RE: <a href="https://a.test/1">a.test/1</a></span></p>'
    await web.testServer.ctx.db.updateTable('statuses').set({ content, version: 2 }).where('id', '=', id).execute()
    const { page, main } = await openThread(id)
    await main.getByText('The original thought').waitFor()
    assert.equal(await main.getByText('RE:').count(), 0)
    await checkPage(page, 'a quote')
    await ada.client.post(`/api/v1/accounts/${cy.accountId}/mute`)
    await page.reload()
    await main.getByText('This post is hidden because you have muted @cy').waitFor()
    assert.equal(await main.getByText('The original thought').count(), 0)
    await main.getByRole('button', { name: 'Show anyway' }).click()
    await main.getByText('The original thought').waitFor()
    await ada.client.post(`/api/v1/accounts/${cy.accountId}/unmute`)
    await page.context().close()

    const author = await openThread(id, cy)
    await openMenu(author.main, 'Remove my post from the post of @bo')
    await author.page.getByRole('dialog').getByRole('button', { name: 'Remove post' }).click()
    await author.main.getByText('Post removed by its author from this quote').waitFor()
    await author.page.context().close()
  })

  test('a thread stays up to date: new replies wait behind their number, and its streams use a renewed token', async () => {
    const dee = await web.testServer.createUser({ username: 'dee' })
    await dee.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    const quoted = await post(cy, { status: 'A quotable line' })
    const id = await post(bo, { status: 'A lively thread', quoted_status_id: quoted })
    await web.testServer.waitForJobs()
    let token = ''
    let subscribed = Promise.withResolvers<void>()
    const page = await web.openClient(dee, {
      path: `/@bo/${id}`,
      onPage: (opened) => {
        opened.on('websocket', (socket) => socket.on('framesent', () => subscribed.resolve()))
        opened.on(
          'request',
          (request) => (token = request.headers()['authorization']?.slice('Bearer '.length) ?? token),
        )
      },
    })
    const main = page.locator(`article[data-status="${id}"]`)
    await main.getByText('A quotable line').waitFor()
    await subscribed.promise
    const reply = await post(bo, { status: 'A new reply', in_reply_to_id: id })
    await page.getByRole('button', { name: '1 new reply' }).waitFor()
    assert.equal(await page.getByText('A new reply').count(), 0)
    await page.getByRole('button', { name: '1 new reply' }).click()
    await page.getByText('A new reply').waitFor()
    await bo.client.put(`/api/v1/statuses/${reply}`, { status: 'A corrected reply' })
    await page.getByText('A corrected reply').waitFor()
    await cy.client.post(`/api/v1/statuses/${quoted}/quotes/${id}/revoke`)
    await main.getByText('Post removed by its author from this quote').waitFor()
    await bo.client.delete(`/api/v1/statuses/${reply}`)
    await page.getByText('A corrected reply').waitFor({ state: 'detached' })

    subscribed = Promise.withResolvers<void>()
    await web.testServer.anonymous.post('/oauth/revoke', { client_id: 'web', token })
    await page.getByRole('link', { name: 'Lists', exact: true }).click()
    await page.getByRole('heading', { name: 'Lists', exact: true }).waitFor()
    await subscribed.promise
    await post(cy, { status: '@dee are you there?' })
    await web.testServer.waitForJobs()
    await page.getByRole('link', { name: '1 unread notification' }).waitFor()
    await page.context().close()
  })

  test('a timeline that was requested before a favourite and a boost, and arrives after them, undoes neither', async () => {
    const id = await post(bo, { status: 'Kept as it is' })
    await web.testServer.waitForJobs()
    const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const page = await web.openClient(bo, {
      // When the stream is open, the client loads the newest posts again.
      onPage: (opened) =>
        opened.route(/\/timelines\/home\?.*max_id/, async (route) => {
          const response = await route.fetch()
          const statuses: { id: string; content: string }[] = await response.json()
          const old = statuses.find((status) => status.id === id)
          if (!old) return route.fulfill({ response })
          old.content = '<p>The old response</p>'
          answered.resolve()
          await released.promise
          await route.fulfill({ response, json: statuses })
        }),
    })
    const article = page.locator(`article[data-status="${id}"]`)
    const toggle = async (name: string, path: string) => {
      const saved = page.waitForResponse((response) => response.url().endsWith(path) && response.ok())
      await article.getByRole('button', { name }).click()
      await saved
    }
    await article.getByText('Kept as it is').waitFor()
    await answered.promise
    await toggle('Favourite', `${id}/favourite`)
    await toggle('Boost', `${id}/reblog`)
    released.resolve()
    await article.getByText('The old response').waitFor()
    for (const name of ['Favourite 1', 'Boost 1']) await untilPressed(article.getByRole('button', { name }), true)
    await page.context().close()
  })

  test('filters apply in profiles, notifications or public timelines as chosen, also to the media of a profile', async () => {
    for (const context of ['account', 'notifications', 'public']) {
      const keywords = [{ keyword: `only-${context}` }]
      await ada.client.post('/api/v2/filters', { title: context, context: [context], keywords_attributes: keywords })
      await post(bo, { status: `@ada only-${context}` })
    }
    await post(bo, { status: 'only-account', media_ids: [await upload(bo, 'Filtered')] })
    await post(bo, { status: 'For all', media_ids: [await upload(bo, 'Covered')], sensitive: true })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { path: '/@bo/with_replies' })
    const posts = page.getByRole('main').getByRole('article')
    await page.getByRole('article', { name: 'Matches filter “account”' }).first().waitFor()
    for (const other of ['notifications', 'public']) await posts.filter({ hasText: `only-${other}` }).waitFor()
    await visit(page, '/notifications')
    await page.getByRole('article', { name: 'Matches filter “notifications”' }).waitFor()
    for (const other of ['account', 'public']) await posts.filter({ hasText: `only-${other}` }).waitFor()
    await visit(page, '/@bo/media')
    await page.getByRole('button', { name: 'Matches filter “account”' }).waitFor()
    await page.getByRole('button', { name: 'Sensitive content' }).first().press('Enter')
    await page.locator('main a:focus').getByRole('img', { name: 'Covered' }).waitFor()
    await page.context().close()
  })

  test('a vote that the server refuses shows the poll as it is now', async () => {
    const id = await post(bo, { status: 'Which bird?', poll: { options: ['Linnet', 'Siskin'], expires_in: 300 } })
    // A stream would show the vote of the other client too early.
    const { page, main } = await openThread(id, ada, (one) => one.routeWebSocket(STREAM, () => undefined))
    await main.getByRole('radio', { name: 'Linnet' }).check()
    const { body } = await ada.client.get<Status>(`/api/v1/statuses/${id}`)
    await ada.client.post(`/api/v1/polls/${body.poll?.id}/votes`, { choices: [1] })
    await main.getByRole('button', { name: 'Vote' }).press('Enter')
    await page.getByRole('alert').getByText('You have already voted on this poll').waitFor()
    await main.getByText('You voted for this answer').waitFor()
    await untilFocused(main.getByRole('group', { name: 'Poll' }))
    await page.context().close()
  })

  test('a post links to the accounts that favourited it, and a missing post says so', async () => {
    const id = await post(bo, { status: 'Liked' })
    await cy.client.post(`/api/v1/statuses/${id}/favourite`)
    const { page, main } = await openThread(id)
    await main.getByRole('link', { name: '1 favourite' }).click()
    await page.getByRole('main').getByRole('link', { name: '@cy' }).waitFor()
    await checkPage(page, 'the accounts that favourited a post')
    await visit(page, '/@bo/1')
    await page.getByText('This post is not available').waitFor()
    await checkPage(page, 'a missing post')
    await page.context().close()
  })
})
