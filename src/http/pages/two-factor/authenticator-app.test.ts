// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { enterPassword, recoveryCodesOf, secretOf, setUpApp } from '../../../../test/features/two-factor.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { checkCode, useCode } from '../../../domain/auth/two-factor/second-factor-codes.ts'
import { completeLogin } from '../../../domain/auth/sessions.ts'
import { expirePendingLogins } from '../../../domain/auth/two-factor/pending-logins.ts'

const SECOND_FACTOR = '/auth/sign_in/second_factor'
const COOKIE = '__Host-linnet-login'
let testServer: TestServer
// Half a step after the start of a window of throttles and codes, so that neither ends during a test.
let time = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 15_000
const now = () => new Date(time)
const wait = (seconds: number) => (time += seconds * 1_000)

before(async () => {
  testServer = await openTestServer({ now, env: { DB_POOL: '10' } })
})
after(() => testServer.close())

async function createOwner(username: string) {
  const user = await createUserWithPassword(testServer.ctx, username)
  const browser = await signIn(testServer.server, { login: username })
  const app = await setUpApp(browser, { now })
  wait(300)
  const attempt = async (page: PageResponse, from: Browser, code: string) =>
    from.submit(page, SECOND_FACTOR, { code }, uniqueAddressHeaders())
  const logIn = async (code: () => string) => {
    const from = createBrowser(testServer.server)
    const page = await enterPassword(from, { login: username, password: PASSWORD })
    return { from, page, done: await attempt(page, from, code()) }
  }
  return { ...user, ...app, username, browser, attempt, logIn, code: () => app.codeAt(now()) }
}

const isLoggedIn = async (browser: Browser) => (await browser.get('/account')).status === 200
const listLogins = async (userId: string) =>
  (
    await testServer.ctx.db
      .selectFrom('login_activities')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ method, failure_reason: failure }) => (failure === null ? method : `${method} ${failure}`))

test('an authenticator app is set up with a QR code or its secret, and confirmed by a code', async () => {
  const { userId, email } = await createUserWithPassword(testServer.ctx, 'ada')
  const browser = await signIn(testServer.server, { login: 'ada' })
  const page = await browser.get('/settings/otp_authentication')
  assert.match(page.html, /<svg class="qr-code" viewBox="0 0 \d+ \d+" role="img" aria-label="QR code/)
  assert.match(String(page.headers['cache-control']), /no-store/)
  const wrong = await browser.submit(page, '/settings/two_factor_authentication/confirmation', { code: '000 000' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /This code is wrong/)
  assert.deepEqual(secretOf(wrong), secretOf(page), 'the app need not scan again')
  const { ctx } = testServer
  assert.deepEqual(
    await ctx.db.selectFrom('totp_authenticators').selectAll().where('user_id', '=', userId).execute(),
    [],
  )

  const { recoveryCodes } = await setUpApp(browser, { now })
  assert.equal(new Set(recoveryCodes).size, 10)
  assert.equal((await findMailTo(testServer, email))!.subject, 'Authenticator app set up (linnet.test)')
  const [row] = await ctx.db.selectFrom('totp_authenticators').selectAll().where('user_id', '=', userId).execute()
  assert.equal(row!.secret.includes(secretOf(page)), false, 'the secret is encrypted')
  const foreign = await createUserWithPassword(ctx, 'foreign')
  await assert.rejects(async () => ctx.secrets.decrypt(`TOTP secret of user ${foreign.userId}`, row!.secret))
  const methods = await browser.get('/settings/two_factor_authentication_methods')
  assert.match(methods.text, /is enabled.*10 recovery codes left/)
  assert.doesNotMatch(methods.text, new RegExp(recoveryCodes[0]!), 'codes are shown only once')
})

test('a log-in then needs a code, and spaces in it are ignored', async () => {
  const ben = await createOwner('ben')
  const from = createBrowser(testServer.server)
  const page = await enterPassword(from, { login: 'ben', password: PASSWORD })
  assert.equal(from.cookies.has('__Host-linnet-session'), false)
  assert.equal(await isLoggedIn(from), false)
  const code = ben.code()
  const done = await ben.attempt(page, from, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  assert.deepEqual([done.status, done.location], [303, '/account'])
  assert.equal(await isLoggedIn(from), true)
  assert.deepEqual(await listLogins(ben.userId), ['password', 'otp'])

  // Keyboards for Arabic and Persian have digits of their own.
  for (const zero of [0x0660, 0x06f0]) {
    time += 30_000
    const { done: other } = await ben.logIn(() => toDigitsFrom(zero, `\u200f${ben.code()}`))
    assert.equal(other.status, 303)
  }

  // Also a log-in by an external provider does.
  const browser = { ip: null, userAgent: '' }
  const by = { method: 'omniauth', provider: 'saml' } as const
  const external = await testServer.ctx.write((tx) =>
    completeLogin(tx, { userId: ben.userId, by, browser, previousSessionId: null }),
  )
  assert.ok(typeof external === 'object' && 'pendingId' in external)
})

const toDigitsFrom = (zero: number, code: string) =>
  code.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))

test('AC4: a code works once, also in 50 concurrent requests, and codes of earlier steps do not work after it', async () => {
  const cleo = await createOwner('cleo')
  const first = await cleo.logIn(cleo.code)
  assert.equal(first.done.status, 303)
  assert.equal((await cleo.logIn(cleo.code)).done.status, 422, 'a replay')
  const earlier = cleo.codeAt(new Date(time - 30_000))
  assert.equal((await cleo.logIn(() => earlier)).done.status, 422)

  wait(300)
  const from = createBrowser(testServer.server)
  const page = await enterPassword(from, { login: 'cleo', password: PASSWORD })
  const code = cleo.code()
  const answers = await Promise.all(Array.from({ length: 50 }, async () => cleo.attempt(page, from, code)))
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)

  wait(30)
  const { ctx } = testServer
  const uses = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const entered = await checkCode(ctx, { userId: cleo.userId, code: cleo.code() })
      return ctx.write((tx) => useCode(tx, entered))
    }),
  )
  assert.equal(uses.filter(Boolean).length, 1, 'without the limit of attempts, too')
})

