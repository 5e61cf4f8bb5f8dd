import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findMailTo } from '../../../../test/features/mails.ts'
import { setUpApp } from '../../../../test/features/two-factor.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { logInExternally, startExternalLogin } from '../../../../test/http/external-login.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { linkIdentity } from '../../../domain/auth/external/identities.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { createProviderBrowser } from '../../../../test/services/login/provider-browser.ts'

const provider = 'openid_connect'
const oidc = await openOidcServer()
const testServer = await openTestServer({ env: { ...oidc.env, REGISTRATIONS_MODE: 'none' } })
after(async () => {
  await testServer.close()
  await oidc.close()
})

const setUser = (sub: string, claims: Record<string, unknown> = {}) => (oidc.user = { sub, ...claims })
const verified = (email: string) => ({ email, email_verified: true })

test('a new user confirms the derived username and agrees to the rules, and is logged in where they wanted to go', async () => {
  setUser('1001', { name: 'Ada Lovelace', preferred_username: 'ada.l@corp', ...verified('ada@corp.test') })
  const next = '/settings/email'
  const { browser, response } = await logInExternally(testServer, { provider, next })
  assert.match(response.location!, /^\/auth\/external\?state=/)
  const page = await browser.get(response.location!)
  assert.match(page.text, /You have logged in with .*Example login.* for the first time/)
  assert.match(page.text, /E-mail address: .*ada@corp\.test/)
  const form = page.forms.find(({ action }) => action === '/auth/external')!
  assert.equal(form.values['username'], 'adal')
  assert.equal(form.values['email'], undefined)

  const refused = await browser.submit(page, '/auth/external', {}, uniqueAddressHeaders())
  assert.equal(refused.status, 422)
  assert.match(refused.text, /You must agree to continue/)
  const done = await browser.submit(page, '/auth/external', { username: 'ada', agreement: '1' }, uniqueAddressHeaders())
  assert.deepEqual([done.status, done.location], [303, next])
  assert.equal((await browser.get('/account')).status, 200)
  const [user] = await testServer.ctx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.password_hash', 'users.approved', 'accounts.display_name'])
    .where('users.email', '=', 'ada@corp.test')
    .execute()
  assert.deepEqual(user, { password_hash: null, approved: true, display_name: 'Ada Lovelace' })

  const again = await logInExternally(testServer, { provider })
  assert.equal(again.response.location, '/account')
  const activities = await testServer.ctx.db.selectFrom('login_activities').select(['method', 'provider']).execute()
  assert.deepEqual(activities.at(-1), { method: 'omniauth', provider })
})

test('a minimum age applies, and the staff are notified of the new user', async () => {
  const { ctx } = testServer
  const setAge = (text: string) => ctx.write((tx) => changeSetting(tx, { by: null, name: 'min-age', text }))
  // Users of other tests are not notified to these staff.
  await testServer.waitForJobs()
  const staff = await testServer.createUser({ role: 'admin', scopes: 'read' })
  await setAge('16')
  setUser('1010', { preferred_username: 'young', ...verified('young@corp.test') })
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  const submit = (born: string) =>
    browser.submit(page, '/auth/external', { agreement: '1', date_of_birth: born }, uniqueAddressHeaders())
  for (const born of ['', '2020-01-01']) assert.equal((await submit(born)).status, 422, born)
  assert.equal((await submit('1990-12-31')).status, 303)
  await setAge('0')
  await testServer.waitForJobs()
  const { body } = await staff.client.get('/api/v1/notifications?types[]=admin.sign_up')
  assert.deepEqual(
    body.map(({ account }: { account: { username: string } }) => account.username),
    ['young'],
  )
})

test('the user resolves a username that another user has, and the suggestion is free', async () => {
  setUser('1002', { preferred_username: 'Ada', ...verified('ada2@corp.test') })
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  assert.equal(page.forms.find(({ action }) => action === '/auth/external')!.values['username'], 'Ada_1')
  const taken = await browser.submit(
    page,
    '/auth/external',
    { username: 'ADA', agreement: '1' },
    uniqueAddressHeaders(),
  )
  assert.equal(taken.status, 422)
  assert.match(taken.text, /This is already taken/)
})

test('an address that the provider has not verified is entered by the user and confirmed by mail', async () => {
  for (const [sub, claims] of [
    ['1003', { email: 'grace@corp.test', email_verified: 'false' }],
    ['1004', {}],
    ['1009', { email: 'm\u00fcller@corp.test', email_verified: true }],
  ] as const) {
    setUser(sub, claims)
    const { browser, response } = await logInExternally(testServer, { provider })
    const page = await browser.get(response.location!)
    const email = `own${sub}@mail.test`
    const fields = { username: `user${sub}`, email, agreement: '1' }
    const done = await browser.submit(page, '/auth/external', fields, uniqueAddressHeaders())
    assert.equal(done.location, '/auth/setup')
    assert.equal((await browser.get('/account')).location, '/auth/setup')
    const mail = await findMailTo(testServer, email)
    assert.equal((await browser.get(mail!.link!)).status, 200)
    assert.equal((await browser.get('/account')).status, 200)
  }
})

