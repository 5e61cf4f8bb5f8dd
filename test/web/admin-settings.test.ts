import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { SETTING_NAMES } from '../../src/domain/instance/setting-definitions.ts'
import { SETTING_SECTIONS } from '../../web/src/features/admin/settings/setting-sections.ts'
import type { Instance } from '../../src/entities/instance/instance.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { until } from '../streaming/streams.ts'
import { createVisitor } from '../http/create-visitor.ts'
import type { Visitor } from '../http/create-visitor.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest, watchSubscription } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages, NARROW } from './views.ts'

// Slow: starts a browser.

const ADMIN_SCOPES = 'read write admin:read admin:write'

test('every setting of the server is on one page of the administration', () => {
  const shown = Object.values(SETTING_SECTIONS).flatMap((groups) =>
    groups.flatMap(({ names }) => [...names] as string[]),
  )
  const names = SETTING_NAMES.map((name) => name.replaceAll('-', '_'))
  assert.deepEqual(shown.toSorted(), names.toSorted())
})

suite('the administration of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let read: Visitor
  let owner: TestUser
  let user: TestUser

  before(async () => {
    web = await openWebClientTest()
    read = createVisitor(web.testServer)
    owner = await web.testServer.createUser({ username: 'owner', role: 'owner', scopes: ADMIN_SCOPES })
    user = await web.testServer.createUser({ username: 'bo' })
  })
  after(() => web?.close())

  /** Polls the instance, which is cached for a moment. */
  const untilInstance = async (isExpected: (instance: Instance) => boolean) =>
    until(async () => isExpected((await read('/api/v2/instance')).body as Instance))
  const untilStatus = async (path: string, status: number) => until(async () => (await read(path)).status === status)
  const save = async (page: Page, done: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(done).first().waitFor()
  }
  const undo = async (page: Page) => page.getByRole('button', { name: 'Undo z' }).click()
  const focusedLabel = async (page: Page) => page.evaluate(`document.activeElement?.labels?.[0]?.textContent`)

  test('changes settings of the server, marks refused values, and keeps what is not saved', async () => {
    const page = await web.openClient(owner, { path: '/admin/settings' })
    await page.getByLabel('Name', { exact: true }).fill('Bird house')
    await page.getByLabel('URL of the status page').fill('nowhere')
    await page.getByLabel('Contact e-mail address').fill('nobody')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Status page is not a web address', { exact: true }).waitFor()
    await page.getByText('Contact email is not an e-mail address', { exact: true }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Validation failed' }).waitFor()
    await checkPage(page, 'refused settings')
    assert.equal(await focusedLabel(page), 'URL of the status page')
    assert.equal(await page.getByLabel('Contact e-mail address').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), null)

    const navigation = page.getByRole('navigation', { name: 'Pages of settings' })
    await navigation.getByRole('link', { name: 'Registrations' }).click()
    await page.getByLabel('Only invited users').click()
    await navigation.getByRole('link', { name: 'General' }).click()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Bird house')
    await page.getByLabel('URL of the status page').fill('https://status.birds.test')
    await page.getByLabel('Contact e-mail address').fill('hello@birds.test')
    await save(page, 'The settings were saved')
    await untilInstance(({ title, contact, configuration }) => {
      return title === 'Bird house' && contact.email === 'hello@birds.test' && configuration.urls.status !== null
    })
    await undo(page)
    await untilInstance(({ contact }) => contact.email === '')
    await until(async () => (await page.getByLabel('Name', { exact: true }).inputValue()).startsWith('localhost:'))

    await navigation.getByRole('link', { name: 'Registrations' }).click()
    assert.equal(await page.getByLabel('Only invited users').isChecked(), true)
    await save(page, 'The settings were saved')
    await untilInstance(({ registrations }) => !registrations.enabled)
    await navigation.getByRole('link', { name: 'Discovery' }).click()
    await page.getByLabel('Profile directory').click()
    await page.getByLabel('Who can see the blocked servers').selectOption({ label: 'Everyone' })
    await save(page, 'The settings were saved')
    await untilStatus('/api/v1/directory', 404)
    await untilStatus('/api/v1/instance/domain_blocks', 200)
    await navigation.getByRole('link', { name: 'Texts' }).click()
    await page.getByRole('textbox', { name: 'Privacy policy' }).fill('## Data\n\nWe store *nothing*.\n\n<b>no</b>')
    const preview = page.getByRole('region', { name: 'Preview: Privacy policy' })
    await page.getByText('Preview: Privacy policy').click()
    await preview.getByRole('heading', { name: 'Data' }).waitFor()
    assert.equal(await preview.locator('em').innerText(), 'nothing')
    await preview.getByText('<b>no</b>').waitFor()
    await checkPage(page, 'the preview of a text')
    await page.getByRole('textbox', { name: 'Privacy policy' }).fill('We store *nothing*.')
    await preview.getByRole('heading', { name: 'Data' }).waitFor({ state: 'detached' })
    await save(page, 'The settings were saved')
    await until(async () => /<em>nothing<\/em>/.test((await read('/api/v1/instance/privacy_policy')).body.content))
    await navigation.getByRole('link', { name: 'General' }).click()
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText('SMTP_SERVER').waitFor()
    await page.context().close()
  })

  test('sets and removes the image of the server with its description, and its icon', async () => {
    const page = await web.openClient(owner, { path: '/admin/settings' })
    const choose = page.getByRole('button', { name: 'Choose a server image' })
    const saveImage = page.getByRole('button', { name: 'Save image' })
    const file = page.getByLabel('File of the server image')
    await file.setInputFiles({ name: 'birds.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
    await saveImage.click()
    await choose.and(page.locator(':focus')).waitFor()
    const problem = await page.getByRole('region', { name: 'Server image' }).getByRole('alert').textContent()
    assert.match(problem!, /not supported|invalid|could not/i)

    const buffer = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#2e6f57' } })
      .png()
      .toBuffer()
    await file.setInputFiles({ name: 'birds.png', mimeType: 'image/png', buffer })
    await page.getByLabel('Description of the server image').fill('A linnet on a thistle')
    await saveImage.click()
    await page.getByText('The server image was saved').first().waitFor()
    await untilInstance(({ thumbnail }) => thumbnail.description === 'A linnet on a thistle')
    assert.match(String((await read('/')).body), /<img[^>]+hero-picture[^>]+alt="A linnet on a thistle"/)
    await page.getByLabel('Description of the server image').fill('A linnet')
    await saveImage.click()
    await untilInstance(({ thumbnail }) => thumbnail.description === 'A linnet')
    await page.getByRole('button', { name: 'Remove server image' }).click()
    await saveImage.click()
    await untilInstance(({ thumbnail }) => thumbnail.description !== 'A linnet')
    assert.doesNotMatch(String((await read('/')).body), /hero-picture/)

    const icon = async () => (await web.testServer.server.inject('/pages/icon-512.png')).rawPayload
    const shipped = await icon()
    await page.getByLabel('File of the server icon').setInputFiles({ name: 'i.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Save icon' }).click()
    await page.getByText('The server icon was saved').first().waitFor()
    assert.notDeepEqual(await icon(), shipped)
    await page.getByRole('button', { name: 'Remove server icon' }).click()
    await page.getByRole('button', { name: 'Save icon' }).click()
    await until(async () => (await icon()).equals(shipped))
    await page.context().close()
  })

  test('creates, translates, orders, deletes and restores rules, also while other staff add some', async () => {
    const page = await web.openClient(owner, { path: '/admin/rules' })
    await page.getByText('There are no rules yet').waitFor()
    const add = async (text: string) => {
      await page.getByRole('button', { name: 'Add rule' }).click()
      await page.getByRole('dialog').getByLabel('Rule', { exact: true }).fill(text)
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('article', { name: text }).waitFor()
    }
    await add('No spam')
    await add('Be kind')
    await page.getByRole('button', { name: 'Edit Be kind' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Explanation').fill('To everyone')
    await dialog.getByLabel('Add translation').selectOption('pt-BR')
    const translation = dialog.getByRole('group', { name: 'Brazilian Portuguese' })
    assert.equal(await focusedLabel(page), 'Rule')
    await translation.getByLabel('Rule', { exact: true }).fill('Seja gentil')
    await checkPage(page, 'the dialog of a rule')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Translated: Brazilian Portuguese').waitFor()
    await page.getByRole('button', { name: 'Move up: Be kind' }).click()
    const rulesAre = (texts: string[]) =>
      untilInstance(({ rules }) => texts.join() === rules.map(({ text }) => text).join())
    await rulesAre(['Be kind', 'No spam'])
    await page.getByRole('button', { name: 'Move down: Be kind' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Delete Be kind' }).click()
    await rulesAre(['No spam'])
    const addElsewhere = (text: string) => owner.client.post('/api/v1/admin/rules', { text })
    await addElsewhere('No ads')
    await undo(page)
    await rulesAre(['Be kind', 'No spam', 'No ads'])
    // The page has loaded the rules again, so it will not show the next one before the move.
    await page.getByRole('article', { name: 'Be kind' }).waitFor()
    await addElsewhere('No bots')
    await page.getByRole('button', { name: 'Move down: Be kind' }).click()
    await page.getByText('The list must contain each rule once').waitFor()
    await page.getByRole('article', { name: 'No bots' }).waitFor()
    await page.getByRole('button', { name: 'Move down: Be kind' }).click()
    await rulesAre(['No spam', 'Be kind', 'No ads', 'No bots'])
    await untilInstance(({ rules: [, first] }) => {
      return (
        first?.text === 'Be kind' && first.hint === 'To everyone' && first.translations['pt-BR']?.text === 'Seja gentil'
      )
    })
    await page.context().close()
  })

  test('previews, schedules, publishes, changes and deletes announcements', async () => {
    const page = await web.openClient(owner, { path: '/admin/announcements' })
    await page.getByRole('link', { name: 'New announcement' }).click()
    await page.getByLabel('Text').fill('Upgrade on Sunday, see https://status.birds.test #birds')
    await page.getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'status.birds.test' }).waitFor()
    await page.getByLabel('Start').fill('2098-06-02T10:00')
    await page.getByLabel('End').fill('2098-06-01T10:00')
    await page.getByLabel('At a chosen time').click()
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('The end is before the start').waitFor()
    assert.equal(await focusedLabel(page), 'End')
    await page.getByLabel('End').fill('2098-06-03T10:00')
    await page.getByLabel('Time of publication').fill('2098-05-01T10:00')
    await page.getByRole('button', { name: 'Schedule' }).click()
    const row = page.getByRole('article', { name: /^Upgrade/ })
    await row.getByText(/^Scheduled · .*2098/).waitFor()
    const announcements = async () => (await user.client.get('/api/v1/announcements')).body as { content: string }[]
    assert.deepEqual(await announcements(), [])

    const { subscribed, onPage } = watchSubscription()
    const reader = await web.openClient(user, { onPage })
    const banner = reader.getByRole('region', { name: 'Announcement' })
    await subscribed
    await row.getByRole('button', { name: /^Publish/ }).click()
    await row.getByText(/^Published · /).waitFor()
    await banner.getByText(/Upgrade on Sunday/).waitFor()
    await row.getByRole('link', { name: /^Edit / }).click()
    await page.getByLabel('Text').fill('Upgrade on Monday')
    await save(page, 'The announcement is published')
    await banner.getByText('Upgrade on Monday').waitFor()
    const changed = page.getByRole('article', { name: 'Upgrade on Monday' })
    await changed.getByRole('button', { name: /^Unpublish/ }).click()
    await changed.getByText('Draft', { exact: true }).waitFor()
    await banner.waitFor({ state: 'detached' })
    assert.deepEqual(await announcements(), [])
    await changed.getByRole('button', { name: /^Delete/ }).click()
    await page.getByText('There are no announcements yet').waitFor()
    await undo(page)
    await changed.getByText('Draft', { exact: true }).waitFor()
    await reader.context().close()
    await page.context().close()
  })

  /** Opens another page with the navigation, which is closed in narrow windows until its button is pressed. */
  async function useNarrowNavigation(page: Page): Promise<void> {
    await page.goto('/admin/announcements')
    const navigation = page.getByRole('navigation', { name: 'Administration pages' })
    const button = navigation.locator('summary').filter({ hasText: 'Content: Announcements' })
    await button.focus()
    assert.equal(await navigation.getByRole('link').count(), 0)
    await page.keyboard.press('Enter')
    await navigation.getByRole('link', { name: 'Announcements' }).and(page.locator('[aria-current=page]')).waitFor()
    assert.equal(await navigation.getByRole('list', { name: 'Server' }).count(), 0)
    await page.keyboard.press('Escape')
    await navigation.getByRole('link').first().waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await navigation.getByRole('heading', { name: 'Server' }).click()
    await navigation.getByRole('list', { name: 'Server' }).getByRole('link', { name: 'Server rules' }).click()
    await page.getByRole('heading', { level: 1, name: 'Server rules' }).waitFor()
    await navigation.getByRole('link').first().waitFor({ state: 'hidden' })
  }

  test('is accessible on these pages, light and dark, from 320 pixels, also with enlarged text', async () => {
    await owner.client.post('/api/v1/admin/announcements', {
      text: 'Hello https://birds.test',
      ends_at: '2098-01-01T00:00:00Z',
    })
    const settings = ['registrations', 'discovery', 'texts', 'terms'].map((page) => `/admin/settings/${page}`)
    const page = await web.openClient(owner, { path: '/admin/settings/general' })
    await checkPages(page, ['/admin/settings/general', '/admin/rules', '/admin/announcements/new'])
    await checkPages(page, [...settings, '/admin/announcements'], [NARROW])
    await useNarrowNavigation(page)
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await page.goto('/admin/announcements/new')
    await page.getByLabel('Start').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), NARROW.width)
    await page.context().close()
  })
})
