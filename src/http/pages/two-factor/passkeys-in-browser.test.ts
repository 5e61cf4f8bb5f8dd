// Slow: drives a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findPort } from '../../../../test/servers/linnet-process.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openSharedBrowser, withoutChromium } from '../../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../../test/services/browser.ts'

const port = await findPort()
const origin = `http://localhost:${port}`
const testServer = await openTestServer({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
after(testServer.close)

suite('in a browser', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  before(async () => {
    await createUserWithPassword(testServer.ctx, 'ada')
    await testServer.listen()
    browser = await openSharedBrowser()
  })
  after(() => browser?.close())

  async function enterPassword(page: Page): Promise<void> {
    await page.goto(`${origin}/auth/sign_in?force=1`)
    await page.locator('[name="login"]').fill('ada')
    await page.locator('[name="password"]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }

  test('a user adds a passkey, and logs in with it alone and as the second factor', async () => {
    const page = await browser.newPage({ locale: 'en-GB' })
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (err) => problems.push(String(err)))
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })

    await enterPassword(page)
    await page.waitForURL(`${origin}/account`)
    await page.goto(`${origin}/settings/security_keys`)
    await page.locator('[name="nickname"]').fill('Laptop')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Your recovery codes were created').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download codes' }).click()
    assert.match((await downloading).suggestedFilename(), /^recovery-codes-localhost.*\.txt$/)
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    assert.deepEqual([credentials.length, credentials[0]!.isResidentCredential], [1, true])

    // The field of the username offers the passkey without a click; the virtual authenticator accepts at once.
    await page.context().clearCookies()
    await page.goto(`${origin}/auth/sign_in`)
    await page.waitForURL(`${origin}/account`)
    // In a browser without that, there is a button.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = undefined')
    await page.context().clearCookies()
    await page.goto(`${origin}/auth/sign_in`)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.waitForURL(`${origin}/account`)

    await page.context().clearCookies()
    await enterPassword(page)
    await page.waitForURL(`${origin}/auth/sign_in/second_factor`)
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.waitForURL(`${origin}/account`)
    const rows = await testServer.ctx.db.selectFrom('login_activities').select('method').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ method }) => method),
      ['password', 'webauthn', 'webauthn', 'webauthn'],
    )
    assert.deepEqual(problems, [])
  })
})
