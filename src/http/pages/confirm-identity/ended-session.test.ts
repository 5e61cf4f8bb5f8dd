import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { untilLockWaits } from '../../../../test/features/lock-waits.ts'
import { addPasskey, secretOf, setUpApp } from '../../../../test/features/two-factor.ts'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { createProviderBrowser } from '../../../../test/services/login/provider-browser.ts'
import { passkeyOptionsOf, SoftwareAuthenticator } from '../../../../test/services/login/software-authenticator.ts'
import { replacePassword } from '../../../domain/auth/current-password.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'
import { totpCode, totpStep } from '../../../lib/totp.ts'

const oidc = await openOidcServer()
const testServer = await openTestServer({ env: { ...oidc.env, DB_POOL: '10' }, effects: false })
after(async () => {
  await testServer.close()
  await oidc.close()
})
const { ctx } = testServer

type Send = () => Promise<PageResponse>

/** Opens a page and returns what sends one of its forms. */
async function openForm(browser: Browser, page: string, action: string, fields: Record<string, string> = {}) {
  const { csrf = '' } = (await browser.get(page)).forms.find(({ values }) => 'csrf' in values)!.values
  return () => browser.post(action, { csrf, ...fields }, uniqueAddressHeaders())
}

const METHODS = '/settings/two_factor_authentication_methods'
const KEYS = '/settings/security_keys'
const APPLICATIONS = '/settings/applications'
const APPLICATION = { name: 'Bot', redirect_uri: 'https://bot.example/', 'scopes[0]': 'read' }

/** Prepares each change that requires a recent authentication. */
const CHANGES: Record<string, (browser: Browser, user: TestUser) => Promise<Send>> = {
  'setting a password': async (browser) =>
    openForm(browser, '/auth/edit', '/auth/edit', { password: 'another horse entirely' }),
  'changing the e-mail address': async (browser) =>
    openForm(browser, '/settings/email', '/settings/email', { email: 'thief@new.test' }),
  'setting up an authenticator app': async (browser) => {
    const page = await browser.get('/settings/otp_authentication')
    const code = totpCode(secretOf(page), totpStep(ctx.now()))
    return () => browser.submit(page, '/settings/two_factor_authentication/confirmation', { code })
  },
  'removing the authenticator app': async (browser) => {
    await setUpApp(browser, ctx)
    return openForm(browser, METHODS, '/settings/otp_authentication/remove')
  },
  'adding a passkey': async (browser) => {
    const page = await browser.get(KEYS)
    const credential = new SoftwareAuthenticator().create(passkeyOptionsOf(page, KEYS))
    return () => browser.submit(page, KEYS, { nickname: 'Phone', credential })
  },
  'removing a passkey': async (browser) => {
    const { page } = await addPasskey(browser)
    assert.equal(page.status, 200)
    const list = await browser.get(KEYS)
    return () => browser.submit(list, `${KEYS}/remove`)
  },
  'replacing the recovery codes': async (browser) => {
    await setUpApp(browser, ctx)
    return openForm(browser, METHODS, '/settings/two_factor_authentication/recovery_codes')
  },
  'disabling two-factor authentication': async (browser) => {
    await setUpApp(browser, ctx)
    return openForm(browser, METHODS, `${METHODS}/disable`)
  },
  'linking an external log-in': async (browser, { username }) => {
    oidc.user = { sub: username }
    const page = await browser.get('/settings/external_logins')
    const start = await browser.submit(page, '/auth/auth/openid_connect', {}, uniqueAddressHeaders())
    const { pathname, search } = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
    return () => browser.get(pathname + search, uniqueAddressHeaders())
  },
  'creating an application': async (browser) => openForm(browser, `${APPLICATIONS}/new`, APPLICATIONS, APPLICATION),
  'renewing the secrets of an application': async (browser) => {
    await (
      await openForm(browser, `${APPLICATIONS}/new`, APPLICATIONS, APPLICATION)
    )()
    const path = /\/settings\/applications\/\d+/.exec((await browser.get(APPLICATIONS)).html)![0]
    return openForm(browser, path, `${path}/secrets`)
  },
  'requesting an archive': async (browser) => openForm(browser, '/settings/export', '/settings/export'),
  'moving the account': async (browser) => {
    const { username } = await testServer.createUser()
    return openForm(browser, '/settings/migration', '/settings/migration', { acct: username })
  },
  'deleting the account': async (browser, { username }) =>
    openForm(browser, '/settings/delete', '/settings/delete', { username }),
}

suite('AC5: a session that ends while a change waits for a change of the password', () => {
  for (const [name, prepare] of Object.entries(CHANGES)) {
    test(`is refused ${name}`, async () => {
      const user = await testServer.createUser()
      const { userId, accountId } = user
      const send = await prepare(await openBrowserSession(testServer, user), user)
      const { id } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: ['read'] }))
      const [replaced, response] = await ctx.db.transaction().execute(async (blocker) => {
        // The last row that the change of the password locks.
        await sql`select from access_tokens where id = ${id} for update`.execute(blocker)
        const pendingChange = ctx.write((tx) => replacePassword(tx, { userId, accountId, passwordHash: 'new' }))
        await untilLockWaits(testServer, 1)
        const pendingResponse = send()
        await untilLockWaits(testServer, 2)
        return [pendingChange, pendingResponse] as const
      })
      await replaced
      assert.equal((await response).status, 403)
    })
  }
})
