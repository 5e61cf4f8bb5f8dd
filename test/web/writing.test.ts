// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import type { MediaAttachment } from '../../src/entities/statuses/media.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { multipart } from '../http/client.ts'
import { createImage } from '../media/images.ts'
import type { TestUser } from '../servers/test-server.ts'
import { readDrafts, waitForDraft } from './browser-drafts.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { visit } from './visit.ts'
import { untilFocused } from './wait-until.ts'

suite('writing in the web client', { skip: withoutChromium }, () => {
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
    await page.getByRole('button', { name: 'New post', exact: true }).click()
    return page.getByRole('dialog', { name: 'New post' })
  }
  const textOf = (dialog: Locator) => dialog.getByRole('textbox', { name: "What's on your mind?" })
  const newestOfAda = async () => {
    await web.testServer.waitForJobs()
    return (await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`, { limit: 1 })).body[0]!
  }
  const upload = async (description: string) => {
    const file = { filename: 'x.png', type: 'image/png', bytes: picture.buffer }
    const { payload, headers } = await multipart({ description, focus: '0.5,-0.5', file })
    return (await ada.client.post<MediaAttachment>('/api/v2/media', payload, headers)).body.id
  }
  /** Opens a thread and deletes its post to write it again. `isHidden`: the window is then in the background. */
  const redraft = async (page: Page, { id }: Status, { isHidden = false } = {}) => {
    await page.goto(`/@ada/${id}`)
    const post = page.locator(`article[data-status="${id}"]`)
    await post.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete & redraft' }).click()
    // Such a window has no frames.
    if (isHidden)
      await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true }); requestAnimationFrame = () => 0`)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete & redraft' }).click()
  }

  test('asks before a file without alt text is posted, unless the user has turned that off', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await textOf(dialog).fill('A picture')
    await dialog.locator('input[type=file]').setInputFiles([picture])
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    await textOf(dialog).press('Control+Enter')
    const question = page.getByRole('dialog', { name: 'Post without alt text?' })
    await question.waitFor()
    await checkPage(page, 'the question about alt text')
    await question.getByRole('button', { name: 'Add alt text' }).click()
    const description = page.getByRole('dialog', { name: 'Alt text' })
    await description.getByRole('textbox').fill('A linnet')
    await description.getByRole('button', { name: 'Done' }).click()
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('Post published.').waitFor()
    assert.equal((await newestOfAda()).media_attachments[0]?.description, 'A linnet')

    await openComposer(page)
    await dialog.locator('input[type=file]').setInputFiles([picture])
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await question.getByRole('button', { name: 'Post anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await newestOfAda()).media_attachments[0]?.description, null)

    await visit(page, '/settings/client/posting')
    const setting = page.getByRole('checkbox', { name: /alt text/i })
    await setting.click()
    await visit(page, '/home')
    await openComposer(page)
    await textOf(dialog).fill('Not asked')
    await dialog.locator('input[type=file]').setInputFiles([picture])
    await dialog.getByRole('button', { name: 'Add alt text to linnet.png' }).waitFor()
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await newestOfAda()).content, '<p>Not asked</p>')
    await page.context().close()
  })

  test('if another window sends the same draft, the composer closes, or keeps what was written there instead', async () => {
    const page = await web.openClient(ada)
    const other = await page.context().newPage()
    await other.goto('/home')
    const [here, there] = [await openComposer(page), other.getByRole('dialog', { name: 'New post' })]
    const sendThere = async (text: string) => {
      await openComposer(other)
      await there.getByText('This is your unsent draft.').waitFor()
      await textOf(there).fill(text)
      await textOf(there).press('Control+Enter')
      await there.waitFor({ state: 'detached' })
    }
    await textOf(here).fill('Begun here')
    await waitForDraft(page, 'Begun here')
    await sendThere('Finished there')
    await textOf(here).fill('Something else')
    await textOf(here).press('Control+Enter')
    await here.waitFor({ state: 'detached' })
    assert.equal((await newestOfAda()).content, '<p>Something else</p>')

    await openComposer(page)
    await textOf(here).fill('Written once')
    await waitForDraft(page, 'Written once')
    await sendThere('Written once')
    await here.waitFor({ state: 'detached' })
    assert.equal(await readDrafts(page), '[]')
    await page.context().close()
  })

  test('a file that is added after the first response was lost is part of the post', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    const loseResponse = async (route: Route) => route.fetch().then(() => route.abort())
    await page.route('**/api/v1/statuses', loseResponse, { times: 1 })
    await textOf(dialog).fill('Sent twice')
    await textOf(dialog).press('Control+Enter')
    await dialog.getByText('Your post is still here').waitFor()
    await dialog.locator('input[type=file]').setInputFiles(picture)
    await textOf(dialog).press('Control+Enter')
    await page.getByRole('button', { name: 'Post anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await newestOfAda()).media_attachments.length, 1)
    await page.context().close()
  })

  test('a deleted post is written again with all that it had, also in a hidden window', async () => {
    const { body: parent } = await bo.client.post<Status>('/api/v1/statuses', { status: 'Which bird is it?' })
    const page = await web.openClient(ada)
    const media = await upload('A red breast')
    const values = { status: '@bo A linet', spoiler_text: 'Birds', visibility: 'unlisted', language: 'de' }
    const reply = { ...values, media_ids: [media], in_reply_to_id: parent.id, quote_approval_policy: 'nobody' }
    await redraft(page, (await ada.client.post<Status>('/api/v1/statuses', reply)).body)
    let dialog = page.getByRole('dialog', { name: 'Reply' })
    await dialog.getByRole('region', { name: 'Reply to Bo Finch' }).waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Content warning' }).inputValue(), 'Birds')
    const choiceOf = (name: string) => dialog.getByRole('combobox', { name }).inputValue()
    assert.deepEqual(
      [await choiceOf('Visibility'), await choiceOf('Language'), await choiceOf('Who can quote')],
      ['unlisted', 'de', 'nobody'],
    )
    assert.match(await readDrafts(page), /A linet/)
    await textOf(dialog).fill('@bo A linnet')
    await textOf(dialog).press('Control+Enter')
    await page.getByText('Post published.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.notEqual(await page.evaluate('document.activeElement.localName'), 'body')
    const again = await newestOfAda()
    assert.deepEqual(
      [again.in_reply_to_id, again.spoiler_text, again.visibility, again.language],
      [parent.id, 'Birds', 'unlisted', 'de'],
    )
    assert.deepEqual(
      [again.media_attachments[0]?.description, again.media_attachments[0]?.meta?.focus],
      ['A red breast', { x: 0.5, y: -0.5 }],
    )

    const poll = { options: ['Linnet', 'Wren'], expires_in: 3 * 86_400, multiple: true }
    const { body: withPoll } = await ada.client.post<Status>('/api/v1/statuses', { status: 'Vote', poll })
    await redraft(page, withPoll, { isHidden: true })
    dialog = page.getByRole('dialog', { name: 'New post' })
    assert.equal(await dialog.getByRole('textbox', { name: 'Option 2' }).inputValue(), 'Wren')
    assert.equal(await dialog.getByRole('combobox', { name: 'Poll length' }).inputValue(), String(3 * 86_400))
    assert.equal(await dialog.getByRole('checkbox', { name: 'Multiple choice' }).isChecked(), true)
    await textOf(dialog).press('Escape')

    const { body: quote } = await ada.client.post<Status>('/api/v1/statuses', {
      status: 'Look',
      quoted_status_id: parent.id,
    })
    await redraft(page, quote)
    dialog = page.getByRole('dialog', { name: 'Quote post' })
    await dialog.getByRole('region', { name: 'Quote of a post by Bo Finch' }).waitFor()
    assert.equal(await textOf(dialog).inputValue(), 'Look')
    await page.context().close()
  })

  test('inserts emojis by search, keyboard, group and skin tone, and offers the ones used last', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await textOf(dialog).fill('Hi')
    const open = () => dialog.getByRole('button', { name: 'Insert emoji' }).click()
    const picker = dialog.getByRole('dialog', { name: 'Insert emoji' })
    const search = picker.getByRole('searchbox', { name: 'Search emojis' })
    const insert = async (pick: () => Promise<void>) => {
      await open()
      await pick()
      await search.waitFor({ state: 'hidden' })
    }
    await open()
    await picker.getByRole('tab', { name: 'Smileys and emotion', selected: true }).waitFor()
    await picker.getByRole('button', { name: 'grinning face', exact: true }).waitFor()
    await untilFocused(search)
    await checkPage(page, 'the emoji picker')
    await search.press('ArrowDown')
    const focused = picker.locator('button:focus')
    assert.equal(await focused.getAttribute('aria-label'), 'grinning face')
    await focused.press('ArrowRight')
    const second = await focused.getAttribute('data-emoji')
    await focused.press('ArrowDown')
    await focused.press('ArrowUp')
    assert.equal(await focused.getAttribute('data-emoji'), second)
    await focused.press('Enter')
    await search.waitFor({ state: 'hidden' })
    assert.equal(await textOf(dialog).inputValue(), `Hi${second}`)

    await textOf(dialog).fill('Hi')
    await insert(async () => {
      await picker.getByRole('radio', { name: 'Medium skin tone', exact: true }).click({ force: true })
      await search.fill('waving')
      await picker.getByRole('button', { name: 'waving hand' }).click()
    })
    assert.equal(await textOf(dialog).inputValue(), 'Hi👋🏽')
    await insert(async () => {
      await search.fill('linnet')
      await search.press('Enter')
    })
    assert.equal(await textOf(dialog).inputValue(), 'Hi👋🏽 :linnet_song: ')
    await open()
    await picker.getByRole('tab', { name: 'Used recently', selected: true }).waitFor()
    const recent = await picker
      .getByRole('tabpanel')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-emoji')))
    assert.deepEqual(recent, [':linnet_song:', '👋🏽', second])
    await picker.getByRole('tab', { name: 'Used recently' }).press('End')
    await picker.getByRole('button', { name: 'Andorra' }).waitFor()
    await search.fill('nothing like this')
    await picker.getByText('No emoji has this name.').waitFor()
    await search.press('Escape')
    await page.context().close()
  })

  test('of more files than a post can have, the first ones are added, and a message says how many it can have', async () => {
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await dialog.locator('input[type=file]').setInputFiles(Array.from({ length: 6 }, () => picture))
    await dialog.getByRole('alert').filter({ hasText: 'You can attach at most 4 files.' }).waitFor()
    assert.equal(await dialog.getByRole('list', { name: 'Files' }).getByRole('listitem').count(), 4)
    await page.context().close()
  })

  test('the emoji picker is accessible in dark colours at 320 pixels', async () => {
    const page = await web.openClient(bo, { width: 320, height: 640, theme: 'dark' })
    const dialog = await openComposer(page)
    await dialog.getByRole('button', { name: 'Insert emoji' }).click()
    await dialog.getByRole('button', { name: 'grinning face', exact: true }).waitFor()
    await checkPage(page, 'the emoji picker at 320 pixels')
    await page.context().close()
  })

  test('an account card opens for the pointer and the keyboard, stays under the pointer, and closes with Escape', async () => {
    const { body: status } = await bo.client.post<Status>('/api/v1/statuses', { status: 'Hover over my name' })
    await web.testServer.waitForJobs()
    const page = await web.openClient(ada, { path: `/@bo/${status.id}` })
    const name = page.getByRole('article').getByRole('link', { name: /Bo Finch/ })
    const card = page.getByRole('dialog', { name: 'Profile of @bo' })
    await name.hover()
    await card.getByText('0 followers').or(card.getByText('1 follower')).waitFor()
    await checkPage(page, 'the account card')
    await card.getByText('@bo').hover()
    await card.getByRole('button', { name: 'Following @bo' }).click()
    await card.getByRole('button', { name: 'Follow @bo' }).waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'hidden' })

    await page.mouse.move(600, 850)
    await page.keyboard.press('Tab')
    await name.focus()
    await card.waitFor()
    await page.keyboard.press('Tab')
    await card.locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'hidden' })
    await untilFocused(name)
    assert.match(page.url(), /\/@bo\/\d+$/)
    await page.context().close()
  })
})
