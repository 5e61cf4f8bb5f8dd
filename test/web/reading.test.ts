// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Filter } from '../../src/entities/accounts/filter.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import { readLoad, recordLoad } from '../../bench/browser/measure-load.ts'
import { createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'

/** The current year: status ids depend on the clock of the database. */
const YEAR = new Date().getUTCFullYear()

/** Waits until the browser has stored the document of the client and the timeline of the hashtag. */
const untilIsSaved = `new Promise((resolve) => {
  const check = async () => {
    const hasShell = navigator.serviceWorker.controller !== null && (await caches.match('/home')) !== undefined
    const opening = indexedDB.open('linnet')
    opening.onsuccess = () => {
      const reading = opening.result.transaction('timelines').objectStore('timelines').getAllKeys()
      reading.onsuccess = () => {
        opening.result.close()
        const hasTimeline = reading.result.some((key) => key.includes('tag:winter'))
        if (hasShell && hasTimeline) resolve()
        else requestAnimationFrame(check)
      }
    }
  }
  check()
})`

suite('reading in the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    // Annual reports can be requested from 10 December on.
    web = await openWebClientTest({ now: () => new Date(Date.UTC(YEAR, 11, 12)) })
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo', displayName: 'Bo Finch' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const post = async ({ client }: TestUser, status: string) => {
    const { body } = await client.post<Status>('/api/v1/statuses', { status })
    await web.testServer.waitForJobs()
    return body
  }
  const filtersOfAda = async () => (await ada.client.get<Filter[]>('/api/v2/filters')).body
  const scrollOf = (page: Page) => page.evaluate<number>('scrollY')

  test('trends have each hashtag once, also if its rank falls while the pages are loaded', async () => {
    const serve = (page: Page) =>
      void page.route('**/api/v1/trends/tags?*', async (route) => {
        const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
        const [first, last] = offset === 0 ? [1, 20] : offset === 20 ? [20, 21] : [1, 0]
        const numbers = Array.from({ length: last - first + 1 }, (_, n) => first + n)
        const tagOf = (n: number) => ({ id: String(n), name: `tag${n}`, url: `/tags/tag${n}`, history: [] })
        await route.fulfill({ json: numbers.map(tagOf) })
      })
    const page = await web.openClient(ada, { path: '/explore/tags', onPage: serve })
    const link = (n: number) => page.getByRole('link', { name: new RegExp(`^#tag${n} `) })
    await link(20).first().scrollIntoViewIfNeeded()
    await link(21).waitFor()
    assert.equal(await link(20).count(), 1)
    await page.context().close()
  })

  test('a first visit sends at most ten requests before it shows posts', async () => {
    await post(bo, 'Ein Kirschbaum')
    const page = await web.openClient(ada, { onPage: (opened) => void recordLoad(opened) })
    const { requests } = await readLoad(page)
    assert.ok(requests > 3 && requests <= 10, `${requests} requests`)
    await page.context().close()
  })

  test('the timeline of other servers has no local posts, and the menu leads to it', async () => {
    await post(bo, 'From this server')
    const accountId = await createRemoteAccount(web.testServer.ctx)
    await createRemoteStatus(web.testServer.ctx, { accountId, content: '<p>From far away</p>' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { width: 700 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Other servers' }).click()
    await page.waitForURL('**/public/remote')
    await page.getByRole('heading', { name: 'Other servers', level: 1 }).waitFor()
    await page.getByRole('main').getByRole('article').filter({ hasText: 'From far away' }).waitFor()
    assert.equal(await page.getByText('From this server').count(), 0)
    await page.context().close()
  })

  test('a filter is created, changed and deleted, and changes at once what timelines show', async () => {
    const { id } = await post(bo, 'Who won the final?')
    const page = await web.openClient(ada)
    await page.getByRole('article').filter({ hasText: 'Who won the final?' }).waitFor()
    await visit(page, '/settings')
    await page.getByRole('link', { name: /^Filters/ }).click()
    await page.getByText('No filters yet').waitFor()
    await checkPage(page, 'the page without filters')
    await page.getByRole('link', { name: 'New filter' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Football')
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.goBack()
    await page.getByRole('textbox', { name: 'Keyword 1' }).fill('final')
    await page.getByRole('textbox', { name: 'Keyword 1' }).press('Enter')
    await page.getByRole('textbox', { name: 'Keyword 2' }).fill('goal')
    await page.getByRole('checkbox', { name: 'Keyword 2: whole words only' }).click()
    for (const context of ['Home and lists', 'Notifications', 'Public timelines', 'Conversations', 'Profiles'])
      await page.getByRole('checkbox', { name: context }).click()
    await page.getByRole('button', { name: 'Create filter' }).click()
    await page.getByRole('alert').getByText('Select at least one place').waitFor()
    await page.getByRole('checkbox', { name: 'Home and lists' }).click()
    await page.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In 1 day' })
    await checkPage(page, 'a new filter')
    await page.getByRole('button', { name: 'Create filter' }).click()
    await page.getByRole('link', { name: /Football.*2 keywords.*Expires on/ }).waitFor()
    await checkPage(page, 'the filters')
    const [created] = await filtersOfAda()
    assert.deepEqual(
      [
        created?.context,
        created?.filter_action,
        created?.keywords?.map(({ keyword, whole_word: whole }) => [keyword, whole]),
      ],
      [
        ['home'],
        'warn',
        [
          ['final', true],
          ['goal', false],
        ],
      ],
    )
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByText('Matches filter “Football”').waitFor()
    assert.equal(await page.getByText('Who won the final?').count(), 0)

    await visit(page, '/filters')
    await page.getByRole('link', { name: /Football/ }).click()
    await page.getByRole('button', { name: 'Remove keyword 1' }).click()
    await page.getByRole('radio', { name: 'Hide completely' }).click()
    await page.getByRole('button', { name: 'Save filter' }).click()
    await page.getByRole('link', { name: /Football.*Hide completely.*1 keyword/ }).waitFor()
    const [changed] = await filtersOfAda()
    assert.equal(changed?.expires_at, created?.expires_at)
    assert.deepEqual(
      changed?.keywords?.map(({ keyword }) => keyword),
      ['goal'],
    )

    await visit(page, `/@bo/${id}`)
    await page.locator(`article[data-status="${id}"]`).getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Filter this post' }).click()
    const dialog = page.getByRole('dialog', { name: 'Filter this post' })
    await dialog.getByRole('checkbox', { name: 'Football' }).click()
    await dialog.locator('input:checked').waitFor()
    await checkPage(page, 'the dialog that filters a post')
    await dialog.getByRole('button', { name: 'Close' }).click()
    assert.equal((await filtersOfAda())[0]?.statuses?.[0]?.status_id, id)
    await visit(page, `/filters/${created?.id}/edit`)
    await page.getByRole('region', { name: 'Posts in this filter' }).getByText('Who won the final?').waitFor()
    await checkPage(page, 'a filter with a post')
    await page.getByRole('button', { name: 'Remove post 1 from the filter' }).click()
    await page.getByRole('region', { name: 'Posts in this filter' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete filter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete filter' }).click()
    await page.getByText('No filters yet').waitFor()
    assert.deepEqual(await filtersOfAda(), [])
    await page.context().close()
  })

  test('a hashtag is filtered from its menu, with a form that is accessible in dark colours at 320 pixels', async () => {
    await post(bo, 'On the pitch #football')
    const page = await web.openClient(ada, { path: '/tags/football', width: 320, height: 640, theme: 'dark' })
    await page.getByRole('button', { name: /^More about #football/ }).click()
    await page.getByRole('menuitem', { name: 'Filter this hashtag' }).click()
    await page.getByRole('heading', { name: 'New filter' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Keyword 1' }).inputValue(), '#football')
    await checkPage(page, 'a new filter at 320 pixels')
    await page.getByRole('button', { name: 'Create filter' }).click()
    await page.getByRole('link', { name: /#football/ }).waitFor()
    await checkPage(page, 'the filters at 320 pixels')
    const [filter] = await filtersOfAda()
    assert.equal(filter?.keywords?.[0]?.keyword, '#football')
    await ada.client.delete(`/api/v2/filters/${filter.id}`)
    await page.context().close()
  })

  test('the annual report is announced, generated and shown, and then no longer announced', async () => {
    const boosted = await post(ada, 'My best post #linnets')
    await bo.client.post(`/api/v1/statuses/${boosted.id}/reblog`)
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    const title = `Your ${YEAR} in review`
    await page.getByRole('region', { name: title }).getByRole('link', { name: 'Open the review' }).click()
    await page.getByRole('button', { name: 'Create my review' }).click()
    const jobs = web.testServer.waitForJobs()
    await page.getByRole('heading', { name: 'The quiet reader' }).waitFor()
    await jobs
    await page.getByRole('link', { name: '#linnets' }).first().waitFor()
    await page.getByRole('article').filter({ hasText: 'My best post' }).waitFor()
    await checkPage(page, 'the annual report')
    await visit(page, '/notifications')
    await page.getByRole('link', { name: 'Open the review' }).click()
    await page.getByRole('heading', { name: 'The quiet reader' }).waitFor()
    await page.goto('/home')
    await page.getByRole('article').first().waitFor()
    const unread = await ada.client.get<{ annual_reports: unknown[] }>('/api/v1/annual_reports')
    assert.deepEqual(unread.body.annual_reports, [])
    assert.equal(await page.getByRole('region', { name: title }).count(), 0)
    await visit(page, '/annual_reports/2001')
    await page.getByText('There is no review of 2001').waitFor()
    await page.context().close()
  })

  test('a reload shows the same posts of a hashtag without a network, and also without space for the files', async () => {
    await post(bo, 'Red breasts in #winter')
    const page = await web.openClient(ada, { path: '/tags/winter', hasServiceWorker: true })
    const shown = page.getByRole('article').filter({ hasText: 'Red breasts in' })
    await shown.waitFor()
    await page.evaluate(untilIsSaved)
    await page.context().setOffline(true)
    await page.reload()
    await shown.waitFor()
    await page.context().setOffline(false)
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: web.origin, quotaSize: 1_000 })
    await page.evaluate(`(async () => {
      for (const name of await caches.keys()) if (name.startsWith('linnet-build-')) await caches.delete(name)
    })()`)
    await page.reload()
    await shown.waitFor()
    await page.context().close()
  })

  test('the key 0 and the link to the open page scroll to the top, and the help lists the keys', async () => {
    const page = await web.openClient(ada, { path: '/settings/client/keyboard', height: 300 })
    for (const name of ['Scroll to the top', 'Mention the author', 'Translate', 'Load more'])
      await page.getByText(name, { exact: true }).waitFor()
    await visit(page, '/notifications')
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    await page.evaluate("document.querySelector('main').style.minHeight = '3000px'")
    const scrollDown = async () => {
      await page.evaluate('scrollTo(0, 1000)')
      assert.equal(await scrollOf(page), 1000)
    }
    await scrollDown()
    await page.keyboard.press('0')
    assert.equal(await scrollOf(page), 0)
    await scrollDown()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Notifications/ })
      .click()
    assert.equal(await scrollOf(page), 0)
    assert.match(page.url(), /\/notifications$/)
    await page.context().close()
  })
})
