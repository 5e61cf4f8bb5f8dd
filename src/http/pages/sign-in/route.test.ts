// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { untilWindow } from '../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { expireSessions } from '../../../domain/auth/sessions.ts'

let testServer: TestServer
let later = 0

before(async () => {
  testServer = await openTestServer({ now: () => new Date(Date.now() + later) })
  await createUserWithPassword(testServer.ctx, 'ada')
})
after(() => testServer.close())

async function tryLogIn(
  fields: Record<string, string>,
  { browser = createBrowser(testServer.server), headers = uniqueAddressHeaders() } = {},
) {
  const page = await browser.get('/auth/sign_in')
  return browser.submit(page, '/auth/sign_in', { login: 'ada', password: PASSWORD, ...fields }, headers)
}

async function logIn(): Promise<Browser> {
  const browser = createBrowser(testServer.server)
  assert.equal((await tryLogIn({}, { browser })).status, 303)
  return browser
}

const isLoggedIn = async (browser: Browser) => (await browser.get('/account')).status === 200

test('a user logs in by e-mail address or username, sees the account, and logs out', async () => {
  for (const login of ['ada@mail.test', 'ADA@Mail.test', 'ada', 'Ada', '@ada', ' ada ']) {
    const browser = createBrowser(testServer.server)
    const answer = await tryLogIn({ login }, { browser })
    assert.equal(answer.location, '/account', login)
    const page = await browser.get('/account')
    assert.match(page.text, /Hello, ada/)
    const out = await browser.submit(page, '/auth/sign_out')
    assert.equal(out.location, '/')
    assert.equal(await isLoggedIn(browser), false)
  }
})

test('AC1: an unknown user and a wrong password get the same response', async () => {
  const answers = []
  for (const login of ['nobody', 'ada', 'nobody@mail.test', 'ada@mail.test']) {
    const answer = await tryLogIn({ login, password: 'wrong password' })
    assert.equal(answer.status, 422)
    answers.push(answer.text)
  }
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0]!, /Invalid e-mail address, username or password/)
})

test('OA10: logging in opens a new session and ends the previous one', async () => {
  const browser = createBrowser(testServer.server)
  browser.cookies.set('__Host-linnet-session', 'chosen-by-an-attacker')
  await tryLogIn({}, { browser })
  const first = browser.cookies.get('__Host-linnet-session')!
  assert.match(first, /^[\w-]{43}$/)
  const forced = await browser.get('/auth/sign_in?force=1')
  await browser.submit(forced, '/auth/sign_in', { login: 'ada', password: PASSWORD }, uniqueAddressHeaders())
  const second = browser.cookies.get('__Host-linnet-session')!
  assert.notEqual(second, first)
  assert.equal(await isLoggedIn(browser), true)
  const thief = createBrowser(testServer.server)
  thief.cookies.set('__Host-linnet-session', first)
  assert.equal(await isLoggedIn(thief), false)
})

test('OA10: logging out ends the session, also for copies of its cookie', async () => {
  const browser = await logIn()
  const copy = createBrowser(testServer.server)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  assert.equal(await isLoggedIn(copy), true)
  await browser.submit(await browser.get('/account'), '/auth/sign_out')
  assert.equal(browser.cookies.has('__Host-linnet-session'), false)
  assert.equal(await isLoggedIn(copy), false)
})

test('the session cookie is restricted to this host and HTTPS, and hidden from scripts', async () => {
  const answer = await tryLogIn({})
  const cookies = [answer.headers['set-cookie']].flat().map(String)
  for (const name of ['__Host-linnet-session', '__Host-linnet-form']) {
    const cookie = cookies.find((one) => one.startsWith(`${name}=`))!
    assert.match(cookie, /; Path=\//)
    assert.match(cookie, /; HttpOnly/)
    assert.match(cookie, /; Secure/)
    assert.match(cookie, /; SameSite=Lax/)
    assert.doesNotMatch(cookie, /Domain=/)
  }
})

test('a session expires after thirty days without use, and each day of use extends it', async () => {
  const { db } = testServer.ctx
  const browser = await logIn()
  const expiry = async () => {
    const rows = await db.selectFrom('sessions').select(['expires_at']).orderBy('created_at', 'desc').execute()
    return rows[0]!.expires_at.getTime()
  }
  const first = await expiry()
  assert.ok(Math.abs(first - Date.now() - 30 * 86_400_000) < 60_000)
  await db
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 2 * 86_400_000), expires_at: new Date(Date.now() + 1_000_000) })
    .execute()
  assert.equal(await isLoggedIn(browser), true)
  assert.ok(Math.abs((await expiry()) - Date.now() - 30 * 86_400_000) < 60_000)
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute()
  assert.equal(await isLoggedIn(browser), false)
  await expireSessions(testServer.ctx)
  assert.equal((await db.selectFrom('sessions').select('user_id').execute()).length, 0)
})