test('AC4: a recovery code works once in place of a code, and new recovery codes replace all', async () => {
  const dora = await createOwner('dora')
  const [first, second] = dora.recoveryCodes as [string, string]
  assert.equal((await dora.logIn(() => first.replaceAll('-', ' ').toUpperCase())).done.status, 303)
  assert.equal((await findMailTo(testServer, dora.email))!.subject, 'Recovery code used (linnet.test)')
  assert.equal((await dora.logIn(() => first)).done.status, 422)
  const stored = await testServer.ctx.db
    .selectFrom('recovery_codes')
    .selectAll()
    .where('user_id', '=', dora.userId)
    .execute()
  assert.equal(stored.length, 9)
  assert.equal(
    stored.some(({ code_hash: hash }) => hash.includes(second.replaceAll('-', ''))),
    false,
  )

  const methods = await dora.browser.get('/settings/two_factor_authentication_methods')
  const replaced = await dora.browser.submit(methods, '/settings/two_factor_authentication/recovery_codes')
  const codes = recoveryCodesOf(replaced)
  assert.equal(codes.length, 10)
  assert.match(
    replaced.html,
    /href="data:text\/plain;charset=utf-8,[^"<> ]+" download="recovery-codes-linnet.test.txt"/,
  )
  assert.equal((await findMailTo(testServer, dora.email))!.subject, 'New recovery codes (linnet.test)')
  assert.equal((await dora.logIn(() => second)).done.status, 422)
  const uses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const entered = await checkCode(testServer.ctx, { userId: dora.userId, code: codes[0]! })
      return testServer.ctx.write((tx) => useCode(tx, entered))
    }),
  )
  assert.equal(uses.filter(Boolean).length, 1)
})

test('a recovery code also works if the secret of the app was encrypted with lost secrets', async () => {
  const { userId, recoveryCodes, logIn, code } = await createOwner('edda')
  const { db } = testServer.ctx
  const encrypted = Buffer.concat([Buffer.of(1), Buffer.alloc(60, 7)])
  await db.updateTable('totp_authenticators').set({ secret: encrypted }).where('user_id', '=', userId).execute()
  const refused = await logIn(code)
  assert.equal(refused.done.status, 422)
  const { from } = await logIn(() => recoveryCodes[0]!)
  assert.equal(await isLoggedIn(from), true)
})

