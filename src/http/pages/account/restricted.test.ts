// Slow: opens all pages of the settings in several states, and hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { recoveryCodesOf, secretOf } from '../../../../test/features/two-factor.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { disable, suspend } from '../../../../test/features/moderation.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { totpCode, totpStep } from '../../../lib/totp.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, server } = testServer

const STATES = ['pending', 'disabled', 'suspended'] as const
type State = (typeof STATES)[number]

const HEADINGS = {
  pending: /Waiting for approval/,
  disabled: /Your account is frozen/,
  suspended: /Your account is suspended/,
} as const

/** The states in which each page can be opened. */
const PAGES: Readonly<Record<string, readonly State[]>> = {
  '/auth/edit': ['pending', 'disabled'],
  '/settings/email': ['pending', 'disabled'],
  '/settings/delete': ['pending', 'disabled'],
  '/settings/sessions': ['pending', 'disabled'],
  '/settings/external_logins': ['pending', 'disabled'],
  '/oauth/authorized_applications': ['pending', 'disabled'],
  '/settings/two_factor_authentication_methods': ['pending', 'disabled'],
  '/settings/otp_authentication': ['pending', 'disabled'],
  '/settings/security_keys': ['pending', 'disabled'],
  '/settings/login_activities': ['pending', 'disabled', 'suspended'],
  '/settings/export': ['pending', 'disabled', 'suspended'],
  '/settings/exports/follows.csv': ['pending', 'disabled', 'suspended'],
  '/settings/exports/custom_filters.json': ['pending', 'disabled', 'suspended'],
  '/settings/strikes': ['disabled', 'suspended'],
  ...Object.fromEntries(
    [
      '/settings/email-notifications',
      '/settings/preferences',
      '/settings/statuses-cleanup',
      '/settings/filters',
      '/settings/applications',
      '/settings/applications/new',
      '/settings/aliases',
      '/settings/migration',
      '/settings/imports',
      '/severed_relationships',
      '/invites',
      '/share',
      '/authorize_interaction?uri=x',
    ].map((path) => [path, []]),
  ),
}

async function restrict(user: TestUser, state: State): Promise<void> {
  if (state === 'disabled') await disable(ctx, user)
  else if (state === 'suspended') await suspend(ctx, user)
  else await ctx.db.updateTable('users').set({ approved: false }).where('id', '=', user.userId).execute()
}

async function openRestricted(state: State): Promise<{ user: TestUser; browser: Browser }> {
  const user = await testServer.createUser()
  const browser = await openBrowserSession(testServer, user)
  await restrict(user, state)
  return { user, browser }
}

