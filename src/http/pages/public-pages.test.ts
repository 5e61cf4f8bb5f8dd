// Slow: drives a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findPort } from '../../../test/linnet.ts'
import { fillPublicWorld } from '../../../test/public-world.ts'
import type { PublicPlaces } from '../../../test/public-world.ts'
import { openWorld } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { openSession } from '../../domain/auth/sessions.ts'

const CHROMIUM = '/usr/bin/chromium'
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 320, height: 700 }

suite('in a browser', { skip: existsSync(CHROMIUM) ? false : 'Chromium is not installed' }, () => {
  let world: World
  let places: PublicPlaces
  let browser: Browser
  let baseURL: string

  before(async () => {
    const port = await findPort()
    baseURL = `http://localhost:${port}`
    world = await openWorld({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
    await world.listen()
    places = await fillPublicWorld(world)
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  })
  after(async () => {
    await browser?.close()
    await world?.close()
  })

  /** A window, and what the browser complained of in it. */
  async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ baseURL, locale: 'en-GB', ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    // A page that is not there for the reader is an error to the browser, too.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40[34]/.test(message.text())) complaints.push(message.text())
    })
    page.on('requestfailed', (request) => complaints.push(request.url()))
    return { page, complaints }
  }

  /** Holds a page, with everything on it opened, against the rules of accessibility, and its width against the window. */
  async function judge(page: Page, name: string): Promise<void> {
    for (const details of await page.locator('details').all()) {
      await details.evaluate((element) => element.setAttribute('open', ''))
    }
    await page.evaluate(axe.source)
    const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
    assert.ok(passes.length > 10, name)
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    assert.deepEqual(told, [], name)
    const [content, window] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    assert.ok(content <= window, `${name} is ${content} pixels wide in a window of ${window}`)
  }

  for (const options of [
    { colorScheme: 'light', viewport: WIDE, locale: 'en-GB' },
    { colorScheme: 'dark', viewport: NARROW, locale: 'de' },
    { colorScheme: 'light', viewport: NARROW, locale: 'ar' },
  ] as const) {
    test(`everybody can use every page: ${options.colorScheme}, ${options.viewport.width} pixels wide, in ${options.locale}`, async () => {
      const { page, complaints } = await open(options)
      for (const [name, path] of Object.entries(places)) {
        const answer = await page.goto(path)
        assert.equal(answer?.status(), { suspended: 403, missing: 404 }[name] ?? 200, name)
        await judge(page, name)
      }
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('so can those who come from elsewhere to follow somebody, or to answer', async () => {
    const { page } = await open({ colorScheme: 'dark', viewport: NARROW })
    const { userId } = await world.createPerson({ username: 'visitor' })
    const id = await world.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
    await page.context().addCookies([{ name: 'linnet-session', value: id, url: baseURL }])
    for (const uri of [`${baseURL}/@ada`, `${baseURL}${places['post']!}`, 'nobody']) {
      await page.goto(`/authorize_interaction?${new URLSearchParams({ uri }).toString()}`)
      await judge(page, uri)
    }
    await page.goto(`/authorize_interaction?uri=acct:ada`)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByText('You have sent a follow request').waitFor()
    await judge(page, 'asked')
    await page.context().close()
  })

  test('without a script, warnings open, sensitive pictures are unveiled, and the keyboard reaches everything', async () => {
    const { page } = await open({ javaScriptEnabled: false, viewport: WIDE })
    await page.goto(places['profile']!)
    const words = page.getByText('A large one.')
    assert.equal(await words.isVisible(), false)
    await page.getByText('Spiders').click()
    assert.equal(await words.isVisible(), true)
    const picture = page.getByRole('img', { name: 'A spider, very near' })
    assert.equal(await picture.isVisible(), false)
    await page.locator('summary', { hasText: 'Sensitive content' }).first().press('Enter')
    assert.equal(await picture.isVisible(), true)
    await page.goto(places['profile']!)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.match(page.url(), /#main$/)
    await page.context().close()
  })

  test('one walks from a profile to a post, to its versions and back, and on to a hashtag', async () => {
    const { page } = await open({ javaScriptEnabled: false, viewport: NARROW })
    await page.goto(places['replies']!)
    await page
      .locator('article', { hasText: 'Birds' })
      .getByRole('link', { name: /edited/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Edit history' }).click()
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Edit history')
    assert.equal(await page.locator('del').first().textContent(), 'removed: three')
    await page.getByRole('link', { name: 'Back to the post' }).click()
    await page.getByText('Birds').first().click()
    await page.locator('.prose').getByRole('link', { name: '#birds' }).click()
    assert.match(page.url(), /\/tags\/birds$/)
    await page.getByRole('link', { name: 'Ada Finch' }).first().click()
    assert.match(page.url(), /\/@ada$/)
    await page.getByRole('link', { name: 'Media' }).click()
    assert.match(page.url(), /\/@ada\/media$/)
    await page.context().close()
  })

  test('a post shows itself in the frame of another site, and no other page does', async (t) => {
    const { page } = await open({ viewport: WIDE })
    const body = `<iframe id="post" src="${baseURL}${places['embed']!}"></iframe>
      <iframe id="profile" src="${baseURL}${places['profile']!}"></iframe>`
    const other = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await page.frameLocator('#post').getByRole('link', { name: 'Ada Finch' }).waitFor()
    assert.equal(await page.frameLocator('#profile').getByText('Ada Finch').count(), 0)
    await page.context().close()
  })
})
