// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { changeSetting } from '../../src/domain/instance/instance-settings.ts'
import type { ClientResponse } from '../http/client.ts'
import { createVisitor } from '../http/create-visitor.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { eventually } from '../servers/linnet-process.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { createTrends } from './trend-records.ts'
import { checkPages } from './views.ts'
import { visit } from './visit.ts'

suite('the web client has pages of trends and follow recommendations', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let owner: TestUser

  before(async () => {
    web = await openWebClientTest()
    owner = await web.testServer.createUser({
      username: 'owner',
      role: 'owner',
      scopes: 'read write admin:read admin:write',
    })
    await createTrends(web.testServer)
  })
  after(() => web?.close())

  const visitorsSee = (url: string, expected: unknown, select: (body: ClientResponse['body']) => unknown) => {
    const read = createVisitor(web.testServer)
    return eventually(async () => assert.deepEqual(select((await read(url)).body), expected))
  }

  test('trends are approved and rejected, several at once, and users see the approved ones', async () => {
    const tagsAre = (expected: string[]) =>
      visitorsSee('/api/v1/trends/tags', expected, (tags: { name: string }[]) =>
        tags.map(({ name }) => name).toSorted(),
      )
    const page = await web.openClient(owner, { path: '/admin/trends?review=pending' })
    await page.getByRole('button', { name: /^Approve: @.*Everybody likes this post/ }).click()
    await page.getByText('Everything here was reviewed').waitFor()
    await visitorsSee('/api/v1/trends/statuses', 1, (statuses) => statuses.length)

    await page.getByRole('link', { name: 'Hashtags' }).click()
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('article', { name: '#Larks' }).waitFor()
    await page.getByLabel('Select all').click()
    await page.getByText('2 selected').waitFor()
    await checkPage(page, 'the selection of trends')
    await page.getByRole('button', { name: 'Approve selected' }).click()
    await page.getByRole('article', { name: '#Larks' }).getByText('Approved').waitFor()
    await tagsAre(['Larks', 'Swifts'])
    await page.getByRole('button', { name: 'Edit #Larks' }).click()
    const form = page.getByRole('dialog', { name: '#Larks' })
    await form.getByLabel('Spelling').fill('Skylarks')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Display name does not match the previous name', { exact: true }).waitFor()
    await form.getByLabel('Spelling').fill('LARKS')
    await form.getByRole('checkbox', { name: 'Found by search' }).click()
    await checkPage(page, 'the form of a hashtag')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('#LARKS was saved').first().waitFor()
    await tagsAre(['Swifts'])
    await page.getByRole('button', { name: 'Undo z' }).click()
    await page.getByRole('article', { name: '#Larks' }).waitFor()
    await tagsAre(['Larks', 'Swifts'])
    await page.getByRole('button', { name: 'Reject: #Larks' }).click()
    await page.getByRole('article', { name: '#Larks' }).getByText('Rejected').waitFor()
    await tagsAre(['Swifts'])

    await page.getByRole('link', { name: 'Publishers' }).click()
    await page.getByRole('button', { name: 'Approve: news.test' }).click()
    await page.getByRole('article', { name: 'news.test' }).getByText('Approved').waitFor()
    await visitorsSee('/api/v1/trends/links', 'Swifts are back', ([link]) => link?.title)
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await page.getByRole('button', { name: 'Reject: Swifts are back' }).click()
    await page.getByRole('article', { name: 'Swifts are back' }).getByText('Rejected').waitFor()
    await visitorsSee('/api/v1/trends/links', 0, (links) => links.length)
    await page.context().close()
  })

  test('accounts are suppressed and restored in the list of suggestions and on their page', async () => {
    const ann = await web.testServer.createUser({ username: 'ann' })
    await web.testServer.createUser({ username: 'ben' })
    const reader = await web.testServer.createUser({ username: 'reader' })
    const { ctx } = web.testServer
    await sql`update accounts set discoverable = (username in ('ann', 'ben'))`.execute(ctx.db)
    await ctx.write((tx) => changeSetting(tx, { by: null, name: 'bootstrap-timeline-accounts', text: 'ben' }))
    await reader.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
    const suggestedAre = (expected: string[]) =>
      eventually(async () => {
        const { body } = await owner.client.get<{ account: { username: string } }[]>('/api/v2/suggestions')
        assert.deepEqual(
          body.map(({ account }) => account.username),
          expected,
        )
      })
    const page = await web.openClient(owner, { path: '/admin/follow_recommendations' })
    const [annRow, benRow] = [page.getByRole('article', { name: '@ann' }), page.getByRole('article', { name: '@ben' })]
    await benRow.getByText('Chosen by administrators').waitFor()
    await annRow.getByText('Among the most followed').waitFor()
    await suggestedAre(['ben', 'ann'])
    await page.getByRole('button', { name: 'Suppress: @ben' }).focus()
    await page.keyboard.press('Enter')
    await benRow.waitFor({ state: 'detached' })
    await page.locator('article:focus', { hasText: '@ann' }).waitFor()
    await suggestedAre(['ann'])
    await page.getByRole('button', { name: 'Undo z' }).click()
    await benRow.waitFor()
    await suggestedAre(['ben', 'ann'])
    await page.getByRole('button', { name: 'Suppress: @ann' }).click()
    await annRow.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Suppressed' }).click()
    await annRow.waitFor()
    await checkPage(page, 'the suppressed accounts')

    await visit(page, `/admin/accounts/${ann.accountId}`)
    await page.getByText('The account is suggested to nobody.').waitFor()
    await page.getByRole('button', { name: 'Restore: @ann' }).click()
    await page.getByRole('button', { name: 'Suppress: @ann' }).waitFor()
    await suggestedAre(['ben', 'ann'])
    await page.context().close()
  })

  test('the pages are accessible, light and dark, from 320 pixels', async () => {
    const page = await web.openClient(owner, { path: '/admin/trends' })
    await checkPages(page, ['/admin/trends', '/admin/trends?kind=links', '/admin/follow_recommendations'])
    await page.context().close()
  })
})
