// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { addPasskey, setUpApp } from '../../../../test/features/two-factor.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { passkeyOptionsOf, SoftwareAuthenticator } from '../../../../test/services/login/software-authenticator.ts'

const CONFIRM = '/settings/confirm'
// Half a step after the start of a window of throttles and codes, so that neither ends during a test.
let time = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 15_000
const now = () => new Date(time)
const testServer = await openTestServer({ now })
after(testServer.close)
const { ctx, server } = testServer

const confirm = async (browser: Browser, fields: Record<string, string>, next = '/settings/email') => {
  const page = await browser.get(`${CONFIRM}?${new URLSearchParams({ next }).toString()}`)
  return browser.submit(page, CONFIRM, fields, uniqueAddressHeaders())
}

test('AC5: 15 minutes after the log-in, each dangerous change requires that the user proves the identity again', async () => {
  await createUserWithPassword(ctx, 'ada')
  const browser = await signIn(server, { login: 'ada' })
  const direct = [
    '/settings/email',
    '/settings/delete',
    '/settings/two_factor_authentication_methods',
    '/settings/otp_authentication',
    '/settings/security_keys',
  ]
  const partly = ['/auth/edit', '/settings/migration']
  for (const path of [...direct, ...partly]) assert.equal((await browser.get(path)).status, 200, path)
  const csrf = (await browser.get('/account')).forms[0]!.values['csrf']!
  time += 900_000
  for (const path of direct) {
    const redirect = `/settings/confirm?${new URLSearchParams({ next: path }).toString()}`
    assert.equal((await browser.get(path)).location, redirect)
  }
  for (const path of partly) {
    const page = await browser.get(path)
    assert.match(page.html, new RegExp(`href="/settings/confirm\\?next=${encodeURIComponent(path)}"`))
    assert.equal(
      page.forms.some(({ action }) => action === path),
      false,
      path,
    )
  }
  const actions: [path: string, fields: Record<string, string>][] = [
    ['/auth/edit', { password: 'another password' }],
    ['/settings/email', { email: 'thief@mail.test' }],
    ['/settings/migration', { acct: 'thief@one.test' }],
    ['/settings/delete', { username: 'ada' }],
    ['/settings/two_factor_authentication_methods/disable', {}],
    ['/settings/two_factor_authentication/recovery_codes', {}],
    ['/settings/two_factor_authentication/confirmation', {}],
    ['/settings/otp_authentication/remove', {}],
    ['/settings/security_keys', {}],
    ['/settings/security_keys/remove', {}],
  ]
  for (const [path, fields] of actions) {
    const { status, location } = await browser.post(path, { csrf, ...fields }, uniqueAddressHeaders())
    assert.match(`${status} ${location}`, /^303 \/settings\/confirm\?/, path)
  }
  await signIn(server, { login: 'ada' })
})

test('the password proves the identity once for 15 minutes, and a wrong one does not', async () => {
  await createUserWithPassword(ctx, 'ben')
  const [browser, other] = [await signIn(server, { login: 'ben' }), await signIn(server, { login: 'ben' })]
  time += 900_000
  const wrong = await confirm(browser, { current_password: 'not this one' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /This is not your current password/)
  assert.equal((await browser.get('/settings/email')).status, 303)
  const right = await browser.submit(wrong, CONFIRM, { current_password: PASSWORD }, uniqueAddressHeaders())
  assert.equal(right.location, '/settings/email', 'the error keeps the page to return to')
  time += 899_000
  assert.equal((await browser.get('/settings/email')).status, 200)
  assert.equal((await other.get('/settings/email')).status, 303, 'only in that session')
  assert.equal((await browser.get(`${CONFIRM}?next=%2Fabout`)).location, '/about', 'no question while it is recent')
  time += 1_000
  assert.equal((await browser.get('/settings/email')).status, 303)
  const evil = await confirm(browser, { current_password: PASSWORD }, '//evil.example')
  assert.equal(evil.location, '/auth/edit', 'HT10')
})

test('a code or a passkey proves the identity, too, also of a user without a password', async () => {
  const { userId } = await createUserWithPassword(ctx, 'cleo')
  await ctx.db.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
  const browser = await openBrowserSession(testServer, { userId })
  time += 900_000
  const without = await browser.get(`${CONFIRM}?next=%2Fsettings%2Femail`)
  assert.deepEqual(
    without.forms.map(({ action }) => action),
    [],
  )
  assert.match(without.html, /href="\/auth\/sign_in\?next=%2Fsettings%2Femail&amp;force=1"/, 'the provider proves it')

  const fresh = await openBrowserSession(testServer, { userId })
  const app = await setUpApp(fresh, { now })
  const { authenticator } = await addPasskey(fresh)
  time += 900_000
  const page = await fresh.get(`${CONFIRM}?next=%2Fsettings%2Femail`)
  const options = passkeyOptionsOf(page, CONFIRM)
  const foreign = new SoftwareAuthenticator()
  foreign.create({ challenge: '', rp: { id: 'linnet.test', name: '' }, user: { id: 'AAAA', name: '' } })
  const attempts: Record<string, string>[] = [
    { code: '000000' },
    { current_password: '' },
    { credential: foreign.get(options) },
    { credential: authenticator.get(options, { origin: 'https://evil.test' }) },
  ]
  for (const fields of attempts) {
    assert.equal((await fresh.post(CONFIRM, { csrf: page.forms[0]!.values['csrf']!, ...fields })).status, 422)
    assert.equal((await fresh.get('/settings/email')).status, 303)
  }
  const code = app.codeAt(now())
  assert.equal((await confirm(fresh, { code, credential: '' })).location, '/settings/email')
  time += 900_000
  const next = await fresh.get(CONFIRM)
  const credential = authenticator.get(passkeyOptionsOf(next, CONFIRM))
  const csrf = next.forms[0]!.values['csrf']!
  assert.equal((await fresh.post(CONFIRM, { csrf, credential })).status, 303)
  assert.equal((await fresh.get('/settings/email')).status, 200)
  time += 900_000
  const replay = await fresh.post(CONFIRM, { csrf, credential })
  assert.equal(replay.status, 422, 'AC6')
  assert.equal((await fresh.post(CONFIRM, { csrf, code })).status, 422, 'AC4')
  assert.equal((await confirm(fresh, { code: app.recoveryCodes[0]! })).status, 303)

  time += 900_000
  for (let count = 0; count < 5; count += 1) await fresh.post(CONFIRM, { csrf, code: 'wrong' })
  const refused = await fresh.post(CONFIRM, { csrf, code: app.codeAt(now()) })
  assert.equal(refused.status, 429, 'BI19')
  assert.match(refused.text, /Too many attempts/)
})