test('an unverified address of another user gets the response of a free one, and creates nothing', async () => {
  await createUserWithPassword(testServer.ctx, 'owner1')
  setUser('1005', { preferred_username: 'thief' })
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  const fields = { username: 'thief', email: 'owner1@mail.test', agreement: '1' }
  const done = await browser.submit(page, '/auth/external', fields, uniqueAddressHeaders())
  assert.equal(done.location, '/auth/setup')
  assert.match((await browser.get('/auth/setup')).text, /owner1@mail\.test/)
  const rows = await testServer.ctx.db.selectFrom('accounts').select('id').where('username', '=', 'thief').execute()
  assert.equal(rows.length, 0)
})

test('OA14 an identity with the address of a local user is linked only by the password of that user', async () => {
  await createUserWithPassword(testServer.ctx, 'linus')
  setUser('1006', { preferred_username: 'linus', ...verified('linus@mail.test') })
  const { browser, response } = await logInExternally(testServer, { provider })
  assert.match(response.location!, /^\/auth\/external\?/)
  assert.equal((await browser.get('/account')).status, 303, 'not logged in')
  const page = await browser.get(response.location!)
  const create = await browser.submit(
    page,
    '/auth/external',
    { username: 'linus2', agreement: '1' },
    uniqueAddressHeaders(),
  )
  assert.equal(create.status, 422)
  const wrong = { login: 'linus', password: 'wrong password' }
  assert.equal((await browser.submit(page, '/auth/external/link', wrong, uniqueAddressHeaders())).status, 422)
  const right = await browser.submit(
    page,
    '/auth/external/link',
    { login: 'linus@mail.test', password: PASSWORD },
    uniqueAddressHeaders(),
  )
  assert.deepEqual([right.status, right.location], [303, '/account'])
  assert.equal((await logInExternally(testServer, { provider })).response.location, '/account')
})

test('OA14 a user with a second factor proves it before an identity is linked, and at each log-in with the identity', async () => {
  const { ctx, server } = testServer
  const { userId } = await createUserWithPassword(ctx, 'tess')
  await setUpApp(await signIn(server, { login: 'tess' }), { now: ctx.now })
  setUser('1020', { preferred_username: 'tess', ...verified('tess@corp.test') })
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  const fields = { login: 'tess', password: PASSWORD }
  const pending = await browser.submit(page, '/auth/external/link', fields, uniqueAddressHeaders())
  assert.equal(pending.location, '/auth/sign_in/second_factor?next=%2Fsettings%2Fexternal_logins')
  const identities = ctx.db.selectFrom('external_identities').select('id').where('uid', '=', '1020')
  assert.deepEqual(await identities.execute(), [])
  await ctx.write((tx) => linkIdentity(tx, { userId, provider, uid: '1020' }))
  const again = await logInExternally(testServer, { provider })
  assert.match(again.response.location!, /^\/auth\/sign_in\/second_factor/)
  assert.equal((await again.browser.get('/account')).status, 303, 'not logged in')
})

test('OA14 OA11 only the browser that began a log-in can finish it, and choose its account', async () => {
  setUser('1007', { preferred_username: 'mallory', ...verified('mallory@corp.test') })
  const attacker = createBrowser(testServer.server)
  const start = await startExternalLogin(attacker, { provider })
  const callbackUrl = await createProviderBrowser({ origin: start.origin }).visit(start.href)
  const callback = callbackUrl.pathname + callbackUrl.search
  const victim = await signIn(testServer.server, { login: 'owner1' })
  await startExternalLogin(createBrowser(testServer.server), { provider })
  for (const browser of [victim, createBrowser(testServer.server)]) {
    const answer = await browser.get(callback, uniqueAddressHeaders())
    assert.equal(answer.status, 422)
    assert.match(answer.text, /expired or was used already/)
  }
  const { location } = await attacker.get(callback, uniqueAddressHeaders())
  assert.match(location!, /^\/auth\/external\?/)
  assert.equal((await victim.get(location!)).status, 422)
})

test('OA11 an answer is accepted once', async () => {
  setUser('1001')
  const { browser, callback } = await logInExternally(testServer, { provider })
  const replayed = await browser.get(callback, uniqueAddressHeaders())
  assert.equal(replayed.status, 422)
  const other = new URL(callback, 'https://linnet.test')
  other.searchParams.set('state', 'x'.repeat(43))
  assert.equal((await browser.get(other.pathname + other.search, uniqueAddressHeaders())).status, 422)
})

