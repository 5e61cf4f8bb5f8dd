// Slow: drives a browser.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { findPort } from '../../../test/servers/linnet-process.ts'
import { checkPage } from '../../../test/http/pages/check-page.ts'
import { createPublicPageData } from '../../../test/http/pages/public-page-data.ts'
import type { PublicPaths } from '../../../test/http/pages/public-page-data.ts'
import { createRemoteAccount } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { openSession } from '../../domain/auth/sessions.ts'
import { submitAppeal } from '../../domain/moderation/strikes/submit-appeal.ts'
import { recordSeverances } from '../../domain/relationships/severances/record-severances.ts'
import { warnAccount } from '../../domain/moderation/accounts/warn-account.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../test/services/browser.ts'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 320, height: 700 }

suite('in a browser', { skip: withoutChromium }, () => {
  let testServer: TestServer
  let paths: PublicPaths
  let browser: SharedBrowser
  let baseURL: string

  before(async () => {
    const port = await findPort()
    baseURL = `http://localhost:${port}`
    testServer = await openTestServer({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
    await testServer.listen()
    paths = await createPublicPageData(testServer)
    browser = await openSharedBrowser()
  })
  after(async () => {
    await browser?.close()
    await testServer?.close()
  })

  /** Opens a page, and collects the errors that the browser reports on it. */
  async function open(options: BrowserContextOptions): Promise<{ page: Page; errors: string[] }> {
    const context = await browser.newContext({ baseURL, locale: 'en-GB', ...options })
    const page = await context.newPage()
    const errors: string[] = []
    // Browsers also report the expected statuses 403 and 404 as errors.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40[34]/.test(message.text())) errors.push(message.text())
    })
    page.on('requestfailed', (request) => errors.push(request.url()))
    return { page, errors }
  }

  for (const options of [
    { colorScheme: 'light', viewport: WIDE, locale: 'en-GB' },
    { colorScheme: 'dark', viewport: NARROW, locale: 'de' },
    { colorScheme: 'light', viewport: NARROW, locale: 'ar' },
  ] as const) {
    test(`every page is accessible: ${options.colorScheme}, ${options.viewport.width} pixels, ${options.locale}`, async () => {
      const { page, errors } = await open(options)
      for (const [name, path] of Object.entries(paths)) {
        const answer = await page.goto(path)
        assert.equal(answer?.status(), { suspended: 403, missing: 404 }[name] ?? 200, name)
        await checkPage(page, name)
      }
      assert.deepEqual(errors, [])
      await page.context().close()
    })
  }

  test('the pages to follow an account and to interact with a post are accessible', async () => {
    const { page } = await open({ colorScheme: 'dark', viewport: NARROW })
    const { userId } = await testServer.createUser({ username: 'visitor' })
    const id = await testServer.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
    await page.context().addCookies([{ name: 'linnet-session', value: id, url: baseURL }])
    for (const uri of [`${baseURL}/@ada`, `${baseURL}${paths['post']!}`, 'nobody']) {
      await page.goto(`/authorize_interaction?${new URLSearchParams({ uri }).toString()}`)
      await checkPage(page, uri)
    }
    await page.goto(`/authorize_interaction?uri=acct:ada`)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByText('You have sent a follow request').waitFor()
    await checkPage(page, 'requested')
    await page.context().close()
  })

  test('the pages of strikes and of lost connections are accessible', async () => {
    const { accountId, userId } = await testServer.createUser()
    const otherId = await createRemoteAccount(testServer.ctx)
    const [unappealed, appealed] = await testServer.ctx.write(async (tx) => {
      const strike = { by: null, targetAccountId: accountId, action: 'none', text: 'Please stop. '.repeat(20) } as const
      const ids = [await warnAccount(tx, { ...strike, statusIds: ['1'] }), await warnAccount(tx, strike)] as const
      await submitAppeal(tx, { accountId, strikeId: ids[1], text: 'x'.repeat(200) })
      const lost = { accountId, otherId, showReblogs: true, notify: false, languages: null }
      const follows = [true, false].map((isFollower) => ({ ...lost, isFollower }))
      const targetName = `${'long.'.repeat(20)}test`
      await recordSeverances(tx, { type: 'domain_block', targetName, cause: 'one', follows })
      await recordSeverances(tx, { type: 'user_domain_block', targetName: 'b.test', cause: 'two', follows })
      return ids
    })
    const id = await testServer.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
    for (const viewport of [NARROW, WIDE]) {
      const { page } = await open({ viewport })
      await page.context().addCookies([{ name: 'linnet-session', value: id, url: baseURL }])
      const strikes = ['', `/${unappealed}`, `/${appealed}`].map((path) => `/settings/strikes${path}`)
      for (const path of [...strikes, '/severed_relationships']) {
        assert.equal((await page.goto(path))?.status(), 200)
        await checkPage(page, path)
      }
      await page.context().close()
    }
  })

  test('without scripts, warnings and sensitive media can be opened, and the skip link works by keyboard', async () => {
    const { page } = await open({ javaScriptEnabled: false, viewport: WIDE })
    await page.goto(paths['profile']!)
    const words = page.getByText('A large one.')
    assert.equal(await words.isVisible(), false)
    await page.getByText('Spiders').click()
    assert.equal(await words.isVisible(), true)
    const picture = page.getByRole('img', { name: 'A spider, very near' })
    assert.equal(await picture.isVisible(), false)
    await page.locator('summary', { hasText: 'Sensitive content' }).first().press('Enter')
    assert.equal(await picture.isVisible(), true)
    await page.goto(paths['profile']!)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#main$/)
    await page.context().close()
  })

  test('links lead from a profile to a post, its edit history, a hashtag and back', async () => {
    const { page } = await open({ javaScriptEnabled: false, viewport: NARROW })
    await page.goto(paths['replies']!)
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

  test('other sites can embed a post, but no other page', async (t) => {
    const { page } = await open({ viewport: WIDE })
    const body = `<iframe id="post" src="${baseURL}${paths['embed']!}"></iframe>
      <iframe id="profile" src="${baseURL}${paths['profile']!}"></iframe>`
    const other = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await page.frameLocator('#post').getByRole('link', { name: 'Ada Finch' }).waitFor()
    assert.equal(await page.frameLocator('#profile').getByText('Ada Finch').count(), 0)
    await page.context().close()
  })
})
