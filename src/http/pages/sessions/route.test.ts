// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { findMailTo } from '../../../../test/features/mails.ts'
import { setUpApp } from '../../../../test/features/two-factor.ts'
import { createBrowser } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { expireLoginActivities, recordLoginActivity } from '../../../domain/auth/login-activities.ts'
import { openLogin } from '../../../domain/auth/sessions.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const DAY_MS = 86_400_000

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx, server } = testServer
const apps = createOAuthApps(testServer)
before(async () => {
  for (const name of ['ada', 'bea', 'cleo', 'dora']) await createUserWithPassword(ctx, name)
})

async function logIn(login: string, { ip, userAgent = FIREFOX }: { ip: string; userAgent?: string }): Promise<Browser> {
  const browser = createBrowser(server)
  const headers = { 'x-forwarded-for': ip, 'user-agent': userAgent }
  const page = await browser.get('/auth/sign_in')
  const answer = await browser.submit(page, '/auth/sign_in', { login, password: PASSWORD }, headers)
  assert.equal(answer.location, '/account')
  return browser
}

const isLoggedIn = async (browser: Browser) => (await browser.get('/account')).status === 200

suite('sessions', () => {
  test('a further log-in ends the oldest session beyond the limit', async () => {
    const limited = await openTestServer({ env: { MAX_SESSION_ACTIVATIONS: '2' }, effects: false })
    after(limited.close)
    const [user, other] = [await limited.createUser(), await limited.createUser()]
    const foreign = await openBrowserSession(limited, other)
    const [first, second] = [await openBrowserSession(limited, user), await openBrowserSession(limited, user)]
    assert.deepEqual(await Promise.all([first, second].map(isLoggedIn)), [true, true])
    const third = await openBrowserSession(limited, user)
    assert.deepEqual(await Promise.all([first, second, third, foreign].map(isLoggedIn)), [false, true, true, true])
    assert.equal((await user.client.get('/api/v1/accounts/verify_credentials')).status, 200, 'tokens of apps stay')
  })

  test('are listed with browser, system and address, and end one by one or all others at once', async () => {
    const own = await logIn('ada', { ip: '192.0.2.1' })
    const [second, third, fourth] = [
      await logIn('ada', { ip: '192.0.2.2', userAgent: '<b>Mystery' }),
      await logIn('ada', { ip: '2001:db8::3' }),
      await logIn('ada', { ip: '192.0.2.4' }),
    ]
    const otherUser = await logIn('bea', { ip: '192.0.2.5' })
    const page = await own.get('/settings/sessions')
    assert.match(page.text, /Firefox · Linux\s+This browser\s+192\.0\.2\.1 · In use now/)
    assert.match(page.text, /Unknown browser\s+192\.0\.2\.2 · Last used on/)
    assert.match(page.text, /2001:db8::3/)
    assert.doesNotMatch(page.text, /192\.0\.2\.5/)
    const ends = page.forms.filter(({ action }) => /^\/settings\/sessions\/\d+$/.test(action))
    assert.equal(ends.length, 3, 'the session of the request has no form')
    const newestFirst = ends.map(({ action }) => action)
    assert.equal((await own.submit(page, newestFirst[1]!)).location, '/settings/sessions')
    assert.deepEqual(await Promise.all([own, second, third, fourth].map(isLoggedIn)), [true, true, false, true])
    assert.equal((await own.submit(page, newestFirst[1]!)).status, 404, 'it ended already')
    const foreign = await otherUser.get('/settings/sessions')
    const { csrf } = foreign.forms[0]?.values ?? (await otherUser.get('/account')).forms[0]!.values
    assert.equal((await otherUser.post(newestFirst[0]!, { csrf: csrf! })).status, 404, 'the session of another user')
    await own.submit(page, '/settings/sessions/others')
    assert.deepEqual(await Promise.all([own, second, fourth, otherUser].map(isLoggedIn)), [true, false, false, true])
    assert.doesNotMatch((await own.get('/settings/sessions')).html, /settings\/sessions\/others/)
  })

  test('anonymous requests are redirected to the log-in', async () => {
    for (const path of ['/settings/sessions', '/settings/login_activities', '/oauth/authorized_applications']) {
      const { location } = await createBrowser(server).get(path)
      assert.equal(location, `/auth/sign_in?${new URLSearchParams({ next: path }).toString()}`)
    }
  })
})

