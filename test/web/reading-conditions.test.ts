import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'

// Slow: it starts a server and a browser.

suite('the web client with large texts and from right to left', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    const bo = await web.testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await ada.client.post('/api/v1/lists', { title: 'Linnets' })
    await bo.client.post('/api/v1/statuses', { status: 'Two linnets, @ada', visibility: 'direct' })
    await bo.client.post('/api/v1/statuses', { status: 'Three linnets' })
    await bo.client.patch('/api/v1/accounts/update_credentials', {
      fields_attributes: [{ name: 'Hedge', value: 'the third' }],
    })
    const { body: post } = await ada.client.post('/api/v1/statuses', { status: 'A linnet' })
    const long = await web.testServer.createUser({ username: 'a_name_of_30_letters_of_a_bird' })
    await ada.client.post(`/api/v1/accounts/${long.accountId}/follow`)
    for (const [status, more] of [
      ['@ada @bo A linnet for both', { visibility: 'direct' }],
      ['@ada What a linnet', { in_reply_to_id: post.id }],
    ])
      await long.client.post('/api/v1/statuses', { status, ...(more as object) })
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  test('with a text of 200 %, narrow windows have room for the navigation, the actions and the buttons', async () => {
    const page = await web.openClient(ada, { path: '/lists', width: 360, onPage: enlargeText })
    await visit(page, '/settings/client/keyboard')
    await page.getByText('Shortcuts with single keys').waitFor()
    await checkPage(page, 'the shortcuts with a text of 200 %', { isNarrowToo: false })
    for (const path of ['/lists', '/home', '/notifications', '/conversations']) {
      await visit(page, path)
      await page.locator('main li, main article').first().waitFor()
      await checkPage(page, `${path} with a text of 200 %`, { isNarrowToo: false })
      for (const name of ['Home', 'New post', 'Notifications', 'Menu'])
        assert.deepEqual(await cutOff(page, `header [title="${name}"], header a:has-text("${name}")`), [], path)
      assert.deepEqual(await cutOff(page, 'main h1 ~ button, article[aria-posinset] button'), [], path)
    }
    await page.context().close()
  })

  test('with a text of 200 %, the operators of the search are in one line each', async () => {
    const page = await web.openClient(ada, { path: '/search', width: 360, onPage: enlargeText })
    await page.getByText('has:media').waitFor()
    const lines = page
      .locator('main code')
      .evaluateAll((codes) => codes.map((code) => code.getClientRects()[0]!.height))
    assert.equal(new Set(await lines).size, 1)
    await page.context().close()
  })

  test('with a text of 200 %, menus and the composer fit in narrow windows', async () => {
    const page = await web.openClient(ada, { path: '/home', width: 360, onPage: enlargeText })
    await page.locator('main article [aria-haspopup]').last().click()
    await page.getByRole('menuitem').first().waitFor()
    assert.deepEqual(await cutOff(page, '[role=menuitem]'), [])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New post' }).click()
    const composer = page.getByRole('dialog')
    await composer.getByRole('textbox').first().fill('Which linnet?')
    await composer.getByRole('button', { name: 'Poll' }).click()
    await composer.getByRole('button', { name: 'Schedule' }).click()
    await composer.getByLabel('Publish at').waitFor()
    assert.deepEqual(await cutOff(page, 'dialog button, dialog input, dialog select, dialog label'), [])
    await composer.getByRole('button', { name: 'Poll' }).click()
    await composer.getByRole('button', { name: 'Do not schedule' }).click()
    await composer.getByRole('button', { name: 'Post', exact: true }).click()
    const toast = page.getByRole('status').filter({ hasText: 'Post published' })
    const { width } = (await toast.getByRole('paragraph').boundingBox())!
    assert.ok(width > 150, `the message is ${width} pixels wide`)
    await page.context().clearCookies()
    await page.goto('/auth/sign_up')
    await page.getByLabel('Username').waitFor()
    assert.deepEqual(await cutOff(page, '.affixed *'), [])
    await page.context().close()
  })

  test('the navigation of narrow windows and the composer keep clear of the round corners and the line of phones', async () => {
    const page = await web.openClient(ada, { width: 390 })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } })
    const bottomOf = async (name: string) => {
      const { y, height } = (await page.getByRole('button', { name }).boundingBox())!
      return y + height
    }
    await page.getByRole('article').first().waitFor()
    assert.ok((await bottomOf('Menu')) <= 900 - 34, 'the navigation')
    await page.getByRole('button', { name: 'New post' }).click()
    assert.ok((await bottomOf('Insert emoji')) <= 900 - 34, 'the composer')
    await page.context().close()
  })

  test('from right to left, placeholders and the labels of profile fields begin at the right', async () => {
    const page = await web.openClient(ada, { path: '/@bo?lang=ar', width: 360 })
    const [label, value] = [page.locator('main dt'), page.locator('main dd')]
    await value.getByText('the third').waitFor()
    const right = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => element.getBoundingClientRect().right)
    assert.equal(await label.count(), 1)
    assert.equal(await right('Hedge'), await right('the third'))

    await page.goto('/explore?lang=ar')
    const field = page.getByRole('searchbox')
    const direction = () =>
      field.evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).direction)
    assert.equal(await direction(), 'rtl')
    await field.fill('linnets')
    assert.equal(await direction(), 'ltr')
    const tabs = page.getByRole('main').getByRole('navigation').locator('[aria-current=page]')
    assert.equal(await tabs.count(), 1, 'a parameter of the URL does not change which tab is marked')
    await page.context().close()
  })

  test('from right to left, Latin names keep their beginning when they do not fit, and Latin texts begin at the left', async () => {
    const page = await web.openClient(ada, { path: '/conversations?lang=ar', width: 320 })
    /** Returns by how many pixels the leftmost name begins before the line that contains it. */
    const cutPixels = (line: string) =>
      page
        .locator(line)
        .first()
        .evaluate((element) => {
          const lefts = [...element.querySelectorAll('bdi')].map((name) => name.getBoundingClientRect().left)
          return Math.max(0, Math.round(element.getBoundingClientRect().left - Math.min(...lefts)))
        })
    await page.getByText('A linnet for both').waitFor()
    assert.equal(await cutPixels('main li a > span > span:has(bdi)'), 0)
    // As Firefox does by `text-align: match-parent`.
    await page.evaluate(`document.adoptedStyleSheets = [new CSSStyleSheet()]
      document.adoptedStyleSheets[0].replaceSync('@layer browser { li { text-align: right } }')`)
    const text = page.getByText('A linnet for both')
    const alignment = text.evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).textAlign)
    assert.equal(await alignment, 'start', 'a text from left to right begins at the left')
    await page.goto('/notifications?lang=ar')
    await page.getByText('What a linnet').waitFor()
    assert.equal(await cutPixels('main article header a:has(bdi)'), 0)
    await page.context().close()
  })

  test('from right to left, a path keeps its first character at its beginning', async () => {
    const owner = await web.testServer.createUser({ role: 'owner' })
    const page = await web.openClient(owner, { path: '/start?step=mail&lang=ar' })
    await page.locator('main form button').first().click()
    await page.getByText('\u2068/dev/mail\u2069').waitFor()
    await page.context().close()
  })

  test('a notification of a reply shows only once to whom it replies', async () => {
    const page = await web.openClient(ada, { path: '/notifications' })
    await page.getByText('replied to you').waitFor()
    assert.equal(await page.getByText('Replied to @ada').count(), 0)
    await page.context().close()
  })

  test('on a device whose clock is behind, new posts are from now', async () => {
    const page = await web.openClient(ada, { onPage: (opened) => opened.clock.setFixedTime(Date.now() - 600_000) })
    await page.getByRole('article').first().getByRole('time').getByText('now', { exact: true }).waitFor()
    await page.context().close()
  })

  test('on a page that was opened in a new tab, the button that goes back leads home', async () => {
    const page = await web.openClient(ada, { path: '/@bo' })
    const tab = await page.context().newPage()
    await tab.goto('/@bo')
    await tab.getByRole('button', { name: 'Back' }).click()
    await tab.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.context().close()
  })

  test('pages about what does not exist say so, instead of offering to try again', async () => {
    const page = await web.openClient(ada, { path: '/home' })
    for (const path of ['/lists/0', '/filters/0/edit', '/collections/0', '/notifications/requests/0']) {
      await visit(page, path)
      await page.getByRole('main').getByText('This page does not exist').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    }
    await page.context().close()
  })

  test('with a long name, the page of a list has room for its buttons, and on paper, pages have no navigation', async () => {
    const title = 'All of the linnets that were seen in the hedges behind the third house'
    const { body: list } = await ada.client.post('/api/v1/lists', { title })
    const page = await web.openClient(ada, { path: `/lists/${list.id}`, width: 320 })
    for (const name of ['Members', `More about the list ${title}`]) {
      const { width } = (await page.getByRole('main').getByRole('button', { name }).boundingBox())!
      assert.ok(width >= 40, `${name} is ${width} pixels wide`)
    }
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0)
    const ink = await page.evaluate('getComputedStyle(document.body).color')
    assert.equal(ink, 'rgb(36, 30, 27)', 'the text is dark on paper')
    await page.context().close()
  })

  test('the descriptions of a sound and a video leave the controls of their players free, and lists keep their numbers', async () => {
    const { ctx } = web.testServer
    const attachments = (['audio', 'video'] as const).map((type) => ({
      type,
      url: `https://far.test/${type}`,
      mediaType: null,
      description: 'A linnet sings',
      blurhash: null,
      focus: null,
      width: type === 'video' ? 640 : null,
      height: type === 'video' ? 360 : null,
      previewUrl: null,
    }))
    const content = '<ol start="5"><li>five</li><li value="8">eight</li></ol>'
    const name = 'singer'
    const accountId = await createRemoteAccount(ctx, { handle: { username: name, domain: 'far.test' } })
    const [sound, video] = await Promise.all(
      attachments.map((attachment) => createRemoteStatus(ctx, { accountId, content, attachments: [attachment] })),
    )
    const page = await web.openClient(ada, { path: `/@${name}@far.test/${sound}`, width: 360 })
    const description = page.getByText('Alt', { exact: true })
    const soundBox = (await page.locator('main audio').boundingBox())!
    assert.ok((await description.boundingBox())!.y >= soundBox.y + soundBox.height, 'the sound')
    assert.equal(await page.locator('main ol').getAttribute('start'), '5')
    assert.equal(await page.locator('main li').last().getAttribute('value'), '8')
    await page.goto(`/@${name}@far.test/${video}`)
    const videoBox = (await page.locator('main video').boundingBox())!
    const descriptionBox = (await description.boundingBox())!
    assert.ok(descriptionBox.y + descriptionBox.height < videoBox.y + videoBox.height / 2, 'the video')
    await page.context().close()
  })

  test('languages that browsers do not know have the names of the server, or their codes', async () => {
    const { body: account } = await ada.client.get('/api/v1/accounts/lookup?acct=bo')
    await ada.client.post(`/api/v1/accounts/${account.id}/follow`, { languages: ['zh-YUE'] })
    const page = await web.openClient(ada, { path: '/@bo' })
    await page.getByRole('button', { name: 'More about @bo' }).click()
    await page.getByRole('menuitem', { name: 'Change subscribed languages' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change subscribed languages for @bo' })
    assert.equal(await dialog.getByRole('checkbox', { name: 'zh-YUE' }).isChecked(), true)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'New post' }).click()
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Balaibalan' })
    await page.context().close()
  })

  /** Sets the default text size of the browser to twice the usual one. */
  async function enlargeText(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  }

  /** Returns the texts of the elements that are not completely in the window from left to right. */
  function cutOff(page: Page, selector: string): Promise<string[]> {
    return page.locator(selector).evaluateAll((elements) =>
      elements
        .filter((element) => {
          const { left, right, width } = element.getBoundingClientRect()
          return width > 1 && (left < -1 || right > element.ownerDocument.documentElement.clientWidth + 1)
        })
        .map((element) => element.textContent ?? ''),
    )
  }
})