test('AC4, BI19: the sixth code within five minutes is refused, even if it is right; the user gets one mail an hour', async () => {
  const { email, userId, logIn, code, attempt } = await createOwner('eve')
  const { page, from } = await logIn(() => '000000')
  for (let count = 0; count < 4; count += 1) assert.equal((await attempt(page, from, 'wrong')).status, 422)
  const refused = await attempt(page, from, code())
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Too many attempts/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await logIn(code)).done.status, 429, 'another log-in counts with it')
  wait(300)
  assert.equal((await logIn(code)).done.status, 303)

  assert.deepEqual(await listLogins(userId), ['password', ...Array(5).fill('otp invalid_otp_token'), 'otp'])
  const countMails = async () => {
    await testServer.waitForJobs()
    const mails = await testServer.ctx.db.selectFrom('mails').select('subject').where('recipient', '=', email).execute()
    return mails.filter(({ subject }) => subject === 'Second factor refused (linnet.test)').length
  }
  assert.equal(await countMails(), 1)
  wait(3_600)
  await logIn(() => '000000')
  assert.equal(await countMails(), 2)
})

test('AC5: a log-in that waits for the second factor ends with a change of password or second factor, and in time', async () => {
  const finn = await createOwner('finn')
  const expectExpired = async (change: () => Promise<unknown>, code = finn.code) => {
    const from = createBrowser(testServer.server)
    const page = await enterPassword(from, { login: 'finn', password: PASSWORD })
    await change()
    const done = await finn.attempt(page, from, code())
    assert.equal(done.status, 422)
    assert.match(done.text, /This page has expired/)
    assert.match((await from.get(SECOND_FACTOR)).text, /This page has expired/)
    assert.equal(await isLoggedIn(from), false)
  }
  const submit = async (path: string, action: string, fields = {}) =>
    finn.browser.submit(await finn.browser.get(path), action, fields)
  await expectExpired(async () => {
    await submit('/settings/two_factor_authentication_methods', '/settings/two_factor_authentication/recovery_codes')
  })
  await expectExpired(async () => wait(601))
  await expirePendingLogins(testServer.ctx)
  const rows = await testServer.ctx.db
    .selectFrom('pending_logins')
    .selectAll()
    .where('user_id', '=', finn.userId)
    .execute()
  assert.deepEqual(rows, [])
  await submit('/settings/confirm', '/settings/confirm', { current_password: PASSWORD })
  await expectExpired(async () => submit('/auth/edit', '/auth/edit', { password: PASSWORD }))
})

test('OA10: the cookie of a waiting log-in is restricted, rotated, and useless after the log-in', async () => {
  const { logIn, code, attempt } = await createOwner('gwen')
  const from = createBrowser(testServer.server)
  from.cookies.set(COOKIE, 'chosen-by-an-attacker')
  const page = await enterPassword(from, { login: 'gwen', password: PASSWORD })
  const first = from.cookies.get(COOKIE)!
  assert.match(first, /^[\w-]{43}$/)
  await enterPassword(from, { login: 'gwen', password: PASSWORD })
  assert.notEqual(from.cookies.get(COOKIE), first)
  const done = await attempt(page, from, code())
  const lines = [done.headers['set-cookie']].flat().map(String)
  assert.equal(done.status, 303)
  assert.ok(lines.some((line) => line.startsWith(`${COOKIE}=;`)))
  assert.equal(from.cookies.has(COOKIE), false)
  const { from: other } = await logIn(() => '000000')
  const copy = createBrowser(testServer.server)
  copy.cookies.set(COOKIE, other.cookies.get(COOKIE)!)
  wait(30)
  await attempt(await other.get(SECOND_FACTOR), other, code())
  assert.match((await copy.get(SECOND_FACTOR)).text, /This page has expired/)
})

test('AC5: two-factor authentication is disabled only by a user who has proved their identity', async () => {
  const { browser, email, userId, username } = await createOwner('hugo')
  const methods = await browser.get('/settings/two_factor_authentication_methods')
  wait(900)
  const action = '/settings/two_factor_authentication_methods/disable'
  const refused = await browser.submit(methods, action)
  assert.match(refused.location!, /^\/settings\/confirm\?next=/)
  await enterPassword(createBrowser(testServer.server), { login: username, password: PASSWORD })

  const form = await browser.get(refused.location!)
  await browser.submit(form, '/settings/confirm', { current_password: PASSWORD })
  assert.match((await browser.submit(methods, action)).text, /Two-factor authentication is disabled/)
  assert.equal((await findMailTo(testServer, email))!.subject, 'Two-factor authentication disabled (linnet.test)')
  await signIn(testServer.server, { login: username })
  const { db } = testServer.ctx
  for (const table of ['totp_authenticators', 'recovery_codes'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().where('user_id', '=', userId).execute(), [])
})