suite('the log-in history', () => {
  test('has every log-in of the last year, newest first, and no wrong passwords', async () => {
    const browser = await logIn('cleo', { ip: '192.0.2.9' })
    const guesser = createBrowser(server)
    const guess = { login: 'cleo', password: 'wrong password' }
    assert.equal((await guesser.submit(await guesser.get('/auth/sign_in'), '/auth/sign_in', guess)).status, 422)
    const { id: userId } = await ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', 'like', 'cleo@%')
      .executeTakeFirstOrThrow()
    await ctx.write(async (tx) => {
      for (let index = 0; index < 45; index += 1) {
        const by = index % 2 ? ({ method: 'otp' } as const) : ({ method: 'omniauth', provider: 'saml' } as const)
        const failure = by.method === 'otp' ? 'invalid_otp_token' : null
        await recordLoginActivity(tx, { userId, by, failure, browser: { ip: `192.0.2.${index}`, userAgent: FIREFOX } })
      }
    })
    const first = await browser.get('/settings/login_activities')
    assert.match(first.text, /Logged in with an external account.*192\.0\.2\.44/s)
    assert.match(first.text, /Log-in refused: wrong code from the authenticator app.*192\.0\.2\.43/s)
    assert.doesNotMatch(first.text, /Logged in with the password/)
    const older = /href="([^"]+)"[^>]*>Older entries|rel="next" href="([^"]+)"/.exec(first.html)!
    const second = await browser.get(older[1] ?? older[2]!)
    assert.equal(second.text.match(/Logged in with the password/g)?.length, 1)
    aheadMs = 366 * DAY_MS
    await expireLoginActivities(ctx)
    aheadMs = 0
    assert.match((await browser.get('/settings/login_activities')).text, /No log-ins have been recorded yet/)
  })

  test('a log-in from a new network is mailed to the user, but neither the first one nor one from a known network', async () => {
    const { email: address } = await ctx.db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', 'dora@%')
      .executeTakeFirstOrThrow()
    await logIn('dora', { ip: '203.0.113.1' })
    await logIn('dora', { ip: '203.0.200.2' })
    assert.equal(await findMailTo(testServer, address), null)
    await logIn('dora', { ip: '2001:db8:1:2::1' })
    const mail = await findMailTo(testServer, address)
    assert.match(mail!.subject, /New log-in to your account on linnet\.test/)
    assert.match(mail!.text, /@dora on linnet\.test.*> .* UTC\n> Firefox · Linux\n> \u20682001:db8:1:2::1\u2069/s)
    assert.match(mail!.text, /https:\/\/linnet\.test\/settings\/sessions/)
    await logIn('dora', { ip: '2001:db8:1:2:ffff::2' })
    const count = await ctx.db.selectFrom('mails').select('id').where('recipient', '=', address).execute()
    assert.equal(count.length, 1)
    await logIn('dora', { ip: '2001:db8:1:3::1' })
    await testServer.waitForJobs()
    const mails = await ctx.db.selectFrom('mails').select('id').where('recipient', '=', address).execute()
    assert.equal(mails.length, 2)
  })

  test('a log-in from a new network is not mailed to a user with an authenticator app', async () => {
    const { userId } = await createUserWithPassword(ctx, 'eli')
    await setUpApp(await openBrowserSession(testServer, { userId }), ctx)
    const logInFrom = (ip: string) =>
      ctx.write((tx) =>
        openLogin(tx, { userId, by: { method: 'otp' }, browser: { ip, userAgent: '' }, previousSessionId: null }),
      )
    await logInFrom('203.0.113.1')
    await logInFrom('2001:db8:9::1')
    await testServer.waitForJobs()
    const mails = await ctx.db.selectFrom('mails').select('subject').where('recipient', '=', 'eli@mail.test').execute()
    assert.deepEqual(
      mails.filter(({ subject }) => subject.startsWith('New log-in')),
      [],
    )
  })
})

test('authorised apps are listed with what they can do, and revoking one ends its tokens and open codes', async () => {
  const browser = await apps.logIn('bea')
  assert.match((await browser.get('/oauth/authorized_applications')).text, /No app can use your account/)
  const [reader, other] = [
    await apps.register({ client_name: 'Reader <b>', scopes: 'read write', website: 'https://reader.example/x' }),
    await apps.register({ client_name: 'Other', scopes: 'read' }),
  ]
  const { body: token } = await apps.exchange(reader, await apps.obtainCode(reader, browser, { scope: 'read write' }))
  const { body: kept } = await apps.exchange(other, await apps.obtainCode(other, browser, { scope: 'read' }))
  const openCode = await apps.obtainCode(reader, browser, { scope: 'read' })
  const page = await browser.get('/oauth/authorized_applications')
  assert.match(page.text, /Reader <b>\s+reader\.example\s+Authorised on .*never used.*see all data of your account/s)
  const [, form] = page.forms.filter(({ action }) => action.startsWith('/oauth/authorized_applications/'))
  assert.equal((await browser.submit(page, form!.action)).location, '/oauth/authorized_applications')
  const me = '/api/v1/accounts/verify_credentials'
  assert.equal((await apps.request(token.access_token, me)).status, 401)
  assert.equal((await apps.request(kept.access_token, me)).status, 200)
  assert.equal((await apps.exchange(reader, openCode)).status, 400)
  const after = await browser.get('/oauth/authorized_applications')
  assert.doesNotMatch(after.text, /Reader/)
  assert.equal((await browser.submit(page, form!.action)).status, 404)
})
