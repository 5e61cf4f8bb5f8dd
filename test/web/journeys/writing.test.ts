// Slow: starts a server, remote servers and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { sql } from 'kysely'
import type { Status } from '../../../src/entities/statuses/status.ts'
import type { Activity } from '../../federation/peer/inbox.ts'
import { openPeer } from '../../federation/peer/open-peer.ts'
import type { Peer } from '../../federation/peer/open-peer.ts'
import { ANYONE_MAY_QUOTE } from '../../federation/quote-servers.ts'
import { imageResponse, openCardServer } from '../../features/cards.ts'
import { checkPage } from '../../http/pages/check-page.ts'
import { createImage } from '../../media/images.ts'
import type { TestUser } from '../../servers/test-server.ts'
import { openLibreTranslate } from '../../services/fake-translators.ts'
import { withoutChromium } from '../../services/browser.ts'
import { openWebClientTest, STREAM } from '../open-web-client.ts'
import type { WebClientTest } from '../open-web-client.ts'

const REMOTE = 'remote.test'

suite('journeys of writers', { skip: withoutChromium }, () => {
  let peer: Peer
  let translator: Awaited<ReturnType<typeof openLibreTranslate>>
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser

  before(async () => {
    peer = await openPeer({ hosts: [REMOTE] })
    translator = await openLibreTranslate()
    web = await openWebClientTest({
      env: { ...peer.env, LIBRE_TRANSLATE_ENDPOINT: translator.endpoint },
      extraCa: peer.ca,
    })
    const { testServer } = web
    peer.connect(testServer.ctx.config.origin, testServer.server)
    ada = await testServer.createUser({ username: 'ada' })
    bo = await testServer.createUser({ username: 'bo' })
    await ada.client.post(`/api/v1/accounts/${bo.accountId}/follow`)
    await testServer.waitForJobs()
  })
  after(async () => {
    await web?.close()
    await translator?.close()
    await peer?.close()
  })

  const post = async (user: TestUser, body: object): Promise<Status> => {
    const { body: status, status: code } = await user.client.post<Status>('/api/v1/statuses', body)
    assert.equal(code, 200, JSON.stringify(status))
    await web.testServer.waitForJobs()
    return status
  }
  const read = async (id: string) => (await ada.client.get<Status>(`/api/v1/statuses/${id}`)).body
  const newestOfAda = async () => {
    await web.testServer.waitForJobs()
    return (await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)).body
  }
  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const openMenu = async (article: Locator, item: string) => {
    await article.getByRole('button', { name: 'More', exact: true }).click()
    await article.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const openComposer = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'New post' }).click()
    return page.getByRole('dialog', { name: 'New post' })
  }

  test('a post is edited, and its history shows the words that differ', async () => {
    const { id } = await post(ada, { status: 'The linnet sings loudly' })
    const page = await web.openClient(ada)
    const article = articleOf(page, 'The linnet sings')
    await openMenu(article, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    await dialog.getByRole('textbox').fill('The linnet sings softly')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await article.filter({ hasText: 'softly' }).waitFor()
    await openMenu(article, 'Edit history')
    const history = page.getByRole('dialog', { name: 'Edit history' })
    await history.getByRole('deletion').filter({ hasText: 'loudly' }).waitFor()
    await history.getByRole('insertion').filter({ hasText: 'softly' }).waitFor()
    await checkPage(page, 'the edit history')
    assert.notEqual((await read(id)).edited_at, null)
    await page.context().close()
  })

  test('a quote waits for its author, shows the post after the consent, and hides it after the revocation', async () => {
    const author = await peer.host(REMOTE).createActor('carol')
    const note = author.note({ ...ANYONE_MAY_QUOTE, content: '<p>A remote thought</p>' })
    const { body: found } = await ada.client.get('/api/v2/search', { q: note['id'], resolve: true, type: 'statuses' })
    // The stream begins only after the consent, which the client has to notice all the same.
    const consented = Promise.withResolvers<void>()
    const page = await web.openClient(ada, {
      path: `/@carol@${REMOTE}/${found.statuses[0].id}`,
      onPage: (opened) =>
        opened.routeWebSocket(STREAM, async (socket) => {
          await consented.promise
          socket.connectToServer()
        }),
    })
    await page.locator('article[aria-current]').waitFor()
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Quote post' })
    await dialog.getByRole('textbox').fill('I agree')
    await dialog.getByRole('textbox').press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const quote = articleOf(page, 'I agree')
    await quote.getByText('its author has not approved this quote yet').waitFor()
    await checkPage(page, 'a pending quote')

    const request = await findSentQuoteRequest()
    const [status] = await newestOfAda()
    const consent = `${author.id}/stamps/1`
    peer.host(REMOTE).serve({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: consent,
      type: 'QuoteAuthorization',
      attributedTo: author.id,
      interactingObject: status!.uri,
      interactionTarget: note['id'],
    })
    assert.equal((await author.send(author.activity('Accept', request, { result: consent }))).status, 202)
    await web.testServer.waitForJobs()
    consented.resolve()
    await quote.getByText('A remote thought').waitFor()
    await checkPage(page, 'an accepted quote')
    assert.equal((await author.send(author.activity('Delete', consent))).status, 202)
    await web.testServer.waitForJobs()
    await quote.getByText('Post removed by its author from this quote').waitFor()
    assert.equal(await quote.getByText('A remote thought').count(), 0)
    await checkPage(page, 'a revoked quote')
    await page.context().close()
  })

  /** Returns the request for the author's consent, as the server sends it. */
  const findSentQuoteRequest = async (): Promise<Activity> => {
    const { rows } = await sql<{ body: string }>`
      select body from sent_activities where body::jsonb ->> 'type' = 'QuoteRequest'`.execute(web.testServer.ctx.db)
    return JSON.parse(rows[0]!.body) as Activity
  }

  test('a poll is asked and answered, and shows its result; a post is scheduled, changed and cancelled', async () => {
    const page = await web.openClient(ada)
    let dialog = await openComposer(page)
    await dialog.getByRole('textbox').fill('Which bird?')
    await dialog.getByRole('button', { name: 'Poll' }).click()
    await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Linnet')
    const second = dialog.getByRole('textbox', { name: 'Option 2' })
    await second.fill('Siskin')
    await second.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    assert.equal(await dialog.getByRole('textbox', { name: 'Option 3' }).count(), 0, 'Enter confirms the composed word')
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    const poll = articleOf(page, 'Which bird?')
    await poll.waitFor()
    const [{ id }] = (await newestOfAda()) as [Status]

    const voter = await web.openClient(bo, { path: `/@ada/${id}` })
    const main = voter.locator(`article[data-status="${id}"]`)
    await main.waitFor()
    assert.equal(await main.getByRole('button', { name: 'Vote' }).isDisabled(), true)
    await main.getByRole('radio', { name: 'Siskin' }).check()
    await checkPage(voter, 'a poll')
    const votes: string[] = []
    voter.on('request', (request) => void (request.url().endsWith('/votes') && votes.push(request.url())))
    await main.getByRole('button', { name: 'Vote' }).evaluate((button: unknown) => {
      const { form } = button as { form: { requestSubmit(): void } }
      form.requestSubmit()
      form.requestSubmit()
    })
    await main.getByRole('listitem').filter({ hasText: 'Siskin' }).getByText('100%').waitFor()
    await main.getByText('1 vote', { exact: true }).waitFor()
    await main.getByText('You voted for this answer').waitFor()
    await checkPage(voter, 'the results of a poll')
    assert.equal(votes.length, 1)
    await voter.context().close()
    await poll.getByRole('button', { name: 'Refresh' }).click()
    await poll.getByRole('listitem').filter({ hasText: 'Siskin' }).getByText('100%').waitFor()

    dialog = await openComposer(page)
    await dialog.getByRole('textbox').fill('Later')
    await dialog.getByRole('button', { name: 'Schedule' }).first().click()
    const time = dialog.getByLabel('Publish at')
    await time.fill('2020-01-01T10:00')
    await dialog.getByText('more than five minutes ahead').waitFor()
    await time.fill('2099-01-01T10:00')
    await dialog.getByRole('button', { name: 'Schedule' }).first().press('Control+Enter')
    const scheduled = page.getByRole('status').locator('> *').filter({ hasText: 'scheduled' })
    await scheduled.getByRole('button', { name: 'Open' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Later' })
    await entry.getByText('1 January 2099').waitFor()
    await checkPage(page, 'the scheduled posts')
    await entry.getByRole('button', { name: 'Change time' }).click()
    await entry.getByLabel('Publish at').fill('2099-02-02T10:00')
    await entry.getByRole('button', { name: 'Save changes' }).click()
    await entry.getByText('2 February 2099').waitFor()
    await entry.getByRole('button', { name: /^Cancel scheduled post/ }).click()
    await page.getByText('You have no scheduled posts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry.getByText('2 February 2099').waitFor()
    await page.context().close()
  })

  test('pictures are pasted and dropped into a post', async () => {
    const bytes = [...(await createImage('png', { width: 60, height: 40 }))]
    const transferFiles = (name: string, html = '') => `(() => {
      const transfer = new DataTransfer()
      transfer.setData('text/html', '${html}')
      transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], '${name}', { type: 'image/png' }))
      return transfer
    })()`
    const page = await web.openClient(ada)
    const dialog = await openComposer(page)
    await dialog.getByRole('textbox').fill('Pasted and dropped')
    const init = 'bubbles: true, cancelable: true'
    // Whether the browser pastes the text. Office programs copy a picture of it, too.
    const paste = async (name: string, html: string) =>
      page.evaluate(`document.querySelector('dialog textarea').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: ${transferFiles(name, html)}, ${init} }))`)
    assert.equal(await paste('text.png', '<p>A <b>linnet</b></p>'), true)
    assert.equal(await paste('pasted.png', '<img src="https://linnet.test/linnet.png">'), false)
    await dialog.getByRole('button', { name: 'Add alt text to pasted.png' }).waitFor()
    const drop = async (name: string, selector: string) =>
      page.evaluate(`{
        const dataTransfer = ${transferFiles(name)}
        for (const type of ['dragover', 'drop'])
          document.querySelector('${selector}').dispatchEvent(new DragEvent(type, { dataTransfer, ${init} }))
      }`)
    await drop('beside.png', 'dialog[open] h2')
    await dialog.getByRole('button', { name: 'Add alt text to beside.png' }).waitFor()
    await drop('dropped.png', 'dialog textarea')
    const dropped = dialog.getByRole('button', { name: 'Add alt text to dropped.png' })
    await dropped.waitFor()
    await dialog.getByRole('button', { name: 'Remove dropped.png' }).click()
    await dropped.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dropped.waitFor()
    await checkPage(page, 'pasted and dropped pictures')
    await dialog.getByRole('textbox').first().press('Control+Enter')
    await page.getByRole('button', { name: 'Post anyway' }).click()
    await articleOf(page, 'Pasted and dropped')
      .getByRole('link', { name: /Open picture/ })
      .nth(2)
      .waitFor()
    assert.equal((await newestOfAda())[0]?.media_attachments.length, 3)
    await page.context().close()
  })

  test('a post shows the preview of its link, and its translation on demand', async () => {
    const cards = openCardServer({ testServer: web.testServer, peer, host: REMOTE })
    const image = cards.serveAt(`https://${REMOTE}/bird.png`, await imageResponse({ width: 600, height: 300 }))
    const url = cards.serve(`<html lang="de"><head><title>Der Hänfling</title>
        <meta property="og:title" content="Der Hänfling"><meta property="og:description" content="Ein Vogel">
        <meta property="og:image" content="${image}"><meta property="og:site_name" content="Vogelzeitung">
        </head><body></body></html>`)
    await cards.post(bo, `Ein Vogel: ${url}`, { language: 'de' })
    const unlabelled = await post(bo, { status: 'Noch ein Ei' })
    const { db } = web.testServer.ctx
    await sql`update statuses set language = null, version = 2 where id = ${unlabelled.id}`.execute(db)
    await post(bo, { status: 'Un oiseau', language: 'fr' })
    await post(bo, { status: 'Nur hier', language: 'de', local_only: true })
    const page = await web.openClient(ada)
    const article = articleOf(page, 'Ein Vogel')
    const card = article.getByRole('link', { name: /Der Hänfling/ })
    await card.waitFor()
    assert.deepEqual([await card.getAttribute('href'), await card.getAttribute('rel')], [url, 'noopener noreferrer'])
    await card.getByText('Vogelzeitung').waitFor()
    await card.locator('img').waitFor()
    await article.getByRole('button', { name: 'Translate' }).click()
    await article.getByText(/EIN VOGEL:/).waitFor()
    await article.getByText(/Translated from .* using LibreTranslate/).waitFor()
    await checkPage(page, 'a translated post with a preview of its link')
    await article.getByRole('button', { name: 'Show original' }).click()
    await article.getByText(/EIN VOGEL:/).waitFor({ state: 'detached' })
    await articleOf(page, 'Noch ein Ei').getByRole('button', { name: 'Translate' }).click()
    await page.getByText('NOCH EIN EI', { exact: true }).waitFor()
    // The service does not translate French, and local-only posts are not sent to it.
    for (const text of ['Un oiseau', 'Nur hier'])
      assert.equal(await articleOf(page, text).getByRole('button', { name: 'Translate' }).count(), 0, text)
    await page.context().close()
  })

  test('a post is pinned to the profile and unpinned', async () => {
    const { id } = await post(ada, { status: 'Read this first' })
    await post(ada, { status: 'A newer post' })
    const page = await web.openClient(ada, { path: '/@ada' })
    const article = articleOf(page, 'Read this first')
    await openMenu(article.first(), 'Pin on profile')
    await page.getByText('Pinned on your profile').waitFor()
    await page.reload()
    await page.getByText('Pinned post').waitFor()
    assert.match(await page.getByRole('article').first().innerText(), /Read this first/)
    await checkPage(page, 'a profile with a pinned post')
    await openMenu(article.first(), 'Unpin from profile')
    await page.getByText('No longer pinned on your profile').waitFor()
    assert.equal((await read(id)).pinned, false)
    await page.context().close()
  })
})
