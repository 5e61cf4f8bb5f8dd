// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Route } from 'playwright-core'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { eventually } from '../servers/linnet-process.ts'
import type { TestUser } from '../servers/test-server.ts'
import { openWebClientTest, STREAM } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'

const gate = () => Promise.withResolvers<void>()

suite('the conversations of the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let cy: TestUser

  before(async () => {
    web = await openWebClientTest()
    ada = await web.testServer.createUser({ username: 'ada' })
    cy = await web.testServer.createUser({ username: 'cy' })
  })
  after(() => web?.close())
  const mention = async (status: string): Promise<void> => {
    await cy.client.post('/api/v1/statuses', { status, visibility: 'direct' })
    await web.testServer.waitForJobs()
  }

  test('a private conversation is marked as read when it is opened, and can be deleted', async () => {
    await mention('@ada a secret recipe')
    const page = await web.openClient(ada, { path: '/conversations' })
    const unread = page.getByRole('link', { name: /Unread: cy .*secret recipe/ })
    const read = page.waitForResponse((response) => response.url().endsWith('/read') && response.ok())
    await unread.waitFor()
    await checkPage(page, 'the conversations')
    await unread.click()
    await read
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('link', { name: /^cy .*secret recipe/ }).waitFor()
    await page.getByRole('button', { name: 'Options for the conversation with @cy' }).click()
    await page.getByRole('menuitem', { name: 'Delete conversation' }).click()
    await page.getByText('You don’t have any private mentions yet').waitFor()
    await page.context().close()
  })

  test('a conversation that another client marks, or whose newest post is deleted, is shown as it is now in its place', async () => {
    const [eve, fay] = await Promise.all(
      ['eve', 'fay', 'ben'].map(async (username) => web.testServer.createUser({ username })),
    )
    const write = async (status: string, more: object = {}): Promise<string> => {
      const { body } = await fay!.client.post('/api/v1/statuses', { status, visibility: 'direct', ...more })
      await web.testServer.waitForJobs()
      return body.id
    }
    const first = await write('@eve one')
    await write('@eve @ben two')
    const last = await write('@eve three', { in_reply_to_id: first })
    const page = await web.openClient(eve!, { path: '/conversations' })
    const rows = page.getByRole('list', { name: 'Private mentions' }).getByRole('link')
    const shows = (texts: readonly RegExp[]) =>
      eventually(async () => {
        const shown = await rows.allInnerTexts()
        assert.equal(shown.length, texts.length)
        texts.forEach((text, n) => assert.match(shown[n]!, text))
      })
    await shows([/Unread[^]*three/, /Unread[^]*two/])
    const [, { id }] = (await eve!.client.get('/api/v1/conversations')).body
    await eve!.client.post(`/api/v1/conversations/${id}/read`)
    await shows([/Unread[^]*three/, /^(?!Unread)[^]*two/])
    await fay!.client.delete(`/api/v1/statuses/${last}`)
    await shows([/two/, /Unread[^]*one/])
    await page.context().close()
  })

  test('a conversation that is opened while the list is loaded again stays read', async () => {
    await mention('@ada another recipe')
    const [opened, loaded, answered] = [gate(), gate(), gate()]
    const page = await web.openClient(ada, {
      path: '/conversations',
      // The list is loaded again when the stream opens.
      onPage: (client) =>
        client.routeWebSocket(STREAM, async (socket) => {
          await opened.promise
          socket.connectToServer()
        }),
    })
    const unread = page.getByRole('link', { name: /Unread: cy .*another recipe/ })
    await unread.waitFor()
    const holdResponse = async (route: Route) => {
      const response = await route.fetch()
      loaded.resolve()
      await answered.promise
      await route.fulfill({ response }).catch(() => undefined)
    }
    await page.route(/\/api\/v1\/conversations(\?|$)/, holdResponse, { times: 1 })
    opened.resolve()
    await loaded.promise
    const read = page.waitForResponse((response) => response.url().endsWith('/read') && response.ok())
    await unread.click()
    await read
    answered.resolve()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('link', { name: /^cy .*another recipe/ }).waitFor()
    await page.context().close()
  })
})
