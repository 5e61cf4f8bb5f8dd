// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { permissionBit } from '../../src/domain/access/permissions.ts'
import { recordRemoteEmojis } from '../../src/domain/emojis/record-remote-emojis.ts'
import type { CustomEmoji } from '../../src/entities/statuses/emoji.ts'
import { respondWith } from '../federation/peer/behaviour.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import type { Peer } from '../federation/peer/open-peer.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { ClientResponse } from '../http/client.ts'
import { createVisitor } from '../http/create-visitor.ts'
import type { Visitor } from '../http/create-visitor.ts'
import { createImage } from '../media/images.ts'
import { eventually } from '../servers/linnet-process.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages } from './views.ts'
import { visit } from './visit.ts'

const REMOTE_EMOJIS = Array.from({ length: 41 }, (_, number) => `wave_${number}`)

suite('the web client has pages of custom emojis, webhooks and relays', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let peer: Peer
  let read: Visitor
  let owner: TestUser
  let reader: TestUser

  before(async () => {
    peer = await openPeer({ hosts: ['hooks.test', 'far.test'] })
    web = await openWebClientTest({ env: peer.env, extraCa: peer.ca })
    read = createVisitor(web.testServer)
    owner = await web.testServer.createUser({
      username: 'owner',
      role: 'owner',
      scopes: 'read write admin:read admin:write',
    })
    reader = await web.testServer.createUser({ username: 'reader', role: 'moderator' })
    await recordEmojis()
  })
  after(async () => {
    await web?.close()
    await peer?.close()
  })

  async function recordEmojis(): Promise<void> {
    const image = await createImage('png', { width: 32, height: 32 })
    const far = peer.host('far.test')
    const emojis = REMOTE_EMOJIS.map((shortcode) => {
      far.serveAt(`/${shortcode}.png`, () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: image }))
      return { uri: null, shortcode, imageUrl: `https://far.test/${shortcode}.png`, updatedAt: null }
    })
    const texts = REMOTE_EMOJIS.map((shortcode) => `:${shortcode}:`)
    await web.testServer.ctx.write((tx) => recordRemoteEmojis(tx, { domain: 'far.test', emojis, texts }))
  }

  const visitorsSee = (url: string, expected: unknown, select: (body: ClientResponse['body']) => unknown) =>
    eventually(async () => assert.deepEqual(select((await read(url)).body), expected))
  /** Waits until users can choose exactly these emojis. */
  const publicEmojisAre = (expected: [shortcode: string, category: string][]) =>
    visitorsSee('/api/v1/custom_emojis', expected, (emojis: CustomEmoji[]) =>
      emojis.map(({ shortcode, category = null }) => [shortcode, category]),
    )

  async function openDialog(page: Page, button: string) {
    await page.getByRole('button', { name: button }).click()
    return page.getByRole('dialog')
  }

  test('an emoji is uploaded, changed, disabled and deleted, and users see it', async () => {
    const page = await web.openClient(owner, { path: '/admin/custom_emojis' })
    await page.getByText('There are no custom emojis yet').waitFor()
    const dialog = await openDialog(page, 'Add emoji')
    const image = { name: 'blob.png', mimeType: 'image/png', buffer: await createImage('png') }
    await dialog.getByLabel('Shortcode').fill('blob')
    await dialog.getByLabel('Image').setInputFiles(image)
    await dialog.getByLabel('Category').fill('Blobs')
    await checkPage(page, 'the dialog of an emoji')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('article', { name: ':blob:' })
    await row.getByText('Blobs').waitFor()
    await publicEmojisAre([['blob', 'Blobs']])

    await openDialog(page, 'Add emoji')
    await dialog.getByLabel('Shortcode').fill('blob')
    await dialog.getByLabel('Image').setInputFiles(image)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Shortcode has already been taken', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('Shortcode').getAttribute('aria-invalid'), 'true')
    await dialog.locator('[aria-invalid]:focus').waitFor()
    await page.keyboard.press('Escape')

    await row.getByRole('button', { name: 'Edit :blob:' }).click()
    await dialog.getByLabel('Category').fill('Pets')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Pets').waitFor()
    await page.getByText('Categories', { exact: true }).click()
    await page.getByRole('button', { name: 'Rename: Pets' }).click()
    await dialog.getByLabel('Category').fill('Animals')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await row.getByText('Animals').waitFor()
    await publicEmojisAre([['blob', 'Animals']])

    await row.getByRole('button', { name: 'Disable: :blob:' }).click()
    await row.getByText('Disabled', { exact: true }).waitFor()
    await publicEmojisAre([])
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
    await publicEmojisAre([['blob', 'Animals']])
    await row.getByRole('button', { name: 'Delete: :blob:' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    await publicEmojisAre([])
    await page.context().close()
  })

  test('an emoji of another server is found by its shortcode, and copied', async () => {
    const page = await web.openClient(owner, { path: '/admin/custom_emojis' })
    await page.getByRole('link', { name: 'Other servers' }).click()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('article', { name: ':wave_0: far.test' }).waitFor()
    assert.equal(await page.getByRole('article').count(), REMOTE_EMOJIS.length)
    await page.getByLabel('Shortcode begins with').fill('wave_40')
    await page.keyboard.press('Enter')
    await page.waitForURL(/shortcode=wave_40/)
    await page.getByRole('article', { name: ':wave_0: far.test' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Copy: :wave_40:' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Category').fill('Hands')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await page.getByText(':wave_40: was copied').first().waitFor()
    await publicEmojisAre([['wave_40', 'Hands']])
    await page.getByRole('button', { name: 'Undo z' }).click()
    await page.getByText('The decision was undone').waitFor({ state: 'attached' })
    await publicEmojisAre([])
    await page.context().close()
  })

  test('a webhook is added with a secret that is shown once, and its rejected delivery is sent again', async () => {
    const host = peer.host('hooks.test')
    const requestsSignedWith = (secret: string) =>
      host.requests.filter(({ headers, body }) => {
        const signature = createHmac('sha256', secret).update(body).digest('hex')
        return headers['x-hub-signature'] === `sha256=${signature}`
      }).length
    const page = await web.openClient(owner, { path: '/admin/webhooks' })
    const dialog = await openDialog(page, 'Add webhook')
    await dialog.getByLabel('URL').fill('https://127.0.0.1/in')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText("Events can't be blank", { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('URL').getAttribute('aria-invalid'), null)
    await dialog.getByLabel('Report created').click()
    await dialog.getByLabel('URL').fill('https://localhost/in')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Url is not a public https address', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('URL').getAttribute('aria-invalid'), 'true')
    await dialog.getByLabel('URL').fill('https://hooks.test/in')
    await checkPage(page, 'the dialog of a webhook')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const secretDialog = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = await secretDialog.getByText(/^whsec_/).innerText()
    await checkPage(page, 'the secret of a webhook')
    await secretDialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'https://hooks.test/in' }).click()

    host.behave('/in', respondWith(400), { times: 1 })
    await page.getByRole('button', { name: /^Send test event/ }).click()
    const delivery = page.getByRole('article', { name: /^Test / })
    await delivery.getByText('Rejected').waitFor()
    await delivery.getByText('HTTP 400').waitFor()
    host.behave('/in', respondWith(202))
    await delivery.getByRole('button', { name: /^Send again/ }).click()
    await delivery.getByText('Delivered').waitFor()
    assert.equal(requestsSignedWith(secret), 2)

    await page.getByRole('button', { name: /^Rotate secret/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const rotated = await secretDialog.getByText(/^whsec_/).innerText()
    assert.notEqual(rotated, secret)
    await secretDialog.getByRole('button', { name: 'Close' }).click()
    await delivery.getByRole('button', { name: /^Send again/ }).click()
    await page.getByText('3 attempts').waitFor()
    assert.equal(requestsSignedWith(rotated), 1)
    await checkPage(page, 'a webhook with a delivery')

    await page.getByRole('button', { name: 'Disable: hooks.test' }).click()
    await page.getByRole('button', { name: /^Send test event/ }).waitFor({ state: 'detached' })
    const { body: webhooks } = await owner.client.get('/api/v1/admin/webhooks')
    assert.deepEqual([webhooks.length, webhooks[0].enabled, webhooks[0].events], [1, false, ['report.created']])
    await page.getByRole('button', { name: 'Delete: hooks.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/admin/webhooks')
    await page.getByText('There are no webhooks').waitFor()
    await page.context().close()
  })

  test('a relay is added and deleted, and an invalid one has its error at the field', async () => {
    const page = await web.openClient(owner, { path: '/admin/relays' })
    const dialog = await openDialog(page, 'Add relay')
    await dialog.getByLabel('Inbox URL').fill('http://relay.example/inbox')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Inbox url is invalid', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('Inbox URL').getAttribute('aria-invalid'), 'true')
    await dialog.getByLabel('Inbox URL').fill('https://relay.example/inbox')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('article', { name: 'https://relay.example/inbox' })
    await row.waitFor()
    const urls = async () =>
      (await owner.client.get<{ inbox_url: string }[]>('/api/v1/admin/relays')).body.map((relay) => relay.inbox_url)
    assert.deepEqual(await urls(), ['https://relay.example/inbox'])
    await row.getByRole('button', { name: 'Delete https://relay.example/inbox' }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(await urls(), [])
    await page.context().close()
  })

  test('staff without the permissions see none of the pages', async () => {
    const { db } = web.testServer.ctx
    const permissions = String(permissionBit('manageReports'))
    await db.insertInto('roles').values({ id: '60', name: 'Reports', position: 5, permissions }).execute()
    await db.updateTable('users').set({ role_id: '60' }).where('id', '=', reader.userId).execute()
    const page = await web.openClient(reader, { path: '/admin' })
    const navigation = page.getByRole('navigation', { name: 'Administration pages' })
    await navigation.getByRole('link', { name: 'Reports' }).waitFor()
    assert.equal(await navigation.getByRole('link').count(), 2)
    const paths = [
      'custom_emojis',
      'webhooks',
      'relays',
      'trends',
      'follow_recommendations',
      'action_logs',
      'jobs',
      'mails',
    ]
    for (const path of [...paths, 'media']) {
      await visit(page, `/admin/${path}`)
      await page.getByText('Your role does not permit this page').waitFor()
    }
    await page.context().close()
  })

  test('the pages are accessible, light and dark, from 320 pixels', async () => {
    await owner.client.post('/api/v1/admin/webhooks', { url: 'https://hooks.test/in', events: ['status.created'] })
    const paths = ['custom_emojis', 'custom_emojis?origin=remote', 'webhooks', 'relays']
    const page = await web.openClient(owner, { path: '/admin/custom_emojis' })
    await checkPages(
      page,
      paths.map((path) => `/admin/${path}`),
    )
    await page.context().close()
  })
})
