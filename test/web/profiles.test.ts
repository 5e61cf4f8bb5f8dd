// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { MEASURE_SHIFT } from './layout-shift.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { changeView, checkViews, NARROW } from './views.ts'
import { visit } from './visit.ts'
import { untilFocused } from './wait-until.ts'

suite('the web client shows profiles, lists and bookmarks', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let cy: TestUser
  let listId: string

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    bo = await web.testServer.createUser({ username: 'bo' })
    cy = await web.testServer.createUser({ username: 'cy' })
    await bo.client.patch('/api/v1/accounts/update_credentials', {
      display_name: 'Bo',
      note: 'About #linnets',
      fields_attributes: [{ name: 'Pronouns', value: 'they/them' }],
      discoverable: true,
    })
    await ada.client.patch('/api/v1/accounts/update_credentials', { locked: true })
    await ada.client.post(`/api/v1/accounts/${cy.accountId}/follow`)
    const { body: older } = await cy.client.post('/api/v1/statuses', { status: 'The older post' })
    const { body: newer } = await cy.client.post('/api/v1/statuses', { status: 'The newer post' })
    await cy.client.post(`/api/v1/statuses/${older.id}/pin`)
    await ada.client.post(`/api/v1/statuses/${newer.id}/bookmark`)
    await ada.client.post(`/api/v1/statuses/${older.id}/bookmark`)
    const { body: list } = await ada.client.post('/api/v1/lists', { title: 'Birders' })
    listId = list.id
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const relationshipTo = async ({ accountId }: TestUser) => {
    const { body } = await ada.client.get('/api/v1/accounts/relationships', { id: [accountId] })
    return body[0]
  }
  const responseTo = (page: Page, path: string) =>
    page.waitForResponse((response) => response.url().endsWith(path) && response.ok())

  test('a follow shows at once, and goes back with a message if the server refuses it', async () => {
    const page = await web.openClient(ada, { path: '/@bo' })
    const follow = page.getByRole('button', { name: 'Follow @bo' })
    const following = page.getByRole('button', { name: 'Following @bo' })
    await page.route('**/follow', (route) => route.fulfill({ status: 500, json: { error: 'No' } }))
    await follow.click()
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    assert.equal(await following.count(), 0)
    await page.unroute('**/follow')
    const followed = responseTo(page, '/follow')
    await retry.click()
    await following.waitFor()
    await followed
    assert.equal((await relationshipTo(bo)).following, true)
    await page.context().close()
  })

  test('nothing moves in a profile and beside it when what the server says about the user arrives late', async () => {
    const dee = await web.testServer.createUser({ username: 'dee' })
    const eve = await web.testServer.createUser({ username: 'eve' })
    await ada.client.post(`/api/v1/accounts/${dee.accountId}/follow`)
    await dee.client.post(`/api/v1/accounts/${eve.accountId}/follow`)
    await eve.client.post(`/api/v1/accounts/${ada.accountId}/follow`)
    await ada.client.post(`/api/v1/accounts/${eve.accountId}/mute`)
    const [arrival, relationship] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const onPage = async (page: Page) => {
      await page.addInitScript(MEASURE_SHIFT)
      const late = /api.*(familiar_followers|trends\/tags|suggestions)/
      await page.route(late, async (route) => arrival.promise.then(() => route.continue()))
      await page.route(/relationships/, async (route) => relationship.promise.then(() => route.continue()))
    }
    const page = await web.openClient(ada, { path: '/@eve', onPage })
    await page.getByText('@eve@').waitFor()
    await page.getByRole('searchbox').waitFor()
    const familiar = page.waitForResponse(/familiar_followers/)
    arrival.resolve()
    await familiar
    await page.getByRole('link', { name: 'About this server' }).waitFor()
    relationship.resolve()
    await page.getByText('Followed by dee').waitFor()
    await page.getByLabel('Personal note').waitFor()
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    const shift = await page.evaluate<number>('shift')
    assert.ok(shift <= 0.02, `a shift of ${shift}`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Follows you', { exact: true }).waitFor()
    await page.context().close()
  })

  test('a note about an account is saved when the field loses the focus', async () => {
    const page = await web.openClient(ada, { path: '/@bo' })
    const note = page.getByRole('textbox', { name: 'Personal note' })
    await note.fill('Met at the bird fair')
    await note.blur()
    await page.getByText('Note saved').waitFor()
    assert.equal((await relationshipTo(bo)).note, 'Met at the bird fair')
    await page.context().close()
  })

  test('an account is muted for the chosen time, and the focus returns to its menu', async () => {
    const page = await web.openClient(ada, { path: '/@bo' })
    const menu = page.getByRole('button', { name: 'More about @bo' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Mute @bo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mute @bo?' })
    await dialog.getByRole('radio', { name: '1 day' }).check()
    await checkPage(page, 'the dialog that mutes')
    const muted = responseTo(page, '/mute')
    await dialog.getByRole('button', { name: 'Mute' }).click()
    await muted
    await page.getByRole('listitem').filter({ hasText: 'Muted' }).waitFor()
    await untilFocused(menu)
    const expiresAt = new Date((await relationshipTo(bo)).muting_expires_at).getTime()
    assert.ok(Math.abs(expiresAt - Date.now() - 86_400_000) < 60_000)
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/unmute`)
    await page.context().close()
  })

  test('a follow request is accepted, after a refusal again, and its number disappears from the navigation', async () => {
    await bo.client.post(`/api/v1/accounts/${ada.accountId}/follow`)
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    await page.getByRole('navigation').getByRole('link', { name: 'Follow requests 1' }).click()
    await page.route('**/authorize', (route) => route.fulfill({ status: 500, json: { error: 'broken' } }), { times: 1 })
    await page.getByRole('button', { name: 'Accept @bo' }).click()
    const refusal = page.getByRole('alert').filter({ hasText: 'The follow request could not be accepted' })
    await refusal.waitFor()
    await page.getByRole('button', { name: 'Accept @bo' }).waitFor()
    await refusal.getByRole('button').first().click()
    await page.getByText('You don’t have any follow requests yet').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Follow requests' }).waitFor({ state: 'detached' })
    assert.equal((await relationshipTo(bo)).followed_by, true)
    await page.context().close()
  })

  test('a list gets a member by search, and shows what the member posts', async () => {
    const page = await web.openClient(ada, { path: '/lists' })
    await page.getByRole('main').getByRole('link', { name: 'Birders' }).click()
    await page.getByRole('button', { name: 'Members' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members' })
    await dialog.getByRole('searchbox').fill('cy')
    const added = responseTo(page, '/accounts')
    await dialog.getByRole('button', { name: 'Add @cy' }).click()
    await added
    await dialog.getByRole('searchbox').fill('')
    await dialog.getByRole('button', { name: 'Remove @cy' }).waitFor()
    await checkPage(page, 'the members of a list')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await cy.client.post('/api/v1/statuses', { status: 'A post for the list' })
    await web.testServer.waitForJobs()
    await page.getByRole('button', { name: '1 new post' }).or(page.getByText('A post for the list')).first().waitFor()
    await page.context().close()
  })

  test('a refused stream does not end the others', async () => {
    const refused = Promise.withResolvers<void>()
    const page = await web.openClient(ada, {
      onPage: (opened) =>
        opened.routeWebSocket(/\/api\/v1\/streaming/, (socket) => {
          const server = socket.connectToServer()
          socket.onMessage((message) => {
            server.send(message)
            // As for a list that was deleted meanwhile.
            socket.send(JSON.stringify({ error: 'Not authorized to stream this list', status: 401 }))
            refused.resolve()
          })
        }),
    })
    await refused.promise
    await bo.client.post('/api/v1/statuses', { status: '@ada are you there?' })
    await web.testServer.waitForJobs()
    await page.getByRole('link', { name: /unread notification/ }).waitFor()
    await page.context().close()
  })

  test('a new list is created with its settings, and deleted after a question', async () => {
    const page = await web.openClient(ada, { path: '/lists' })
    await page.getByRole('button', { name: 'New list' }).click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    await dialog.getByRole('textbox', { name: 'List name' }).fill('Short-lived')
    await dialog.getByRole('radio', { name: 'No one' }).check()
    await dialog.getByRole('checkbox', { name: 'Hide members in Home' }).check()
    await checkPage(page, 'the dialog of a new list')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Short-lived' }).waitFor()
    const { body: lists } = await ada.client.get('/api/v1/lists')
    const { replies_policy: replies, exclusive } = lists.find(({ title }: { title: string }) => title === 'Short-lived')
    assert.deepEqual([replies, exclusive], ['none', true])
    await page.getByRole('button', { name: 'More about the list Short-lived' }).click()
    await page.getByRole('menuitem', { name: 'Delete list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Lists' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Short-lived' }).count(), 0)
    await page.context().close()
  })

  test('the own profile is edited with a picture and its description', async () => {
    const page = await web.openClient(ada, { path: '/@ada' })
    await page.getByRole('link', { name: 'Edit profile' }).click()
    await page.getByRole('textbox', { name: 'Display name' }).fill('Ada L.')
    const bytes = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#a92449' } })
      .png()
      .toBuffer()
    await page
      .getByLabel('File of the profile picture')
      .setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer: bytes })
    await page.getByRole('textbox', { name: 'Description of the profile picture' }).fill('A red square')
    await page.getByRole('textbox', { name: 'Label 1' }).fill('Pronouns')
    await page.getByRole('textbox', { name: 'Content 1' }).fill('she/her')
    await page.getByRole('checkbox', { name: 'This is an automated account' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved').waitFor()
    const { body } = await ada.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual(
      [body.display_name, body.avatar_description, body.bot, body.locked, body.fields[0].value],
      ['Ada L.', 'A red square', true, true, 'she/her'],
    )
    assert.doesNotMatch(body.avatar, /missing/)
    await page.context().close()
  })

  test('bookmarks are in the order in which they were added', async () => {
    const page = await web.openClient(ada, { path: '/bookmarks' })
    await page.getByRole('article').first().waitFor()
    const texts = await page.getByRole('article').allInnerTexts()
    assert.match(texts[0] ?? '', /The older post/)
    assert.match(texts[1] ?? '', /The newer post/)
    await page.context().close()
  })

  test('in narrow windows, the menu leads to all pages, and ends when one is opened', async () => {
    const page = await web.openClient(ada, { width: 320, theme: 'dark' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await checkPage(page, 'the menu')
    await page.getByRole('dialog').getByRole('link', { name: 'Muted users' }).click()
    await page.getByRole('heading', { name: 'Muted users' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.context().close()
  })

  test('what was changed in the own profile and not saved is there again when the user returns, until it is discarded', async () => {
    const page = await web.openClient(cy, { path: '/settings/client/profile' })
    const bio = page.getByLabel('Bio')
    await bio.fill('About finches')
    await visit(page, '/notifications')
    await page.goBack()
    assert.equal(await bio.inputValue(), 'About finches')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' })
    await untilFocused(page.getByRole('button', { name: 'Save', exact: true }))
    assert.equal(await bio.inputValue(), '')
    await page.context().close()
  })

  test('the pages about accounts are accessible, light and dark, from 320 pixels', async () => {
    await ada.client.post('/api/v1/domain_blocks', { domain: 'spam.example' })
    await ada.client.post('/api/v1/tags/linnets/follow')
    const pages: [path: string, content: string][] = [
      ['/@bo', 'they/them'],
      ['/tags/linnets', 'in the past 2 days'],
      ['/@cy', 'Pinned post'],
      ['/@cy/featured', 'Nothing is featured here yet'],
      ['/@cy/followers', '@ada'],
      ['/followed_tags', '#linnets'],
      ['/domain_blocks', 'spam.example'],
      ['/directory', 'Recently active'],
      ['/settings/client/profile', 'Display name'],
      [`/lists/${listId}`, 'Birders'],
    ]
    const page = await web.openClient(ada, { path: '/@bo' })
    for (const [path, content] of pages) {
      await changeView(page, NARROW)
      await visit(page, path)
      await page.getByRole('main').getByText(content).first().waitFor()
      await checkViews(page, path)
    }
    await page.context().close()
  })
})
