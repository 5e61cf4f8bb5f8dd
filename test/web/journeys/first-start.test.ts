// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { ownerSetupToken } from '../../../src/domain/accounts/registration/create-owner.ts'
import { checkPage } from '../../http/pages/check-page.ts'
import { PASSWORD } from '../../servers/create-user-with-password.ts'
import { withoutChromium } from '../../services/browser.ts'
import { openWebClientTest } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'

suite('the journey of an owner', { skip: withoutChromium }, () => {
  let web: WebClientTest
  before(async () => {
    web = await openWebClientTest()
  })
  after(() => web?.close())

  test('leads from the link of a new server through the setup to the first post, with a picture', async () => {
    const { ctx } = web.testServer
    const context = await web.browser.newContext({ baseURL: web.origin, locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`/setup?token=${await ownerSetupToken(ctx)}`)
    await page.getByLabel('Username').fill('olivia')
    await page.getByLabel('E-mail').fill('olivia@mail.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: /create/i }).click()

    await heading(page, 'Your domain is permanent')
    await page.getByText(`@olivia@${new URL(web.origin).host}`).waitFor()
    await checkPage(page, 'the first step')
    await page.getByRole('button', { name: 'Keep this domain' }).click()

    await heading(page, 'Describe your server')
    await page.getByLabel('Server name').fill('Bird friends')
    await page.getByLabel('Server description').fill('For people who watch birds.')
    await page.getByLabel('Contact e-mail address').fill('not an address')
    await next(page)
    await page.getByRole('alert').filter({ hasText: 'Contact email' }).waitFor()
    await page.getByLabel('Contact e-mail address').fill('birds@mail.test')
    const serverImage = (buffer: Buffer) =>
      page.getByLabel('File of the server image').setInputFiles({ name: 'birds.png', mimeType: 'image/png', buffer })
    await serverImage(Buffer.from('no image'))
    await next(page)
    await page.getByRole('button', { name: 'Choose a server image' }).and(page.locator(':focus')).waitFor()
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#2e6f57' } })
      .png()
      .toBuffer()
    await serverImage(picture)
    await page.getByLabel('Description of the server image').fill('Many birds')
    await next(page)

    await heading(page, 'Your profile')
    await page.reload()
    await heading(page, 'Your profile')
    await page
      .getByLabel('Choose a profile picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await page.getByLabel('Display name').fill('Olivia')
    await next(page)

    await heading(page, 'Who can join')
    await page.getByLabel('Approval required').check()
    await next(page)

    await heading(page, 'Server rules')
    await page.getByRole('button', { name: 'Be respectful' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Be respectful' }).waitFor()
    await page.getByLabel('New rule').fill('Only birds')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Move up: Only birds' }).click()
    await page.getByText('1. Only birds').waitFor()
    await checkPage(page, 'the rules')
    await next(page)

    await heading(page, 'Test mail')
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText('No mail server is configured').waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()

    await heading(page, 'Your first post')
    await page.getByRole('button', { name: 'Write a post' }).click()
    const dialog = page.getByRole('dialog', { name: 'New post' })
    await dialog.getByRole('textbox').first().fill('#Introduction I watch linnets')
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'linnet.png', mimeType: 'image/png', buffer: picture })
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).click()
    await page.getByRole('dialog', { name: 'Alt text' }).getByRole('textbox').fill('A green linnet')
    await page.getByRole('button', { name: 'Done' }).click()
    await checkPage(page, 'the first post')
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Go to the home timeline' }).click()
    const post = page.getByRole('article').filter({ hasText: 'I watch linnets' })
    await post.getByRole('img', { name: 'A green linnet' }).waitFor()
    await checkPage(page, 'the home timeline with the first post')

    const { body: instance } = await web.testServer.anonymous.get('/api/v2/instance')
    assert.deepEqual(
      [
        instance.title,
        instance.contact.email,
        instance.registrations.approval_required,
        instance.thumbnail.description,
      ],
      ['Bird friends', 'birds@mail.test', true, 'Many birds'],
    )
    assert.deepEqual(
      instance.rules.map(({ text }: { text: string }) => text),
      ['Only birds', 'Be respectful'],
    )
    const { body: olivia } = await web.testServer.anonymous.get('/api/v1/accounts/lookup', { acct: 'olivia' })
    assert.equal(olivia.display_name, 'Olivia')
    assert.doesNotMatch(olivia.avatar, /missing/)
    await context.close()
  })
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const next = (page: Page) => page.getByRole('button', { name: 'Save and continue' }).click()
