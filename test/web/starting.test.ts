import { after, before, suite, test } from 'node:test'
import type { TestUser } from '../servers/test-server.ts'
import { until } from '../streaming/streams.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { waitForDraft } from './browser-drafts.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

// Slow: it starts a server and a browser.

suite('the start of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
  })
  after(() => web?.close())

  test('if the server gives no access, the page says so and offers to try again', async () => {
    const page = await web.openClient(ada, {
      path: '/notifications',
      onPage: (opened) => opened.route('**/oauth/authorize*', (route) => route.fulfill({ status: 503 })),
    })
    await page.getByText('The page could not be loaded yet').waitFor()
    await checkPage(page, 'a client that did not start')
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.context().close()
  })

  test('if its script does not load, the page says after some time that it loads, and later offers to try again', async () => {
    const page = await web.openClient(ada, {
      onPage: (opened) => opened.route('**/web/assets/*.js', (route) => route.abort()),
    })
    const loading = page.getByText('Loading…')
    await loading.waitFor({ state: 'attached' })
    await page.getByText('The page could not be loaded yet').waitFor({ state: 'hidden' })
    // As if the time of the style sheet had passed.
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    await loading.waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.context().close()
  })

  test('if the code of a dialog does not load, the page stays, and a message offers to load it again', async () => {
    const page = await web.openClient(ada, {
      onPage: (opened) => opened.route('**/web/assets/composer-*.js', (route) => route.abort()),
    })
    const write = page.getByRole('button', { name: 'New post' })
    await write.click()
    const failure = page.getByRole('alert').filter({ hasText: 'A part of this page could not be loaded' })
    await failure.waitFor()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Reload the page' }).click()
    await failure.waitFor({ state: 'detached' })
    await write.click()
    await page.getByRole('dialog', { name: 'New post' }).waitFor()
    await page.context().close()
  })

  test('if the code of a page does not load, the navigation stays, and the page can be loaded again', async () => {
    const page = await web.openClient(ada, {
      onPage: (opened) => opened.route('**/web/assets/notification-pages-*.js', (route) => route.abort()),
    })
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('alert').filter({ hasText: 'This page could not be shown' }).waitFor()
    await navigation.getByRole('link', { name: 'Home' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.context().close()
  })

  test('drafts are stored again after the browser has closed its database, as when the data of the site are deleted', async () => {
    const page = await web.openClient(ada, { path: '/publish' })
    const field = page.getByRole('dialog', { name: 'New post' }).getByRole('textbox')
    await field.fill('Before')
    await waitForDraft(page, 'Before')
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: web.origin, storageTypes: 'indexeddb' })
    await field.fill('Afterwards')
    const countDatabases = () => page.evaluate<number>('indexedDB.databases().then(({ length }) => length)')
    await until(async () => (await countDatabases()) === 1, 'a new database')
    await waitForDraft(page, 'Afterwards')
    await page.context().close()
  })

  test('if the browser stores nothing, the client starts, posts, and says that it stores no drafts', async () => {
    const forbidden = `const fail = () => { throw new DOMException('No storage', 'QuotaExceededError') }
      IDBFactory.prototype.open = fail
      Storage.prototype.setItem = fail`
    const page = await web.openClient(ada, { onPage: (opened) => opened.addInitScript(forbidden) })
    await page.getByRole('button', { name: 'New post' }).click()
    const dialog = page.getByRole('dialog', { name: 'New post' })
    await dialog.getByRole('textbox').fill('Not stored')
    await dialog.getByText('This browser cannot store drafts').waitFor()
    await dialog.getByRole('textbox').press('Control+Enter')
    await page.getByRole('main').getByText('Not stored').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL((url) => url.pathname !== '/home')
    await page.context().close()
  })
})