test('OA9: a form requires the CSRF token of its own browser and session', async () => {
  const [browser, other] = [await logIn(), await logIn()]
  const tokenOf = async (from: Browser) =>
    (await from.get('/account')).forms.find(({ action }) => action === '/auth/sign_out')!.values.csrf!
  const [token, otherToken] = [await tokenOf(browser), await tokenOf(other)]
  assert.notEqual(token, otherToken)
  for (const csrf of [otherToken, '', 'x', `${token}x`]) {
    assert.equal((await browser.post('/auth/sign_out', { csrf })).status, 422)
    assert.equal(await isLoggedIn(browser), true, 'nothing happens, and the session continues')
  }
  await browser.submit(await browser.get('/account'), '/auth/sign_out')
  await tryLogIn({}, { browser })
  assert.equal((await browser.post('/auth/sign_out', { csrf: token })).status, 422, 'a token from before the log-out')
  assert.equal((await other.post('/auth/sign_out', { csrf: otherToken })).status, 303)
})

test('OA9: a body of another content type, or a method override, is not accepted as a form', async () => {
  const browser = await logIn()
  const { csrf } = (await browser.get('/account')).forms[0]!.values
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const contentType of ['text/plain', 'application/octet-stream']) {
    const answer = await testServer.anonymous.send({
      method: 'POST',
      url: '/auth/sign_out',
      payload: JSON.stringify({ csrf }),
      headers: { cookie, 'content-type': contentType },
    })
    assert.equal(answer.status, 422)
  }
  const disguised = await browser.post('/account', { _method: 'delete', csrf: csrf! })
  assert.equal(disguised.status, 404)
  assert.equal(await isLoggedIn(browser), true)
})

test('HT10: after the log-in, a user is redirected to paths of this server only', async () => {
  const others = [
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    'https://evil.example',
    '/%2f/evil.example',
    '/\t/evil',
    'javascript:alert(1)',
  ]
  await createUserWithPassword(testServer.ctx, 'harriet')
  for (const next of others) {
    const browser = createBrowser(testServer.server)
    assert.equal((await tryLogIn({ login: 'harriet', next }, { browser })).location, '/account', next)
    const visit = await browser.get(`/auth/sign_in?${new URLSearchParams({ next }).toString()}`)
    assert.equal(visit.location, '/account')
    const out = await browser.submit(await browser.get('/account'), '/auth/sign_out', { next })
    assert.equal(out.location, '/')
  }
  assert.equal((await tryLogIn({ login: 'harriet', next: '/dev/mail?a=b' })).location, '/dev/mail?a=b')
})

test('OA17: a password of a megabyte is rejected as wrong', async () => {
  const answer = await tryLogIn({ password: 'x'.repeat(1_000_000), login: 'harriet' })
  assert.equal(answer.status, 422)
  assert.match(answer.text, /Invalid e-mail address, username or password/)
  const long = await tryLogIn({ login: 'y'.repeat(1_000_000) })
  assert.equal(long.status, 422)
  assert.ok(long.html.length < 20_000)
})

