// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { MediaAttachment } from '../../src/entities/statuses/media.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { multipart } from '../http/client.ts'
import { createImage } from '../media/images.ts'
import type { TestUser } from '../servers/test-server.ts'
import { createEdit, storeDraft, waitForDraft } from './browser-drafts.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkViews, NARROW, WIDE } from './views.ts'

suite('the composer of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let picture: { name: string; mimeType: string; buffer: Buffer }

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada', role: 'owner', scopes: 'read write follow admin:write' })
    bo = await web.testServer.createUser({ username: 'bo', displayName: 'Bo Finch' })
    picture = { name: 'linnet.png', mimeType: 'image/png', buffer: await createImage('png', { width: 60, height: 40 }) }
    const image = { filename: 'x.png', type: 'image/png', bytes: picture.buffer }
    const { payload, headers } = await multipart({ shortcode: 'linnet_song', category: 'Birds', image })
    await ada.client.post('/api/v1/admin/custom_emojis', payload, headers)
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await web.testServer.waitForJobs()
  })
  after(() => web?.close())

  const openComposer = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'New post' }).click()
    return page.getByRole('dialog', { name: 'New post' })
  }
  const textOf = (dialog: Locator) => dialog.getByRole('textbox', { name: "What's on your mind?" })
  const send = async (page: Page, dialog: Locator, { withoutAltText = false } = {}) => {
    await dialog.getByRole('textbox').last().press('Control+Enter')
    if (withoutAltText) await page.getByRole('button', { name: 'Post anyway' }).click()
    await page.getByRole('status').filter({ hasText: 'Post published.' }).waitFor()
  }
  /** The newest statuses of Ada, the newest first. */
  const statusesOfAda = async (limit = 1) => {
    await web.testServer.waitForJobs()
    return (await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`, { limit })).body
  }

  test('publishes a text with a content warning and a poll, which appears at once', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await textOf(dialog).fill('Which bird sings best?')
    await textOf(dialog).press('Alt+x')
    await dialog.getByRole('textbox', { name: 'Content warning' }).fill('Birds')
    await dialog.getByRole('button', { name: 'Poll' }).click()
    await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Linnet')
    await dialog.getByRole('textbox', { name: 'Option 2' }).fill('Wren')
    await dialog.getByRole('checkbox', { name: 'Multiple choice' }).check()
    await dialog.getByRole('combobox', { name: 'Visibility' }).selectOption('unlisted')
    await dialog.getByText('but it is not in public timelines').waitFor()
    assert.match(await dialog.locator('[id$=-count]').first().innerText(), /473/)
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('article').filter({ hasText: 'Birds' }).first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    const [status] = await statusesOfAda()
    assert.deepEqual([status?.spoiler_text, status?.visibility], ['Birds', 'unlisted'])
    assert.equal(status?.poll?.options.map(({ title }) => title).join(), 'Linnet,Wren')
    assert.equal(status.poll.multiple, true)
    await page.context().close()
  })

  test('attaches a picture with alt text and a focal point', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Add images, a video or an audio file' }).click()
    await (await choosing).setFiles([picture, { ...picture, name: 'second.png' }])
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).click()
    const description = page.getByRole('dialog', { name: 'Alt text' })
    await description.getByRole('textbox').fill('A linnet on a twig')
    await description.getByRole('button', { name: /Focal point/ }).press('ArrowRight')
    await checkPage(page, 'the dialog for alt text')
    await description.getByRole('button', { name: 'Done' }).click()
    await dialog.getByRole('button', { name: 'Move linnet.png back' }).click()
    await dialog.getByRole('checkbox', { name: 'Mark media as sensitive' }).check()
    await textOf(dialog).fill('With pictures')
    await send(page, dialog, { withoutAltText: true })
    const [status] = await statusesOfAda()
    assert.equal(status?.sensitive, true)
    const [first, second] = status.media_attachments
    assert.equal(first?.description, null)
    assert.deepEqual([second?.description, second?.meta?.focus], ['A linnet on a twig', { x: 0.1, y: 0 }])
    await page.context().close()
  })

  test('keeps text, pictures and choices through a reload, and offers the draft again after it was closed', async () => {
    const page = await web.openClient(ada)
    let dialog = await openComposer(page)
    await textOf(dialog).fill('A text that must survive')
    await dialog.locator('input[type=file]').setInputFiles([picture])
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    await dialog.getByRole('combobox', { name: 'Visibility' }).selectOption('private')
    await waitForDraft(page, '"visibility":"private"')
    await page.reload()
    dialog = page.getByRole('dialog', { name: 'New post' })
    assert.equal(await textOf(dialog).inputValue(), 'A text that must survive')
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    assert.equal(await dialog.getByRole('combobox', { name: 'Visibility' }).inputValue(), 'private')

    await textOf(dialog).press('Escape')
    dialog = await openComposer(page)
    await dialog.getByText('This is your unsent draft.').waitFor()
    assert.equal(await textOf(dialog).inputValue(), 'A text that must survive')
    await dialog.getByRole('button', { name: 'Start a new one' }).click()
    assert.equal(await textOf(dialog).inputValue(), '')

    await dialog.getByRole('link', { name: 'Drafts' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'A text that must survive' })
    await entry.waitFor()
    await checkPage(page, 'the drafts')
    await entry.getByRole('button', { name: /^Delete draft/ }).click()
    await page.getByText('You have no drafts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry.getByRole('button').first().click()
    dialog = page.getByRole('dialog', { name: 'New post' })
    assert.equal(await textOf(dialog).inputValue(), 'A text that must survive')
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    await send(page, dialog, { withoutAltText: true })
    await page.getByText('You have no drafts').waitFor()
    assert.equal((await statusesOfAda())[0]?.media_attachments.length, 1)
    await page.context().close()
  })

  test('sends a post once if the first response is lost, also if the text was changed since then', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    const keys: (string | undefined)[] = []
    let failures = 0
    await page.route('**/api/v1/statuses', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      failures += 1
      if (failures > 1) return route.continue()
      // The server gets the request, but the browser no response.
      await route.fetch()
      return route.abort()
    })
    await textOf(dialog).fill('Sent onec')
    await textOf(dialog).press('Control+Enter')
    await dialog.getByRole('alert').filter({ hasText: 'Your post is still here' }).waitFor()
    await textOf(dialog).fill('Sent once')
    await waitForDraft(page, 'Sent once')
    await page.reload()
    await send(page, page.getByRole('dialog', { name: 'New post' }))
    assert.equal(keys.length, 2)
    assert.ok(keys[0])
    assert.equal(keys[0], keys[1])
    const contents = (await statusesOfAda(2)).map(({ content }) => content)
    assert.equal(contents[0], '<p>Sent once</p>')
    assert.doesNotMatch(contents[1] ?? '', /Sent/)
    await page.context().close()
  })

  test('sends a thread as replies, and keeps the rest if one fails', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await textOf(dialog).fill('One')
    for (const text of ['Two', 'Three']) {
      await dialog.getByRole('button', { name: 'Add another post' }).click()
      await textOf(dialog).last().fill(text)
    }
    let requests = 0
    await page.route('**/api/v1/statuses', (route) => {
      requests += 1
      return requests === 2 ? route.abort() : route.continue()
    })
    await dialog.getByRole('button', { name: 'Post all' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'still here' }).waitFor()
    const kept = await Promise.all((await textOf(dialog).all()).map((field) => field.inputValue()))
    assert.deepEqual(kept, ['Two', 'Three'])
    await send(page, dialog)
    const [three, two, one] = await statusesOfAda(3)
    assert.deepEqual([one?.content, two?.content, three?.content], ['<p>One</p>', '<p>Two</p>', '<p>Three</p>'])
    assert.deepEqual([two?.in_reply_to_id, three?.in_reply_to_id], [one?.id, two?.id])
    await page.context().close()
  })

  test('a reply mentions its parent and is never more public than it', async () => {
    const parent = await bo.client.post<Status>('/api/v1/statuses', { status: 'For @ada only', visibility: 'private' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada)
    await page.getByRole('article').filter({ hasText: 'For @ada only' }).getByRole('button', { name: 'Reply' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reply' })
    assert.equal(await textOf(dialog).inputValue(), '@bo ')
    await dialog.getByRole('region', { name: 'Reply to Bo Finch' }).waitFor()
    const visibility = dialog.getByRole('combobox', { name: 'Visibility' })
    assert.equal(await visibility.inputValue(), 'private')
    assert.deepEqual(await visibility.getByRole('option').allInnerTexts(), ['Followers', 'Specific people'])
    await visibility.selectOption('direct')
    await dialog.getByText('Only @bo can see this post.').waitFor()
    await textOf(dialog).fill('@bo Thank you')
    await send(page, dialog)
    const [status] = await statusesOfAda()
    assert.deepEqual([status?.in_reply_to_id, status?.visibility], [parent.body.id, 'direct'])
    await page.context().close()
  })

  test('completes mentions and emojis by keyboard', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    const field = textOf(dialog)
    await field.pressSequentially('Hello @bo')
    await dialog.getByRole('option', { name: /Bo Finch/ }).waitFor()
    await checkPage(page, 'the suggestions')
    const completed = await page.evaluate(`(() => {
      const field = document.activeElement
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      return [field.value, field.selectionStart]
    })()`)
    assert.deepEqual(completed, ['Hello @bo ', 10], 'the cursor is in its place before the next key')
    await field.pressSequentially('sings :linn')
    await dialog.getByRole('option', { name: ':linnet_song:' }).waitFor()
    await field.press('Escape')
    await dialog.getByRole('listbox').waitFor({ state: 'detached' })
    await field.pressSequentially('e')
    await dialog.getByRole('option', { name: ':linnet_song:' }).waitFor()
    await field.press('Tab')
    assert.equal(await field.inputValue(), 'Hello @bo sings :linnet_song: ')
    await dialog.getByRole('button', { name: 'Insert emoji' }).click()
    await dialog.getByRole('searchbox', { name: 'Search emojis' }).fill('song')
    await dialog.getByRole('button', { name: ':linnet_song:' }).click()
    assert.equal(await field.inputValue(), 'Hello @bo sings :linnet_song: :linnet_song: ')
    await page.context().close()
  })

  test('completes emojis of Unicode by their names in the language of the user, after those of the server', async () => {
    const greta = await web.testServer.createUser({ username: 'greta' })
    await web.testServer.ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', greta.userId).execute()
    const page = await web.openClient(greta)
    await page.locator('main h1').waitFor()
    await page.keyboard.press('Alt+n')
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox').first()
    const options = dialog.getByRole('listbox').getByRole('option')
    await field.pressSequentially('Ein :lin')
    await dialog.getByRole('option', { name: 'Sprechblase links' }).waitFor()
    await checkPage(page, 'the suggested emojis')
    assert.match((await options.allInnerTexts())[0]!, /:linnet_song:/)
    await field.pressSequentially('ks_schieb')
    const hand = dialog.getByRole('option', { name: 'nach links schiebende Hand' })
    await hand.waitFor()
    await options.nth(1).waitFor({ state: 'detached' })
    await field.press('Enter')
    assert.equal(await field.inputValue(), 'Ein 🫷 ')
    await page.context().close()
  })

  test('an unfinished edit with alt text is on the shelf of drafts, and is saved from there', async () => {
    const bytes = picture.buffer
    const upload = await multipart({ description: 'Old', file: { filename: 'x.png', type: 'image/png', bytes } })
    const media = (await ada.client.post<MediaAttachment>('/api/v2/media', upload.payload, upload.headers)).body
    const post = { status: 'A typo', media_ids: [media.id], visibility: 'unlisted' }
    const { id } = (await ada.client.post<Status>('/api/v1/statuses', post)).body
    const page = await web.openClient(ada)
    await page.getByRole('article').filter({ hasText: 'A typo' }).waitFor()
    const { accountId } = ada
    await storeDraft(page, createEdit({ accountId, statusId: id, media, text: 'No typo', description: 'New' }))
    await page.goto('/drafts')
    await page.getByRole('listitem').getByRole('button').first().click()
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    assert.equal(await dialog.getByRole('combobox', { name: 'Visibility' }).isDisabled(), true)
    await checkPage(page, 'the composer with an edit')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Post saved.').waitFor()
    const { body: edited } = await ada.client.get<Status>(`/api/v1/statuses/${id}`)
    assert.deepEqual([edited.content, edited.media_attachments[0]?.description], ['<p>No typo</p>', 'New'])
    await page.context().close()
  })

  test('a shared text opens the composer, and its page is accessible, light and dark, from 320 pixels', async () => {
    const narrow = { ...NARROW, height: 640 }
    const page = await web.openClient(ada, { ...narrow, path: '/publish?text=1234&url=https%3A%2F%2Fa.test%2F' })
    const dialog = page.getByRole('dialog', { name: 'New post' })
    assert.equal(await textOf(dialog).inputValue(), '1234\nhttps://a.test/')
    await dialog.getByRole('button', { name: 'Poll' }).click()
    await dialog.getByRole('button', { name: 'Content warning' }).click()
    await dialog.getByRole('button', { name: 'Schedule' }).first().click()
    await dialog.locator('input[type=file]').setInputFiles([picture])
    await dialog.getByText('People who cannot see or hear a file').waitFor()
    await checkViews(page, 'the composer', [narrow, WIDE])
    await page.context().close()
  })
})
