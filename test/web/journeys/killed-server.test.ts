// Slow: starts a server, kills it, and starts it again, with a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openSession } from '../../../src/domain/auth/sessions.ts'
import { createServerProcess } from '../../faults/support/server-process.ts'
import type { ServerProcess } from '../../faults/support/server-process.ts'
import { checkPage } from '../../http/pages/check-page.ts'
import { createUser } from '../../servers/create-user.ts'
import type { CreatedUser } from '../../servers/create-user.ts'
import { cloneDatabase } from '../../services/database/test-database.ts'
import { openSharedBrowser, withoutChromium } from '../../services/browser.ts'
import type { SharedBrowser } from '../../services/browser.ts'

suite('the journey of a writer whose server is killed', { skip: withoutChromium }, () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let server: ServerProcess
  let browser: SharedBrowser
  let ada: CreatedUser
  let sessionId: string

  before(async () => {
    database = await cloneDatabase()
    server = await createServerProcess({ connection: database.connection })
    await server.start()
    const { app, close } = await server.open()
    ada = await createUser(app.ctx, { username: 'ada' })
    sessionId = await app.ctx.write((tx) =>
      openSession(tx, { userId: ada.userId, browser: { ip: null, userAgent: '' } }),
    )
    await close()
    browser = await openSharedBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.close()
    await database?.drop()
  })

  const statusesOfAda = async () => {
    const response = await fetch(`${server.origin}/api/v1/accounts/${ada.accountId}/statuses`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    return (await response.json()) as { content: string }[]
  }

  test('keeps the text while the server is away, and posts it once after the restart', async () => {
    const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'linnet-session', value: sessionId, url: server.origin, httpOnly: true }])
    const page = await context.newPage()
    await page.goto('/home')
    await page.getByRole('button', { name: 'New post' }).click()
    const dialog = page.getByRole('dialog', { name: 'New post' })
    const field = dialog.getByRole('textbox')
    await field.fill('Begun before the kill')
    await server.kill()
    await field.pressSequentially(', ended while the server was away')
    await field.press('Control+Enter')
    await dialog.getByRole('alert').filter({ hasText: 'Your post is still here' }).waitFor()
    assert.equal(await field.inputValue(), 'Begun before the kill, ended while the server was away')
    await checkPage(page, 'a post that could not be sent')
    await field.press('Control+Enter')
    await dialog.getByRole('alert').filter({ hasText: 'Your post is still here' }).waitFor()

    await server.start()
    await field.press('Control+Enter')
    await page.getByText('Post published.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(
      (await statusesOfAda()).map(({ content }) => content),
      ['<p>Begun before the kill, ended while the server was away</p>'],
    )
    await context.close()
  })
})
