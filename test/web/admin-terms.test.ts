import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createVisitor } from '../http/create-visitor.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { until } from '../streaming/streams.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

// Slow: starts a browser.

suite('the terms of service in the administration', { skip: withoutChromium }, () => {
  let web: WebClientTest

  before(async () => {
    web = await openWebClientTest()
  })
  after(() => web?.close())

  const untilStatus = async (path: string, status: number) => {
    const read = createVisitor(web.testServer)
    await until(async () => (await read(path)).status === status)
  }
  const focusedLabel = async (page: Page) => page.evaluate(`document.activeElement?.labels?.[0]?.textContent`)

  test('are published, announced to users, who see a page about them, and deleted', async () => {
    const scopes = 'read write admin:read admin:write'
    const owner = await web.testServer.createUser({ username: 'owner', role: 'owner', scopes })
    const page = await web.openClient(owner, { path: '/admin/settings/terms' })
    const publish = async (text: string, date?: string) => {
      await page.getByRole('button', { name: 'New version' }).click()
      await page.getByRole('dialog').getByLabel('Text').fill(text)
      if (date !== undefined) await page.getByRole('dialog').getByLabel('Effective date').fill(date)
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    }
    await publish('# Terms')
    await page.getByText('In force', { exact: true }).waitFor()
    await publish('# Other terms')
    await page.getByText('A version of this date exists already').waitFor()
    assert.equal(await focusedLabel(page), 'Effective date')
    await page.getByText('Preview: Text').click()
    await page.getByRole('region', { name: 'Preview: Text' }).getByRole('heading', { name: 'Other terms' }).waitFor()
    await page.getByRole('dialog').getByLabel('Effective date').fill('2099-01-31')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    const next = page.getByRole('article', { name: /2099/ })
    await next.getByText('Not in force yet').waitFor()
    await untilStatus('/api/v1/instance/terms_of_service/2099-01-31', 200)
    await publish('# Third terms', '2099-01-31')
    await page.getByText('A version of this date exists already').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('Escape')
    const { body: stored } = await owner.client.get('/api/v1/admin/terms_of_service/2099-01-31')
    assert.equal(stored.text, '# Other terms')
    await next.getByRole('button', { name: /^Notify users of the terms of / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('0 mails').waitFor()
    await checkPage(page, 'the dialog that notifies users of terms')
    await dialog.getByRole('button', { name: 'Notify users' }).click()
    await next.getByText(/^Users notified on /).waitFor()
    assert.equal(await next.getByRole('button', { name: /^Notify users/ }).count(), 0)
    await web.testServer.waitForJobs()

    // Without a mail server, all users see the page, also the owner.
    const visit = await page.context().newPage()
    await visit.goto('/home')
    await visit.getByRole('heading', { name: 'New terms of service' }).waitFor()
    await checkPage(visit, 'the page about new terms')
    await visit.getByRole('link', { name: 'Read the terms' }).focus()
    await visit.keyboard.press('Enter')
    await visit.getByText('Effective from').waitFor()
    await visit.goto('/home')
    await visit.getByRole('heading', { name: 'Home' }).first().waitFor()
    await visit.close()

    await next.getByRole('button', { name: /^Delete: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await next.waitFor({ state: 'detached' })
    await untilStatus('/api/v1/instance/terms_of_service/2099-01-31', 404)
    await page.context().close()
  })
})
