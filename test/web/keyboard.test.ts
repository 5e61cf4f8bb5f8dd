import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
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
    await checkPage(page, 'the list of shortcuts')
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

  test('Enter opens a report from the list, and its heading gets the focus', async () => {
    await bo.client.post('/api/v1/reports', { account_id: owner.accountId, comment: 'Rude' })
    const page = await web.openClient(owner, { path: '/admin/reports' })
    await post(page, 'Rude').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/reports/*')
    await untilFocused(page.getByRole('heading', { name: /^Report #/, level: 1 }))
    await page.context().close()
  })
})
