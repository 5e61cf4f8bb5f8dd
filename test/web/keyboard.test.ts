import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { until } from '../streaming/streams.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'
import { untilFocused, untilPressed } from './wait-until.ts'

// Slow: it starts a server and a browser.

suite('the web client is complete by keyboard', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let owner: TestUser
  let bo: TestUser

  before(async () => {
    web = await openWebClientTest()
    owner = await web.testServer.createUser({
      username: 'owner',
      role: 'owner',
      scopes: 'read write admin:read admin:write',
    })
    bo = await web.testServer.createUser({ username: 'bo' })
    for (let number = 1; number <= 35; number += 1)
      await bo.client.post('/api/v1/statuses', { status: `Old post ${number}.` })
    await bo.client.post('/api/v1/statuses', { status: 'Behind a warning', spoiler_text: 'Birds' })
    await bo.client.post('/api/v1/statuses', { status: 'Without a warning' })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const post = (page: Page, text: string) => page.locator('main article').filter({ hasText: text })
  const announced = (page: Page, text: string) => page.locator('#announcements', { hasText: text }).waitFor()

  test('g and a further key open a page, whose heading gets the focus, and the help lists these keys', async () => {
    const page = await web.openClient(owner, { path: '/home' })
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.waitForURL('**/notifications')
    await untilFocused(page.getByRole('heading', { name: 'Notifications', level: 1 }))
    assert.equal(await page.getByRole('dialog').count(), 0, 'n alone would write a post')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL('**/home')
    await page.keyboard.press('g')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    const composer = page.getByRole('dialog', { name: 'New post' })
    await composer.waitFor()
    await page.keyboard.press('Escape')
    // The closed dialog is hidden before it is removed.
    await page.locator('dialog:has(textarea)').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Muted users').waitFor()
    for (const key of ['/', 'Ctrl+K', 'Enter', 'Alt+N', 'Ctrl+Enter', 'Alt+X', 'PageDown', 'Ctrl+End', '1-9'])
      await help.getByText(key, { exact: true }).waitFor()
    await checkPage(page, 'the list of shortcuts')
    await page.context().close()
  })

  test('g u opens the own profile, and g p its pinned posts', async () => {
    const { body: pinned } = await owner.client.post<{ id: string }>('/api/v1/statuses', { status: 'Pinned here' })
    await owner.client.post(`/api/v1/statuses/${pinned.id}/pin`)
    await web.testServer.waitForJobs()
    const page = await web.openClient(owner, { path: '/notifications' })
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.waitForURL('**/@owner')
    await untilFocused(page.getByRole('heading', { name: 'owner', level: 1 }))
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await untilFocused(page.getByRole('heading', { name: 'Pinned post', level: 2 }))
    await visit(page, '/home')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await untilFocused(page.getByRole('heading', { name: 'Pinned post', level: 2 }))
    await page.keyboard.press('j')
    await untilFocused(post(page, 'Pinned here').first())
    await page.context().close()
  })

  test('digits move to the columns of a wide window, and Ctrl+K to the search, also from a text field', async () => {
    const page = await web.openClient(owner, { path: '/public/local', width: 1920 })
    await page.getByRole('button', { name: 'Pin as a column' }).click()
    const column = page.getByRole('region', { name: 'This server', exact: true })
    await column.getByRole('article').first().waitFor()
    await page.keyboard.press('2')
    await untilFocused(column.getByRole('article').first())
    await page.keyboard.press('j')
    await untilFocused(column.getByRole('article').nth(1))
    await page.keyboard.press('1')
    await untilFocused(page.getByRole('main').getByRole('article').first())
    await page.keyboard.press('3')
    await untilFocused(page.getByRole('main').getByRole('article').first())
    await page.keyboard.press('Control+k')
    const field = page.getByRole('searchbox')
    await untilFocused(field)
    await visit(page, '/settings/client/profile')
    await page.getByRole('main').getByRole('textbox').first().press('Control+k')
    await untilFocused(field)
    await page.context().close()
  })

  test('Page Down and Page Up move between the posts of a timeline, which keeps the post with the focus', async () => {
    const page = await web.openClient(owner, { path: '/public/local', width: 1920 })
    const feed = page.getByRole('feed', { name: 'This server' })
    const article = (number: number) => feed.getByRole('article').filter({ hasText: `Old post ${number}.` })
    await article(35).focus()
    await page.keyboard.press('PageDown')
    await untilFocused(article(34))
    await article(34).getByRole('button', { name: 'Reply' }).focus()
    await page.keyboard.press('PageUp')
    await untilFocused(article(35))
    await page.keyboard.press('PageDown')
    await until(async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      return (await article(1).count()) > 0
    }, 'the last post')
    assert.equal(await article(20).count(), 0, 'posts that are far away are not in the document')
    await untilFocused(article(34))
    await page.keyboard.press('PageDown')
    await untilFocused(article(33))
    assert.ok(
      await article(33).evaluate((element) => element.getBoundingClientRect().bottom > 0),
      'it is visible again',
    )
    await page.context().close()
  })

  test('Ctrl+End and Ctrl+Home move to what is after and before a timeline', async () => {
    const page = await web.openClient(owner, { path: '/public/local', width: 1920 })
    const articles = page.getByRole('feed').getByRole('article')
    // The columns are loaded after the first posts.
    await page.getByRole('searchbox').waitFor()
    await articles.first().focus()
    await page.keyboard.press('Control+End')
    await untilFocused(page.getByRole('searchbox'))
    await articles.nth(1).focus()
    await page.keyboard.press('Control+Home')
    await untilFocused(page.getByRole('button', { name: 'Pin as a column' }))
    await page.setViewportSize({ width: 700, height: 800 })
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    await articles.nth(1).focus()
    await page.keyboard.press('Control+End')
    await untilFocused(page.getByRole('link', { name: 'Skip to main content' }))
    await page.context().close()
  })

  test('a key acts on the focused post only, and says what it did', async () => {
    const page = await web.openClient(owner, { path: '/public/local' })
    const plain = post(page, 'Without a warning')
    await plain.focus()
    await page.keyboard.press('x')
    await page.keyboard.press('f')
    await announced(page, 'Favourited')
    await untilPressed(plain.getByRole('button', { name: 'Favourite' }), true)
    assert.equal(await page.getByText('Behind a warning').count(), 0, 'the other post stays closed')
    await page.keyboard.press('f')
    await announced(page, 'No longer favourited')
    await page.keyboard.press('b')
    await announced(page, 'Boosted')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/@bo/*')
    await page.context().close()
  })

  test('a letter moves to the next entry of a menu that begins with it', async () => {
    const page = await web.openClient(owner, { path: '/public/local' })
    const more = post(page, 'Without a warning').getByRole('button', { name: 'More' })
    await more.press('Enter')
    await page.keyboard.press('m')
    await untilFocused(page.getByRole('menuitem', { name: 'Mention @bo' }))
    await page.keyboard.press('M')
    await untilFocused(page.getByRole('menuitem', { name: 'Mute @bo' }))
    await page.keyboard.press('m')
    await untilFocused(page.getByRole('menuitem', { name: 'Mention @bo' }))
    await page.keyboard.press('Escape')
    await untilFocused(more)
    await page.context().close()
  })

  test('forms begin with their first field, and a new list is in the navigation', async () => {
    const page = await web.openClient(owner, { path: '/lists' })
    await page.getByRole('button', { name: 'New list' }).press('Enter')
    await untilFocused(page.getByRole('dialog').getByLabel('List name'))
    await page.keyboard.type('Birds')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/lists/*')
    await untilFocused(page.getByRole('heading', { name: 'Birds', level: 1 }))
    const link = page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Birds' })
    await link.waitFor()
    assert.equal(await link.getAttribute('aria-current'), 'page')
    await visit(page, '/admin/domain_blocks')
    await page.getByRole('button', { name: 'Block a domain' }).press('Enter')
    await untilFocused(page.getByRole('dialog').getByLabel('Domain', { exact: true }))
    await page.goto('/admin/warning_presets')
    await page.getByRole('button', { name: 'Add preset' }).press('Enter')
    await untilFocused(page.getByRole('dialog').getByLabel('Title'))
    await page.context().close()
  })

  test('a button keeps the focus while its work is saved, and a removed time hands it to the text', async () => {
    const page = await web.openClient(bo, { path: '/settings/client/profile' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Changes saved').waitFor()
    await untilFocused(save)
    await page.keyboard.press('n')
    const composer = page.getByRole('dialog')
    await composer.getByRole('button', { name: 'Schedule', exact: true }).press('Enter')
    await untilFocused(composer.getByLabel('Publish at'))
    await composer.getByRole('button', { name: 'Do not schedule' }).press('Enter')
    await untilFocused(composer.getByRole('textbox').first())
    await page.context().close()
  })

  test('Enter opens a report, whose heading gets the focus; buttons keep it, add a note once, and stay after a failure', async () => {
    const { body: report } = await bo.client.post('/api/v1/reports', { account_id: owner.accountId, comment: 'Rude' })
    const page = await web.openClient(owner, { path: '/admin/reports' })
    await post(page, 'Rude').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/reports/*')
    await untilFocused(page.getByRole('heading', { name: /^Report #/, level: 1 }))
    const note = page.getByRole('textbox', { name: 'A note for the other moderators' })
    await note.fill('Seen')
    await note.press('Tab')
    const paint = async () =>
      page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    const { promise: release, resolve } = Promise.withResolvers<void>()
    await page.route('**/notes', async (route) => release.then(() => route.continue()))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    resolve()
    await page.getByText('Seen').and(page.locator('p')).waitFor()
    await paint()
    await untilFocused(page.getByRole('button', { name: 'Add note' }))
    assert.equal((await owner.client.get(`/api/v1/admin/reports/${report.id}/notes`)).body.length, 1)
    await page.getByRole('button', { name: 'Delete note' }).press('Enter')
    await page.getByText('The note was deleted').first().waitFor()
    await page.getByRole('button', { name: 'Delete note' }).waitFor({ state: 'detached' })
    await untilFocused(page.getByRole('button', { name: 'Add note' }))
    await page.keyboard.press('1')
    const dialog = page.getByRole('dialog')
    await page.route('**/resolve', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Dismiss' }).press('Enter')
    await dialog.getByText('This could not be saved').waitFor()
    await paint()
    await untilFocused(dialog.getByRole('button', { name: 'Dismiss' }))
    await page.context().close()
  })
})