test('an answer by a form of the provider is finished by the browser that began the log-in', async () => {
  setUser('1001')
  const browser = createBrowser(testServer.server)
  const start = await startExternalLogin(browser, { provider })
  const callback = await createProviderBrowser({ origin: start.origin }).visit(start.href)
  const crossSite = createBrowser(testServer.server)
  const posted = await crossSite.post(
    callback.pathname,
    Object.fromEntries(callback.searchParams),
    uniqueAddressHeaders(),
  )
  assert.equal(posted.status, 303)
  assert.equal((await browser.get(posted.location!, uniqueAddressHeaders())).location, '/account')
})

test('OA10 the log-in ends the previous session of the browser and changes its cookies', async () => {
  await createUserWithPassword(testServer.ctx, 'former')
  const browser = await signIn(testServer.server, { login: 'former' })
  const before = new Map(browser.cookies)
  setUser('1001')
  const page = await browser.get('/auth/sign_in?force=1')
  const start = await browser.submit(page, '/auth/auth/openid_connect', {}, uniqueAddressHeaders())
  const callback = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
  assert.equal((await browser.get(callback.pathname + callback.search, uniqueAddressHeaders())).status, 303)
  for (const name of ['__Host-linnet-session', '__Host-linnet-form']) {
    assert.notEqual(browser.cookies.get(name), before.get(name), name)
  }
  const old = createBrowser(testServer.server)
  old.cookies.set('__Host-linnet-session', before.get('__Host-linnet-session')!)
  assert.equal((await old.get('/account')).status, 303)
})

test('HT10 OA9 the log-in begins by a form with the CSRF token only, and returns to a path of this server only', async () => {
  setUser('1001')
  for (const next of ['//evil.test', '/\\evil.test', 'https://evil.test/', '/%09/evil.test']) {
    const browser = createBrowser(testServer.server)
    const page = await browser.get('/auth/sign_in')
    const start = await browser.submit(page, '/auth/auth/openid_connect', { next }, uniqueAddressHeaders())
    const callback = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
    const { location } = await browser.get(callback.pathname + callback.search, uniqueAddressHeaders())
    assert.equal(location, '/account', next)
  }
  const browser = createBrowser(testServer.server)
  assert.equal((await browser.get('/auth/auth/openid_connect')).status, 404)
  assert.equal((await browser.post('/auth/auth/openid_connect', {}, uniqueAddressHeaders())).status, 422)
  const page = await browser.get('/auth/sign_in')
  const csrf = page.forms[0]!.values['csrf']!
  assert.equal((await browser.post('/auth/auth/saml', { csrf }, uniqueAddressHeaders())).status, 404)
})

test('a user links and unlinks the provider in the settings, but not the only way to log in', async () => {
  await createUserWithPassword(testServer.ctx, 'settled')
  const browser = await signIn(testServer.server, { login: 'settled' })
  assert.match((await browser.get('/auth/edit')).html, /href="\/settings\/external_logins"/)
  const link = async () => {
    const page = await browser.get('/settings/external_logins')
    const start = await browser.submit(page, '/auth/auth/openid_connect', {}, uniqueAddressHeaders())
    const callback = await createProviderBrowser({ origin: oidc.issuer }).visit(start.location!)
    return browser.get(callback.pathname + callback.search, uniqueAddressHeaders())
  }
  setUser('1001')
  const taken = await link()
  assert.equal(taken.status, 422)
  assert.match(taken.text, /already linked to another account/)
  setUser('1008')
  assert.equal((await link()).location, '/settings/external_logins')
  const page = await browser.get('/settings/external_logins')
  assert.match(page.text, /Linked to: .*1008/)
  const mail = await findMailTo(testServer, 'settled@mail.test')
  assert.match(mail!.text, /A log-in with Example login was added to your account @settled on linnet\.test/)
  assert.match(mail!.text, /https:\/\/linnet\.test\/settings\/external_logins/)
  const unlinked = await browser.submit(page, '/settings/external_logins/unlink')
  assert.equal(unlinked.location, '/settings/external_logins')
  assert.match((await browser.get('/settings/external_logins')).text, /Not linked/)

  const { ctx } = testServer
  assert.equal((await link()).location, '/settings/external_logins')
  await ctx.db.updateTable('users').set({ password_hash: null }).where('email', '=', 'settled@mail.test').execute()
  const last = await browser.submit(await browser.get('/settings/external_logins'), '/settings/external_logins/unlink')
  assert.equal(last.status, 422)
  assert.match(last.text, /only way to log in/)
})

test('pages admit the provider as the target of forms, and the log-in form shows its button', async () => {
  const page = await createBrowser(testServer.server).get('/auth/sign_in')
  assert.match(String(page.headers['content-security-policy']), new RegExp(`form-action 'self' ${oidc.issuer}`))
  assert.match(page.text, /Log in with .*Example login/)
})