const csrfOf = async (browser: Browser) => (await browser.get('/account')).forms[0]!.values['csrf']!
const post = async (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.post(path, { csrf: await csrfOf(browser), ...fields }, uniqueAddressHeaders())
const findUser = ({ userId }: TestUser) =>
  ctx.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()

for (const state of STATES) {
  suite(`a user whose account is ${state}`, () => {
    test('AC13 can open only the pages for that state, and each page links only to these', async () => {
      const { browser } = await openRestricted(state)
      const start = await browser.get('/account')
      assert.match(start.text, HEADINGS[state])
      const opened = [start]
      for (const [path, states] of Object.entries(PAGES)) {
        const response = await browser.get(path)
        const expected = states.includes(state) ? [200, null] : [303, '/account']
        assert.deepEqual([response.status, response.location], expected, path)
        if (response.status === 200) opened.push(response)
      }
      for (const { html } of opened) {
        const links = [...html.matchAll(/href="([^"?]+)["?]/g)].map(([, path]) => path!)
        for (const path of links.filter((link) => link in PAGES)) assert.ok(PAGES[path]!.includes(state), path)
      }
      const own = [...start.html.matchAll(/href="(\/(?:settings|auth)\/[^"]+)"/g)].map(([, path]) => path)
      assert.ok(own.includes('/settings/export') && own.includes('/settings/login_activities'))
      assert.equal(own.includes('/auth/edit') && own.includes('/settings/delete'), state !== 'suspended')
    })

    test('AC13 gets no access by apps, and needs the CSRF token and a recent authentication as others do', async () => {
      const { user, browser } = await openRestricted(state)
      assert.equal((await user.client.get('/api/v1/accounts/verify_credentials')).status, 403)
      const { body: app } = await testServer.anonymous.post('/api/v1/apps', {
        client_name: 'App',
        redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      })
      const parameters = { client_id: app.client_id, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob', response_type: 'code' }
      assert.equal(
        (await browser.get(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`)).location,
        '/account',
      )
      assert.equal((await post(browser, '/oauth/authorize', parameters)).location, '/account')
      assert.equal((await post(browser, '/settings/applications', { name: 'Bot' })).location, '/account')
      assert.equal((await browser.post('/settings/export', {})).status, 422)
      await ctx.db
        .updateTable('sessions')
        .set({ authenticated_at: new Date(0) })
        .execute()
      const asked = await post(browser, '/settings/export')
      assert.equal(asked.location, '/settings/confirm?next=%2Fsettings%2Fexport')
      assert.equal((await browser.get(asked.location)).status, 200)
    })
  })
}

for (const state of ['pending', 'disabled'] as const) {
  test(`a user whose account is ${state} secures it, and it stays ${state}`, async () => {
    const { user, browser } = await openRestricted(state)
    const other = await openBrowserSession(testServer, user)
    const changed = await post(browser, '/auth/edit', { password: 'another horse entirely' })
    assert.match(changed.text, /Your password was changed/)
    assert.equal((await other.get('/account')).location, '/auth/sign_in?next=%2Faccount')
    assert.equal((await user.client.get('/api/v1/accounts/verify_credentials')).status, 401)
    const page = await browser.get('/settings/otp_authentication')
    const code = totpCode(secretOf(page), totpStep(ctx.now()))
    const done = await browser.submit(page, '/settings/two_factor_authentication/confirmation', { code })
    assert.equal(recoveryCodesOf(done).length, 10)
    const email = `${state}@new.test`
    assert.equal((await post(browser, '/settings/email', { email })).status, 200)
    const { link } = (await findMailTo(testServer, email))!
    assert.equal((await createBrowser(server).get(link!)).status, 200)
    const { email: newEmail, approved, disabled_at: disabledAt } = await findUser(user)
    assert.deepEqual([newEmail, approved, disabledAt !== null], [email, state !== 'pending', state === 'disabled'])
    assert.match((await browser.get('/account')).text, HEADINGS[state])
  })
}

test('AC13 a suspended user cannot change anything', async () => {
  const { user, browser } = await openRestricted('suspended')
  const other = await openBrowserSession(testServer, user)
  const { id } = await ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const before = await findUser(user)
  for (const [path, fields] of [
    ['/auth/edit', { password: 'another horse entirely' }],
    ['/settings/email', { email: 'mallory@new.test' }],
    ['/settings/sessions/others', {}],
    [`/settings/sessions/${id}`, {}],
    ['/settings/external_logins/unlink', { provider: 'saml' }],
    ['/settings/two_factor_authentication_methods/disable', {}],
    ['/settings/delete', { username: user.username }],
  ] as const)
    assert.equal((await post(browser, path, fields)).location, '/account', path)
  assert.deepEqual(await findUser(user), before)
  assert.equal((await other.get('/account')).status, 200)
})

test('a pending user deletes the account, of which nothing remains', async () => {
  const { user, browser } = await openRestricted('pending')
  const form = await browser.get('/settings/delete')
  assert.doesNotMatch(form.text, /reserved|servers/)
  const done = await browser.submit(form, '/settings/delete', { username: user.username }, uniqueAddressHeaders())
  assert.match(done.text, /Your account was deleted/)
  assert.doesNotMatch(done.text, /servers/)
  assert.equal((await browser.get('/account')).location, '/auth/sign_in?next=%2Faccount')
  const rows = await ctx.db.selectFrom('accounts').select('id').where('id', '=', user.accountId).execute()
  const jobs = await ctx.db
    .selectFrom('sent_activities')
    .select('id')
    .where('account_id', '=', user.accountId)
    .execute()
  assert.deepEqual([rows, jobs], [[], []])
  await testServer.createUser({ username: user.username })
})

test('a frozen user deletes the account, whose username stays reserved', async () => {
  const { user, browser } = await openRestricted('disabled')
  const form = await browser.get('/settings/delete')
  await browser.submit(form, '/settings/delete', { username: user.username }, uniqueAddressHeaders())
  await testServer.waitForJobs()
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).status, 404)
  await assert.rejects(testServer.createUser({ username: user.username }), /Username has already been taken/)
})
