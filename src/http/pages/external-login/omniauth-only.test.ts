import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { authorizePath, createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { createProviderBrowser } from '../../../../test/services/login/provider-browser.ts'
import { mailPasswordChanged } from '../../../mail/password.ts'
import { mailSecondFactorFailure, mailTwoFactorChange } from '../../../mail/two-factor.ts'

const oidc = await openOidcServer()
const env = {
  ...oidc.env,
  OMNIAUTH_ONLY: 'true',
  ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH: 'true',
  SSO_ACCOUNT_SETTINGS: 'https://login.example/settings',
  SSO_ACCOUNT_SIGN_UP: 'https://login.example/join',
}
const testServer = await openTestServer({ env })
after(async () => {
  await testServer.close()
  await oidc.close()
})
await createUserWithPassword(testServer.ctx, 'ada')
oidc.user = { sub: '1', email: 'ada@mail.test', email_verified: true }

async function logIn(path: string) {
  const browser = createBrowser(testServer.server)
  const start = await browser.get(path, uniqueAddressHeaders())
  assert.equal(new URL(start.location!).origin, oidc.issuer)
  const callback = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
  return { browser, start, response: await browser.get(callback.pathname + callback.search, uniqueAddressHeaders()) }
}

test('OA15 no password is accepted, and no account can be created by pages or the API', async () => {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in?force=1')
  assert.equal(
    page.forms.some(({ action }) => action === '/auth/sign_in'),
    false,
  )
  assert.match(page.html, /href="https:\/\/login\.example\/join"/)
  const csrf = page.forms[0]!.values['csrf']!
  const send = (path: string, fields: Record<string, string>) =>
    browser.post(path, { csrf, ...fields }, uniqueAddressHeaders())
  assert.equal((await send('/auth/sign_in', { login: 'ada', password: PASSWORD })).status, 403)
  assert.equal((await browser.get('/account')).status, 303)
  assert.equal((await send('/auth/password', { email: 'ada@mail.test' })).status, 404)
  assert.equal((await browser.get('/auth/password/new')).status, 404)
  assert.equal((await browser.get('/auth/password/edit?reset_password_token=1.x')).status, 404)
  assert.equal((await send('/auth/password/edit', { reset_password_token: '1.x', password: PASSWORD })).status, 404)
  assert.equal((await browser.get('/auth/sign_up')).location, 'https://login.example/join')
  const signUp = {
    ...slowFields(testServer),
    username: 'new',
    email: 'new@mail.test',
    password: PASSWORD,
    agreement: '1',
  }
  assert.equal((await send('/auth', signUp)).status, 403)
  const inviter = await testServer.createUser({ role: 'admin', scopes: 'read write' })
  const invite = await inviter.client.post<{ code: string }>('/api/v1/invites', {})
  assert.equal((await browser.get(`/invite/${invite.body.code}`)).location, 'https://login.example/join')
  assert.equal((await send('/auth', { ...signUp, invite_code: invite.body.code })).status, 422)

  const apps = createOAuthApps(testServer)
  const app = await apps.register()
  const token = await apps.tokenOf(app, 'write')
  const byApi = await apps.request(token, '/api/v1/accounts', 'POST', { ...signUp, agreement: true, locale: 'en' })
  assert.equal(byApi.status, 403)
  const grant = { grant_type: 'password', username: 'ada@mail.test', password: PASSWORD, ...app }
  assert.equal((await testServer.anonymous.post('/oauth/token', grant)).status, 400)
  const { body: instance } = await testServer.anonymous.get('/api/v2/instance')
  assert.deepEqual([instance.registrations.enabled, instance.registrations.url], [false, 'https://login.example/join'])
  assert.equal((await testServer.anonymous.get('/api/v1/instance')).body.registrations, false)
})

test('links to the log-in lead straight to the one provider, and an app gets its code', async () => {
  const app = await createOAuthApps(testServer).register()
  const browser = createBrowser(testServer.server)
  const authorize = await browser.get(authorizePath(app))
  const start = await browser.get(authorize.location!, uniqueAddressHeaders())
  assert.equal(new URL(start.location!).origin, oidc.issuer)
  assert.equal(start.headers['cross-origin-opener-policy'], 'unsafe-none', 'a popup stays connected')
  const callback = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
  const answer = await browser.get(callback.pathname + callback.search, uniqueAddressHeaders())
  assert.equal(answer.headers['cross-origin-opener-policy'], 'unsafe-none')
  const consent = await browser.get(answer.location!)
  const allowed = await browser.submit(consent, '/oauth/authorize', { decision: 'allow' })
  assert.match(allowed.location!, /^https:\/\/app\.example\/cb\?.*code=/)
})

test('the settings have no password and no e-mail address, and the log-out ends the session at the provider', async () => {
  const { browser, response } = await logIn('/auth/sign_in')
  assert.equal(response.location, '/account', 'the administrator allows reattaching')
  const settings = await browser.get('/auth/edit')
  assert.doesNotMatch(settings.html, /type="password"|\/settings\/email"/)
  assert.match(settings.html, /href="https:\/\/login\.example\/settings"/)
  const csrf = settings.forms[0]!.values['csrf']!
  const change = { csrf, current_password: PASSWORD, password: 'another password' }
  assert.equal((await browser.post('/auth/edit', change, uniqueAddressHeaders())).status, 404)
  assert.equal((await browser.get('/settings/email')).status, 404)
  const unlink = await browser.submit(
    await browser.get('/settings/external_logins'),
    '/settings/external_logins/unlink',
  )
  assert.equal(unlink.status, 422, 'the password is no way to log in')
  const account = await browser.get('/account')
  const out = await browser.submit(account, '/auth/sign_out')
  assert.equal(out.location, '/auth/auth/openid_connect/logout')
  const end = new URL((await browser.get(out.location)).location!)
  assert.equal(end.origin, oidc.issuer)
  assert.equal(end.searchParams.get('post_logout_redirect_uri'), 'https://linnet.test/')
  assert.equal(end.searchParams.get('id_token_hint'), null)
  assert.equal((await browser.get('/account')).status, 303)
})

test('OA14 reattaching needs an address that the provider has verified and the user has confirmed', async () => {
  await testServer.createUser({ username: 'unconfirmed', confirmed: false })
  const { ctx } = testServer
  await createUserWithPassword(ctx, 'grace')
  const unconfirmed = await ctx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('users.email')
    .where('accounts.username', '=', 'unconfirmed')
    .executeTakeFirstOrThrow()
  for (const [sub, email, verified] of [
    ['2', 'grace@mail.test', false],
    ['3', 'grace@mail.test', 'false'],
    ['4', unconfirmed.email, true],
    ['5', 'ada@mail.test', true],
  ] as const) {
    oidc.user = { sub, email, email_verified: verified }
    const { response } = await logIn('/auth/sign_in')
    assert.match(response.location!, /^\/auth\/external\?/, `${sub}: an account with an identity gets no second one`)
  }
  oidc.user = { sub: '1' }
})

test('a mail about a changed second factor leads to the sessions, since users set no password here', async () => {
  const { accountId, email } = await createUserWithPassword(testServer.ctx, 'bea')
  await mailTwoFactorChange(testServer.ctx, { accountId, change: 'passkey_added', at: 0 })
  const { text } = (await findMailTo(testServer, email))!
  assert.match(text, /^https:\/\/linnet\.test\/settings\/sessions$/m)
  assert.doesNotMatch(text, /password/)
})

test('mails about a password lead to the administrators, the only ones who can replace it', async () => {
  const { ctx, anonymous } = testServer
  const { accountId, email } = await createUserWithPassword(ctx, 'cleo')
  for (const send of [
    () => mailPasswordChanged(ctx, { accountId, at: 0 }),
    () => mailSecondFactorFailure(ctx, { accountId, firstFactor: 'password', at: 0 }),
  ]) {
    await send()
    const { text } = (await findMailTo(testServer, email))!
    const [, path] = /^Contact the administrators:\nhttps:\/\/linnet\.test(\S+)$/m.exec(text)!
    assert.equal((await anonymous.get(path!)).status, 200)
    assert.match(text, /the administrators with the link above/)
  }
})

test('OA15 without a provider, the log-in page has no form, and passwords and registrations are off', async () => {
  const closed = await openTestServer({ env: { OMNIAUTH_ONLY: 'true', REGISTRATIONS_MODE: 'open' } })
  try {
    await createUserWithPassword(closed.ctx, 'bea')
    const browser = createBrowser(closed.server)
    const page = await browser.get('/auth/sign_in')
    assert.deepEqual([page.status, page.forms], [200, []])
    assert.match(page.text, /external provider on this server, but none is set up/)
    assert.equal((await browser.get('/auth/sign_up')).location, '/auth/sign_in')
    const { body } = await closed.anonymous.get('/api/v2/instance')
    assert.equal(body.registrations.enabled, false)
    const apps = createOAuthApps(closed)
    const token = await apps.tokenOf(await apps.register(), 'write')
    const signUp = { username: 'new', email: 'new@mail.test', password: PASSWORD, agreement: true, locale: 'en' }
    const refused = await closed.anonymous.post('/api/v1/accounts', signUp, { authorization: `Bearer ${token}` })
    assert.equal(refused.status, 403)
  } finally {
    await closed.close()
  }
})
