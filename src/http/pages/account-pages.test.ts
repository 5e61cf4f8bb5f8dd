// Slow: drives a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { checkPage } from '../../../test/http/pages/check-page.ts'
import { findPort } from '../../../test/servers/linnet-process.ts'
import { createUserWithPassword } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { issueToken } from '../../domain/auth/access-tokens.ts'
import { recordLoginActivity } from '../../domain/auth/login-activities.ts'
import { createOwnApplication } from '../../domain/auth/own-applications.ts'
import { openSession } from '../../domain/auth/sessions.ts'
import { createFilter } from '../../domain/filters/write-filter.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../test/services/browser.ts'

const BROWSER = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const PATHS = [
  '/account',
  '/auth/edit',
  '/settings/email',
  '/settings/email-notifications',
  '/settings/preferences',
  '/settings/statuses-cleanup',
  '/settings/filters',
  '/settings/filters/new',
  '/settings/filters/1/edit',
  '/settings/sessions',
  '/settings/login_activities',
  '/oauth/authorized_applications',
  '/settings/applications',
  '/settings/applications/new',
  '/settings/applications/2',
  '/settings/export',
  '/settings/imports',
  '/settings/two_factor_authentication_methods',
  '/settings/otp_authentication',
  '/settings/security_keys',
  '/invites',
  '/settings/delete',
]

suite('in a browser', { skip: withoutChromium }, async () => {
  const port = await findPort()
  const baseURL = `http://localhost:${port}`
  const testServer = await openTestServer({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port } })
  let browser: SharedBrowser
  let recent: string
  let old: string

  before(async () => {
    await testServer.listen()
    const { ctx } = testServer
    const { userId, accountId } = await createUserWithPassword(ctx, 'ada')
    recent = await ctx.write(async (tx) => {
      await recordLoginActivity(tx, { userId, by: { method: 'password' }, browser: BROWSER })
      const registration = { name: 'A bot', redirectUris: 'https://bot.example/', scopes: 'read write follow push' }
      const sessionId = await openSession(tx, { userId, browser: BROWSER })
      const { id } = await createOwnApplication(tx, { userId, sessionId, registration })
      await issueToken(tx, { applicationId: id, userId, scopes: ['read'] })
      const attributes = { title: 'Spoilers', contexts: ['home'], keywords: [{ keyword: 'finale' }] }
      await createFilter(tx, { accountId, attributes })
      return sessionId
    })
    old = await ctx.write((tx) =>
      openSession({ ...tx, now: new Date(tx.now.getTime() - 3_600_000) }, { userId, browser: BROWSER }),
    )
    browser = await openSharedBrowser()
  })
  after(async () => {
    await browser?.close()
    await testServer.close()
  })

  for (const options of [
    { colorScheme: 'light', viewport: { width: 320, height: 700 }, locale: 'de' },
    { colorScheme: 'dark', viewport: { width: 1280, height: 900 }, locale: 'ar' },
  ] as const) {
    test(`every page of the own account is accessible: ${options.colorScheme}, ${options.viewport.width} pixels`, async () => {
      const context = await browser.newContext({ baseURL, bypassCSP: true, ...options })
      const page = await context.newPage()
      const useSession = (value: string) => context.addCookies([{ name: 'linnet-session', value, url: baseURL }])
      await useSession(recent)
      for (const path of PATHS) {
        const answer = await page.goto(path)
        assert.equal(answer?.status(), 200, path)
        assert.equal(new URL(page.url()).pathname, path)
        await checkPage(page, path)
      }
      await useSession(old)
      await page.goto('/settings/email')
      assert.equal(new URL(page.url()).pathname, '/settings/confirm')
      await checkPage(page, 'the page that confirms the identity')
      await context.close()
    })
  }
})
