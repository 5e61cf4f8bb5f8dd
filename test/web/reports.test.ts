// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createCollection } from '../features/collections.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { untilFocused } from './wait-until.ts'

suite('a report in the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let owner: TestUser
  let cora: TestUser
  let reportedId: string
  let path: string

  before(async () => {
    web = await openWebClientTest()
    const scopes = 'read write admin:read admin:write'
    owner = await web.testServer.createUser({ username: 'owner', role: 'owner', scopes })
    cora = await web.testServer.createUser({ username: 'cora', role: 'moderator', scopes })
    const author = await web.testServer.createUser({ username: 'ada' })
    const reported = await web.testServer.createUser({ username: 'bo' })
    reportedId = reported.accountId
    const { body: post } = await author.client.post('/api/v1/statuses', { status: 'A linnet' })
    const { body: quoted } = await author.client.post('/api/v1/statuses', { status: 'A siskin' })
    const { body: boost } = await reported.client.post(`/api/v1/statuses/${post.id}/reblog`)
    const { body: quote } = await reported.client.post('/api/v1/statuses', {
      status: 'Nonsense',
      quoted_status_id: quoted.id,
    })
    const collection = await createCollection(reported, { name: 'Nonsense makers' })
    await web.testServer.waitForJobs()
    const { body: report } = await author.client.post('/api/v1/reports', {
      account_id: reported.accountId,
      status_ids: [boost.id, quote.id],
      collection_ids: [collection.id],
    })
    path = `/admin/reports/${report.id}`
  })
  after(() => web?.close())

  test('shows the reported collections, and the posts that the reported posts boost and quote', async () => {
    const page = await web.openClient(owner, { path })
    const boost = page.getByRole('article').filter({ hasText: 'bo boosted' })
    await boost.getByText('A linnet').waitFor()
    await boost.getByRole('link', { name: 'ada @ada' }).waitFor()
    await page.getByRole('link', { name: 'Nonsense makers' }).waitFor()
    await page.getByRole('article').filter({ hasText: 'Nonsense' }).getByText('A siskin').waitFor()
    await checkPage(page, 'a report of a boost, a quote and a collection')
    await page.context().close()
  })

  test('shows all decisions in a narrow window', async () => {
    const page = await web.openClient(owner, { path, width: 320 })
    const decisions = page.getByRole('group', { name: 'Decision' }).getByRole('button')
    await decisions.first().waitFor()
    const rights = await decisions.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    assert.equal(rights.length, 6)
    assert.ok(Math.max(...rights) <= 320, `up to ${Math.max(...rights)} pixels`)
    await page.context().close()
  })

  test('is not decided again, nor its account limited, if other staff do so while the question is open', async () => {
    const listStrikes = async () =>
      (await owner.client.get<unknown[]>(`/api/v1/admin/accounts/${reportedId}/strikes`)).body
    const page = await web.openClient(owner, { path })
    await page.getByRole('button', { name: 'Warn' }).click()
    const dialog = page.getByRole('dialog', { name: 'Warn @bo?' })
    await dialog.getByLabel('Message').fill('Please stop')
    await cora.client.post(`/api/v1${path}/resolve`)
    await dialog.getByRole('button', { name: 'Warn' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Resolved by @cora' }).waitFor()
    assert.deepEqual(await listStrikes(), [])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Mark as unresolved' }).waitFor()
    await untilFocused(page.getByRole('heading', { level: 1 }))
    await page.goto(`/admin/accounts/${reportedId}`)
    await page.getByRole('button', { name: 'Limit' }).click()
    await cora.client.post(`/api/v1/admin/accounts/${reportedId}/action`, { type: 'silence' })
    await page.getByRole('dialog').getByRole('button', { name: 'Limit' }).click()
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: '@bo was limited' }).waitFor()
    assert.equal((await listStrikes()).length, 1)
    await page.context().close()
  })
})