test('OA17: of a hundred concurrent log-ins, those beyond the limit get 429', async () => {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      browser.submit(
        page,
        '/auth/sign_in',
        { login: `nobody${index}`, password: 'wrong password' },
        uniqueAddressHeaders(),
      ),
    ),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  assert.deepEqual(
    [...statuses].toSorted((a, b) => a - b),
    [422, 429],
  )
  const refused = answers.find(({ status }) => status === 429)!
  assert.match(refused.text, /Too many attempts/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('BI19: the 26th attempt from an address, or for a login, is refused, even with the right password', async () => {
  later = untilWindow(1)
  const headers = { 'x-forwarded-for': '203.0.113.77' }
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  const attempt = (login: string, from: Record<string, string>, password = 'short') =>
    browser.submit(page, '/auth/sign_in', { login, password }, from)
  for (let count = 0; count < 25; count += 1) {
    assert.equal((await attempt(`unknown${count}`, headers)).status, 422)
    assert.equal((await attempt('Grace@mail.test', uniqueAddressHeaders())).status, 422)
  }
  assert.equal((await attempt('ada', headers, PASSWORD)).status, 429)
  const refused = await attempt(' grace@mail.test', uniqueAddressHeaders(), PASSWORD)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  later = 0
})

test('BI19: the attempts of one user count together, however the user is named', async () => {
  later = untilWindow(1)
  await createUserWithPassword(testServer.ctx, 'Spelled')
  const spellings = ['spelled', ' SPELLED', '@spelled', 'spelled@mail.test', 'Spelled@Mail.Test ', '\u00a0sPelled']
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  const attempt = (login: string, password = 'short') =>
    browser.submit(page, '/auth/sign_in', { login, password }, uniqueAddressHeaders())
  for (let count = 0; count < 25; count += 1) {
    assert.equal((await attempt(spellings[count % spellings.length]!)).status, 422)
  }
  for (const login of spellings) assert.equal((await attempt(login, PASSWORD)).status, 429, login)

  const unknown = ['nobody-here', ' NOBODY-here', '@nobody-here']
  for (let count = 0; count < 25; count += 1) {
    assert.equal((await attempt(unknown[count % unknown.length]!)).status, 422)
  }
  const [forUnknown, forKnown] = [await attempt('Nobody-Here'), await attempt('Spelled')]
  assert.equal(forUnknown.status, 429)
  assert.equal(forUnknown.text.replaceAll('Nobody-Here', ''), forKnown.text.replaceAll('Spelled', ''))
  assert.equal((await attempt('ada', PASSWORD)).status, 303, 'attempts for others do not count')
  later = 0
})

test('nobody logs in to a memorial account, and only the right password shows the reason', async () => {
  const { ctx } = testServer
  const { accountId } = await createUserWithPassword(ctx, 'eve')
  await ctx.db.updateTable('accounts').set({ memorial: true }).where('id', '=', accountId).execute()
  const right = await tryLogIn({ login: 'eve' })
  assert.equal(right.status, 403)
  assert.match(right.text, /Your login is currently disabled/)
  assert.match(
    (await tryLogIn({ login: 'eve', password: 'wrong password' })).text,
    /Invalid e-mail address, username or password/,
  )
})

test('a password hash with outdated parameters is replaced at the next log-in', async () => {
  const { userId } = await createUserWithPassword(testServer.ctx, 'vintage')
  const { promisify } = await import('node:util')
  const { argon2 } = await import('node:crypto')
  const nonce = Buffer.alloc(16, 7)
  const cheap = { message: PASSWORD, nonce, memory: 1_024, passes: 1, parallelism: 1, tagLength: 32 }
  const hash = await promisify(argon2)('argon2id', cheap)
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const old = `$argon2id$v=19$m=1024,t=1,p=1$${text(nonce)}$${text(hash)}`
  await testServer.ctx.db.updateTable('users').set({ password_hash: old }).where('id', '=', userId).execute()
  assert.equal((await tryLogIn({ login: 'vintage' })).status, 303)
  const { password_hash: current } = (await testServer.ctx.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst())!
  assert.match(current!, /m=19456,t=2/)
  assert.equal((await tryLogIn({ login: 'vintage' })).status, 303)
})

test('a user without a password cannot log in', async () => {
  const { username } = await testServer.createUser()
  for (const password of ['', 'null', PASSWORD]) {
    assert.equal((await tryLogIn({ login: username, password })).status, 422)
  }
})
