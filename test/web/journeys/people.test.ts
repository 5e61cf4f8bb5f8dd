// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { revokeTokens } from '../../../src/domain/auth/access-tokens.ts'
import { hashPassword } from '../../../src/domain/auth/passwords.ts'
import { logOut } from '../../../src/domain/auth/sessions.ts'
import type { Status } from '../../../src/entities/statuses/status.ts'
import { checkPage } from '../../http/pages/check-page.ts'
import { createImage } from '../../media/images.ts'
import { PASSWORD } from '../../servers/create-user-with-password.ts'
import type { TestUser } from '../../servers/test-server.ts'
import { withoutChromium } from '../../services/browser.ts'
import { openWebClientTest, STREAM, watchSubscription } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'
import { untilFocused } from '../wait-until.ts'

suite('journeys between people, accounts and sessions', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let owner: TestUser

  before(async () => {
    web = await openWebClientTest()
    const { testServer } = web
    const passwordHash = await hashPassword(PASSWORD)
    ada = await testServer.createUser({ username: 'ada', passwordHash })
    bo = await testServer.createUser({ username: 'bo', passwordHash })
    owner = await testServer.createUser({ username: 'owner', role: 'owner', scopes: 'read write admin:read' })
  })
  after(() => web?.close())

  const post = async (user: TestUser, status: string): Promise<string> => {
    const { body } = await user.client.post('/api/v1/statuses', { status })
    await web.testServer.waitForJobs()
    return body.id
  }
  const responseTo = (page: Page, path: string) =>
    page.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().method() !== 'GET' && response.ok(),
    )

  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const openComposer = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'New post' }).click()
    return page.getByRole('dialog', { name: 'New post' })
  }

  test('the policy filters unknown accounts, whose notifications open before they are accepted', async () => {
    const page = await web.openClient(ada, { path: '/notifications' })
    await page.getByRole('button', { name: 'Notification options' }).click()
    await page.getByRole('menuitem', { name: 'Manage notifications from…' }).click()
    const saved = responseTo(page, '/notifications/policy')
    await page.getByRole('dialog').getByLabel('People you don’t follow').selectOption('Filter')
    await saved
    await checkPage(page, 'the dialog of the policy')
    await page.keyboard.press('Escape')
    await untilFocused(page.getByRole('button', { name: 'Notification options' }))
    await post(bo, '@ada do you like pecans?')
    await page.goto('/notifications')
    await page.getByRole('link', { name: /from 1 person you may know/ }).click()
    await page.getByRole('link', { name: /bo @bo/ }).click()
    await page.getByRole('heading', { name: 'Notifications from @bo' }).waitFor()
    await page.getByRole('article').getByText('do you like pecans?').waitFor()
    await checkPage(page, 'an opened request')
    await page.getByRole('button', { name: 'Accept notifications from @bo' }).click()
    await page.getByText('There are no filtered notifications').waitFor()
    await web.testServer.waitForJobs()
    await page.goto('/notifications')
    await page.getByRole('article').getByText('do you like pecans?').waitFor()
    await page.context().close()
  })

  test('after the author of a post was muted in its menu, the next post that stays has the focus', async () => {
    for (const [user, text] of [
      [bo, 'A post below'],
      [owner, 'Muted twice'],
      [owner, 'Muted'],
    ] as const)
      await post(user, text)
    const page = await web.openClient(ada, { path: '/public/local' })
    await articleOf(page, 'Muted').first().getByRole('button', { name: 'More', exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: 'Mute @owner' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).press('Enter')
    await articleOf(page, 'Muted').first().waitFor({ state: 'detached' })
    await untilFocused(articleOf(page, 'A post below'))
    await ada.client.post(`/api/v1/accounts/${owner.accountId}/unmute`)
    await page.context().close()
  })

  test('a user reports a post, and the staff decides with its impact in view, and takes the decision back', async () => {
    const id = await post(bo, 'Buy now')
    const page = await web.openClient(ada, { path: `/@bo/${id}` })
    const article = page.locator(`article[data-status="${id}"]`)
    await article.getByRole('button', { name: 'More', exact: true }).click()
    await article.getByRole('menuitem', { name: 'Report @bo' }).click()
    const report = page.getByRole('dialog', { name: 'Report @bo' })
    assert.equal(await report.getByRole('button', { name: 'Submit report' }).isDisabled(), true)
    await report.getByRole('radio', { name: 'It’s spam' }).check()
    await report.getByRole('textbox').fill('Advertising')
    await checkPage(page, 'the report dialog')
    await page.keyboard.press('Escape')
    await article.getByRole('button', { name: 'More', exact: true }).click()
    await article.getByRole('menuitem', { name: 'Report @bo' }).click()
    assert.equal(await report.getByRole('textbox').inputValue(), 'Advertising')
    await report.getByRole('radio', { name: 'It’s spam' }).check()
    await report.getByRole('button', { name: 'Submit report' }).click()
    await page.getByText('Thanks for reporting').waitFor()
    await page.context().close()
    await web.testServer.waitForJobs()

    const staff = await web.openClient(owner, { path: '/admin/reports' })
    await staff.getByRole('article', { name: '@bo' }).getByRole('link').click()
    await staff.getByText('Buy now').waitFor()
    await staff.getByText('Advertising').waitFor()
    await staff.keyboard.press('5')
    const dialog = staff.getByRole('dialog', { name: 'Limit @bo?' })
    await dialog.getByText('Open reports that are resolved').waitFor()
    await checkPage(staff, 'the dialog of a decision')
    await dialog.getByRole('button', { name: 'Limit' }).click()
    await staff.getByText('@bo was limited').first().waitFor()
    const isLimited = async () => (await owner.client.get(`/api/v1/admin/accounts/${bo.accountId}`)).body.silenced
    assert.equal(await isLimited(), true)
    await staff.keyboard.press('z')
    await staff.getByText('Nobody works on this report').waitFor()
    assert.equal(await isLimited(), false)
    await checkPage(staff, 'a report whose decision was taken back')
    await staff.context().close()
  })

  test('one client has two accounts, each window with one of them', async () => {
    const page = await web.openClient(ada)
    await page.getByRole('button', { name: 'Account menu of @ada' }).click()
    await page.getByRole('menuitem', { name: 'Add an account' }).click()
    await page.getByLabel('E-mail').fill(bo.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    const menuOf = (window: Page, name: string) => window.getByRole('button', { name: `Account menu of @${name}` })
    await menuOf(page, 'bo').click()
    await checkPage(page, 'the menu of two accounts')
    await page.getByRole('menuitem', { name: 'Switch to @ada' }).click()
    await menuOf(page, 'ada').waitFor()
    const other = await page.context().newPage()
    await other.goto('/home')
    await menuOf(other, 'bo').waitFor()
    // The service worker opens windows for notifications with the account that got them.
    const pressed = await page.context().newPage()
    await pressed.goto(`/notifications#account=${ada.accountId}`)
    await menuOf(pressed, 'ada').waitFor()
    assert.equal(new URL(pressed.url()).hash, '')
    await pressed.close()
    for (const [window, name] of [
      [page, 'ada'],
      [other, 'bo'],
    ] as const) {
      await window.bringToFront()
      await window.getByRole('button', { name: 'New post' }).click()
      const field = window.getByRole('dialog', { name: 'New post' }).getByRole('textbox')
      assert.equal(await field.inputValue(), '')
      await field.fill(`Written by ${name}`)
      await field.press('Control+Enter')
      await window.getByRole('article', { name: new RegExp(`^${name}, Written by ${name}`) }).waitFor()
    }
    const sessions = await web.testServer.ctx.db.selectFrom('sessions').select('user_id').execute()
    assert.ok(
      sessions.some(({ user_id: userId }) => userId === ada.userId),
      'the session of the first account goes on',
    )
    await page.context().close()
  })

  test('a session expires while the user writes: after a log-in the text is there, and is posted once', async () => {
    // The stream, which tells at once that the session has ended, is not available.
    const page = await web.openClient(ada, {
      path: '/home?lang=en',
      onPage: (opened) => opened.routeWebSocket(STREAM, () => undefined),
    })
    const dialog = await openComposer(page)
    await dialog.getByRole('textbox').fill('Begun before the session ended')
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'linnet-session')
    await expireSession(cookie!.value)
    await dialog.getByRole('textbox').pressSequentially(', finished after it')
    await dialog.getByRole('textbox').press('Control+Enter')
    const notice = page.getByRole('dialog', { name: 'You have been logged out' })
    await notice.waitFor()
    await checkPage(page, 'an expired session')
    await notice.getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/home?lang=en')
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'Begun before the session ended, finished after it')
    await dialog.getByRole('textbox').press('Control+Enter')
    await articleOf(page, 'finished after it').waitFor()
    const { body } = await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)
    assert.equal(body.filter(({ content }) => content?.includes('Begun before')).length, 1)
    await page.context().close()
  })

  test('a page of bookmarks notices a revoked token: by its next request or upload, or at once by the stream', async () => {
    const id = await post(bo, 'Worth a bookmark')
    await ada.client.post(`/api/v1/statuses/${id}/bookmark`)
    const quiet = await web.openClient(ada, {
      path: '/bookmarks',
      onPage: (opened) => opened.routeWebSocket(STREAM, () => undefined),
    })
    await articleOf(quiet, 'Worth a bookmark').waitFor()
    await revokeClientTokens()
    const renewals: string[] = []
    quiet.on('request', (request) => request.url().endsWith('/oauth/token') && renewals.push(request.url()))
    const end = Promise.withResolvers<void>()
    await quiet.route('**/api/v1/favourites*', async (route) => end.promise.then(() => route.continue()), { times: 1 })
    await quiet.getByRole('link', { name: 'Favourites' }).click()
    await quiet.getByRole('link', { name: 'Lists', exact: true }).click()
    await quiet.getByText('No lists yet').waitFor()
    // Its token is no longer that of the client when it fails.
    end.resolve()
    await quiet.getByRole('link', { name: 'Favourites' }).click()
    await quiet.getByText('any favourite posts yet').waitFor()
    assert.equal(renewals.length, 1)
    // Nothing else is requested after it.
    await quiet.getByRole('link', { name: 'About this server' }).waitFor()
    await revokeClientTokens()
    const files = (await openComposer(quiet)).locator('input[type=file]')
    const buffer = await createImage('png', { width: 60, height: 40 })
    const uploaded = responseTo(quiet, '/api/v2/media')
    await files.setInputFiles([{ name: 'linnet.png', mimeType: 'image/png', buffer }])
    await uploaded
    await quiet.context().close()

    const { subscribed, onPage } = watchSubscription()
    const page = await web.openClient(ada, { path: '/home', onPage })
    await page.getByRole('link', { name: 'Bookmarks' }).click()
    await articleOf(page, 'Worth a bookmark').waitFor()
    const dialog = await openComposer(page)
    await dialog.getByRole('textbox').fill('Not sent before the session ended')
    await subscribed
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'linnet-session')
    await expireSession(cookie!.value)
    await page.getByRole('dialog', { name: 'You have been logged out' }).getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/bookmarks')
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'Not sent before the session ended')
    await page.context().close()
  })

  /** Revokes the tokens of the web client, and leaves the browser sessions open. */
  const revokeClientTokens = async () => {
    const { ctx } = web.testServer
    const tokens = await ctx.db.selectFrom('access_tokens').select('id').where('session_id', 'is not', null).execute()
    await ctx.write((tx) => revokeTokens(tx, { ids: tokens.map(({ id }) => id) }))
  }

  /** Ends a browser session at the server, as its expiry does, with the token of the client. */
  const expireSession = async (id: string) => {
    const { ctx } = web.testServer
    await ctx.write((tx) => logOut(tx, { sessionId: id }))
  }
})
