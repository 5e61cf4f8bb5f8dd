// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Notification } from '../../src/entities/notifications/notification.ts'
import { pushMessage } from '../../src/push/message.ts'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { until } from '../streaming/streams.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest, watchSubscription } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'

suite('the web client shows what concerns the user', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let fans: TestUser[]
  let ownPostId: string

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    fans = await Promise.all(
      ['bo', 'cy', 'dee', 'eve', 'flo'].map((username) => web.testServer.createUser({ username })),
    )
    for (const fan of fans.slice(0, 4)) await ada.client.post(`/api/v1/accounts/${fan.accountId}/follow`)
    ownPostId = await post(ada, 'A walnut tree grows here')
    for (const fan of fans.slice(0, 4)) {
      await fan.client.post(`/api/v1/statuses/${ownPostId}/favourite`)
      await web.testServer.waitForJobs()
    }
    await post(fans[0]!, '@ada what a hazelnut', 'unlisted')
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const post = async (user: TestUser, status: string, visibility = 'public', more: object = {}): Promise<string> => {
    const response = await user.client.post('/api/v1/statuses', { status, visibility, ...more })
    await web.testServer.waitForJobs()
    return response.body.id
  }
  const navigationLink = (page: Page, name: RegExp | string) =>
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name })

  test('favourites of several users are one sentence with three names, and the badge counts until the page is read', async () => {
    const page = await web.openClient(ada)
    await navigationLink(page, '2 unread notifications').waitFor()
    await until(async () => (await page.title()).startsWith('(2) Home'))
    const read = page.waitForResponse((response) => response.url().endsWith('/api/v1/markers') && response.ok())
    await navigationLink(page, /^Notifications/).click()
    const group = page.getByRole('article', { name: 'eve, dee, cy, and 1 other favourited your post' })
    await group.waitFor()
    await group.getByText('A walnut tree grows here').waitFor()
    const spoken = /^New: eve, dee, cy, and 1 other favourited your post, A walnut tree grows here, now$/
    await page.getByRole('article', { name: spoken }).waitFor()
    await page.getByRole('article', { name: 'what a hazelnut', description: 'New: bo mentioned you' }).waitFor()
    assert.equal(await page.getByText('New:').count(), 2)
    await read
    await until(async () => (await page.title()).startsWith('Notifications'))
    await page.getByRole('link', { name: 'Conversations', exact: true }).click()
    await page.getByText('bo mentioned you').waitFor()
    await group.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a notification arrives behind a button and on the badge, and a growing group moves to the top', async () => {
    const [{ subscribed, onPage }, ofHome] = [watchSubscription(), watchSubscription()]
    const page = await web.openClient(ada, { path: '/notifications', onPage })
    await page.getByText('bo mentioned you').waitFor()
    await subscribed
    const home = await web.openClient(ada, { onPage: ofHome.onPage })
    await home.getByRole('article').first().waitFor()
    await ofHome.subscribed
    await fans[4]!.client.post(`/api/v1/statuses/${ownPostId}/favourite`)
    await web.testServer.waitForJobs()
    await navigationLink(home, '1 unread notification').waitFor()
    await page.getByRole('button', { name: '1 new notification' }).click()
    const first = page.getByRole('list', { name: 'Notifications' }).getByRole('article').first()
    await first.getByText('flo, eve, dee, and 2 others favourited your post').waitFor()
    await home.context().close()
    await page.context().close()
  })

  test('a dismissed notification disappears, and the focus moves to the next one', async () => {
    const page = await web.openClient(ada, { path: '/notifications' })
    await page.getByText('favourited your post').waitFor()
    const dismissed = page.waitForResponse((response) => response.url().endsWith('/dismiss') && response.ok())
    await page.getByRole('button', { name: 'Dismiss notification' }).first().press('Enter')
    await dismissed
    await page.getByText('favourited your post').waitFor({ state: 'detached' })
    await page.locator('[aria-label="Dismiss notification"]:focus').waitFor()
    await page.context().close()
  })

  test('several requests are dismissed together', async () => {
    await ada.client.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    const unknownUsers = await Promise.all(['gus', 'hal'].map((username) => web.testServer.createUser({ username })))
    for (const unknownUser of unknownUsers) await post(unknownUser, '@ada hello')
    const page = await web.openClient(ada, { path: '/notifications/requests', width: 320, theme: 'dark' })
    await page.getByRole('link', { name: /hal @hal/ }).waitFor()
    await checkPage(page, 'the requests at 320 pixels')
    await page.getByLabel('Select all').check()
    await page.getByText('2 selected').waitFor()
    const dismissed = page.waitForResponse((response) => response.url().endsWith('/requests/dismiss') && response.ok())
    await page.getByRole('button', { name: 'Dismiss selected' }).click()
    await dismissed
    await page.getByText('There are no filtered notifications').waitFor()
    await page.context().close()
  })

  test('a follow request is accepted from its notification', async () => {
    await ada.client.patch('/api/v1/accounts/update_credentials', { locked: true })
    await fans[0]!.client.post(`/api/v1/accounts/${ada.accountId}/follow`)
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { path: '/notifications?tab=activity' })
    const request = page.getByRole('article', { name: 'bo has requested to follow you' })
    const accept = Promise.withResolvers<void>()
    await page.route('**/authorize', async (route) => {
      await accept.promise
      await route.continue()
    })
    const accepted = page.waitForResponse((response) => response.url().endsWith('/authorize') && response.ok())
    await request.getByRole('button', { name: 'Accept' }).click()
    await request.waitFor({ state: 'detached' })
    const refreshed = page.waitForResponse((response) => response.url().includes('/api/v2/notifications?'))
    await page.evaluate("dispatchEvent(new Event('online'))")
    await refreshed
    await page.getByText('any notifications yet').or(page.getByRole('article').first()).waitFor()
    assert.equal(await request.count(), 0, 'a page that was loaded meanwhile does not show it')
    accept.resolve()
    await accepted
    const { body } = await ada.client.get(`/api/v1/accounts/relationships?id[]=${fans[0]!.accountId}`)
    assert.equal(body[0].followed_by, true)
    await page.context().close()
  })

  test('by keyboard, a user searches for a person and for a post, and repeats and removes a search', async () => {
    const page = await web.openClient(ada)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('s')
    const field = page.getByRole('searchbox')
    await page.locator('#search-field:focus').waitFor()
    await page.keyboard.type('bo')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^bo @bo/ }).waitFor()
    await page.locator('#announcements', { hasText: /^[1-9]\d* results?$/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.locator('#search-field:focus').waitFor()
    await field.fill('walnut')
    await page.keyboard.press('Enter')
    await page.getByRole('article').getByText('A walnut tree grows here').waitFor()
    await page.getByRole('navigation', { name: 'Search results' }).getByRole('link', { name: 'Posts' }).click()
    await page.getByRole('button', { name: 'from:me' }).click()
    await page.waitForURL(/from%3Ame/)
    await page.getByRole('article').getByText('A walnut tree grows here').waitFor()
    await checkPage(page, 'results of a search')
    await page.goto('/search')
    await page.getByRole('link', { name: 'walnut from:me' }).waitFor()
    await page.getByRole('button', { name: 'Remove the search “bo”' }).click()
    await page.getByRole('link', { name: 'bo', exact: true }).waitFor({ state: 'detached' })
    await checkPage(page, 'recent searches')
    await page.context().close()
  })

  test('explore shows posts, hashtags, news and people, and has follow buttons', async () => {
    const page = await web.openClient(ada, { path: '/explore/suggestions', onPage: serveTrends })
    const follow = page.getByRole('button', { name: 'Follow @flo' })
    const followed = page.waitForResponse((response) => response.url().endsWith('/follow') && response.ok())
    await follow.click()
    assert.equal(await follow.getAttribute('aria-pressed'), 'true')
    await followed
    await checkPage(page, 'suggestions')
    const sections = page.getByRole('navigation', { name: 'Trends' })
    await sections.getByRole('link', { name: 'Hashtags' }).click()
    await page.getByRole('link', { name: '#walnuts 12 people in the past 2 days' }).waitFor()
    await checkPage(page, 'trending hashtags')
    await sections.getByRole('link', { name: 'News' }).click()
    await page.getByRole('link', { name: 'Discussed by 12 people in the past 2 days' }).waitFor()
    await checkPage(page, 'trending links')
    await sections.getByRole('link', { name: 'Posts' }).click()
    await page.getByRole('article').getByText('A walnut tree grows here').waitFor()
    await page.context().close()
  })

  test('explore shows that an account which approves its followers was only asked', async () => {
    const jay = await web.testServer.createUser({ username: 'jay' })
    await jay.client.patch('/api/v1/accounts/update_credentials', { discoverable: true, locked: true })
    await fans[0]!.client.post(`/api/v1/statuses/${await post(jay, 'Who goes there?')}/favourite`)
    const page = await web.openClient(ada, { path: '/explore/suggestions' })
    const follow = page.getByRole('button', { name: 'Follow @jay' })
    await follow.click()
    await follow.getByText('Requested').waitFor()
    await follow.click()
    await follow.getByText('Follow', { exact: true }).waitFor()
    await page.context().close()
  })

  test('an announcement arrives above the home timeline, takes a reaction, and stays dismissed', async () => {
    const { subscribed, onPage } = watchSubscription()
    const page = await web.openClient(ada, { onPage })
    await page.getByRole('article').first().waitFor()
    await subscribed
    const staff = await web.testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
    await staff.client.post('/api/v1/admin/announcements', { text: 'Maintenance at noon' })
    await web.testServer.waitForJobs()
    const bar = page.getByRole('region', { name: 'Announcement' })
    await bar.getByText('Maintenance at noon').waitFor()
    const reacted = page.waitForResponse((response) => response.url().includes('/reactions/') && response.ok())
    await bar.getByRole('button', { name: 'Add reaction' }).click()
    await bar.getByRole('button', { name: '🎉' }).click()
    await reacted
    assert.equal(await bar.getByRole('button', { name: '🎉 1' }).getAttribute('aria-pressed'), 'true')
    await checkPage(page, 'an announcement')
    const dismissed = page.waitForResponse((response) => response.url().endsWith('/dismiss') && response.ok())
    await bar.getByRole('button', { name: 'Dismiss announcement' }).click()
    await dismissed
    await page.reload()
    await page.getByRole('article').first().waitFor()
    assert.equal(await bar.count(), 0)
    await page.context().close()
  })

  test('notifications, conversations, search and explore are accessible in a dark window of 320 pixels', async () => {
    const page = await web.openClient(ada, {
      path: '/notifications',
      width: 320,
      theme: 'dark',
      onPage: serveTrends,
    })
    await page.getByText('mentioned you').first().waitFor()
    await checkPage(page, 'the notifications at 320 pixels')
    await navigationLink(page, 'Explore').click()
    await page.getByRole('article').first().waitFor()
    await checkPage(page, 'explore at 320 pixels')
    await visit(page, '/search?q=walnut')
    await page.getByRole('article').first().waitFor()
    await checkPage(page, 'a search at 320 pixels')
    await page.context().close()
  })

  /** Responds to the requests for trends, which the server calculates from more users than a test has. */
  function serveTrends(page: Page): void {
    const history = Array.from({ length: 7 }, (_, day) => ({ day: String(day), accounts: '6', uses: String(9 - day) }))
    const url = 'https://news.example/walnuts'
    const link = { url, title: 'Walnuts are back', provider_name: 'The News', image: null, language: 'en', history }
    const find = async (path: string) => (await ada.client.get(path)).body
    const responses: Record<string, () => Promise<object> | object> = {
      'v1/trends/statuses': () => find(`/api/v1/statuses/${ownPostId}`),
      'v1/trends/tags': () => ({ id: '1', name: 'walnuts', url: '/tags/walnuts', history }),
      'v1/trends/links': () => link,
      'v2/suggestions': async () => ({
        source: 'global',
        sources: ['most_followed'],
        account: await find(`/api/v1/accounts/${fans[4]!.accountId}`),
      }),
    }
    for (const [name, respond] of Object.entries(responses))
      void page.route(`**/api/${name}?*`, async (route) => {
        const isFirstPage = (new URL(route.request().url()).searchParams.get('offset') ?? '0') === '0'
        await route.fulfill({ json: isFirstPage ? [await respond()] : [] })
      })
  }

  test('a push shows a notification with its text, which leads to the post', async () => {
    const statusId = await post(fans[2]!, '@ada a ripe chestnut')
    const { body } = await ada.client.get<Notification[]>('/api/v1/notifications?types[]=mention&limit=1')
    const page = await web.openClient(ada, { path: '/settings', hasServiceWorker: true })
    const cdp = await page.context().newCDPSession(page)
    const active = Promise.withResolvers<string>()
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const version = versions.find(({ status }) => status === 'activated')
      if (version) active.resolve(version.registrationId)
    })
    await cdp.send('ServiceWorker.enable')
    const registrationId = await active.promise
    const [worker] = page.context().serviceWorkers()
    assert.ok(worker)
    // Browsers without a screen do not permit notifications.
    await worker.evaluate(
      `registration.showNotification = async (title, options) => { self.shown = { title, ...options } }`,
    )
    const payload = { notification: body[0]!, token: ada.token, locale: 'en', defaultLocale: 'en' } as const
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin: web.origin,
      registrationId,
      data: pushMessage(payload).toString(),
    })
    const shown = await until(async () =>
      worker.evaluate<{ title: string; body: string; data: { path: string } } | undefined>('self.shown'),
    )
    assert.deepEqual(
      [shown.title, shown.body, shown.data.path],
      ['dee mentioned you', '@ada a ripe chestnut', `/@dee/${statusId}`],
    )
    await page.context().close()
  })
})
