// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { addPasskey, enterPassword, recoveryCodesOf } from '../../../../test/features/two-factor.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { passkeyOptionsOf, SoftwareAuthenticator } from '../../../../test/services/login/software-authenticator.ts'
import { expireChallenges } from '../../../domain/auth/two-factor/passkey-challenges.ts'

const SECOND_FACTOR = '/auth/sign_in/second_factor'
const SIGN_IN = '/auth/sign_in/passkey'
const SETTINGS = '/settings/security_keys'
let later = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + later) })
after(testServer.close)
const { ctx, server } = testServer

async function createOwner(username: string) {
  const user = await createUserWithPassword(ctx, username)
  const browser = await signIn(server, { login: username })
  return { ...user, browser, ...(await addPasskey(browser)) }
}

type Owner = Awaited<ReturnType<typeof createOwner>>
type Deviations = Parameters<SoftwareAuthenticator['get']>[1]

async function logInWith(
  { authenticator }: Pick<Owner, 'authenticator'>,
  { deviations, browser = createBrowser(server) }: { deviations?: Deviations; browser?: Browser } = {},
): Promise<PageResponse> {
  const page = await browser.get('/auth/sign_in?force=1')
  const credential = authenticator.get(passkeyOptionsOf(page, SIGN_IN), deviations)
  return browser.submit(page, SIGN_IN, { credential }, uniqueAddressHeaders())
}

const listPasskeys = async (userId: string) =>
  ctx.db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
const isLoggedIn = async (browser: Browser) => (await browser.get('/account')).status === 200

test('a user adds a passkey without an authenticator app, gets recovery codes and a mail, and removes it', async () => {
  const ada = await createOwner('ada')
  assert.equal(recoveryCodesOf(ada.page).length, 10)
  assert.equal((await findMailTo(testServer, ada.email))!.subject, 'Passkey added (linnet.test)')
  const [passkey] = await listPasskeys(ada.userId)
  assert.deepEqual([passkey!.nickname, passkey!.transports, passkey!.sign_count], ['Phone', ['internal'], '0'])

  const { browser } = ada
  const { page } = await addPasskey(browser, { nickname: 'Laptop', authenticator: ada.authenticator })
  assert.equal(recoveryCodesOf(page).length, 0, 'the recovery codes stay the same')
  // Mails of different requests may be sent in another order.
  await testServer.waitForJobs()
  assert.match(page.text, /The passkey was added.*Phone ?Added on .*Never used.*Remove Phone.*Laptop/)
  assert.equal(passkeyOptionsOf(page, SETTINGS).excludeCredentials!.length, 2)
  const removed = await browser.submit(page, `${SETTINGS}/remove`)
  assert.doesNotMatch(removed.text, /Phone/)
  assert.equal((await findMailTo(testServer, ada.email))!.subject, 'Passkey removed (linnet.test)')

  const foreign = await createOwner('foreign')
  const { id } = (await listPasskeys(foreign.userId))[0]!
  for (const other of [id, '0', 'x']) await browser.submit(removed, `${SETTINGS}/remove`, { id: other })
  assert.deepEqual([(await listPasskeys(ada.userId)).length, (await listPasskeys(foreign.userId)).length], [1, 1])
  await browser.submit(removed, `${SETTINGS}/remove`)
  assert.equal((await findMailTo(testServer, ada.email))!.subject, 'Two-factor authentication disabled (linnet.test)')
  await signIn(server, { login: 'ada' })
})

test('a passkey needs a name of its own', async () => {
  const { browser, authenticator, userId } = await createOwner('nell')
  for (const [nickname, text] of [
    ['  ', /This field is required/],
    ['x'.repeat(51), /This is too long/],
    ['PHONE', /This is already taken/],
  ] as const) {
    const page = await browser.get(SETTINGS)
    const credential = authenticator.create(passkeyOptionsOf(page, SETTINGS))
    const done = await browser.submit(page, SETTINGS, { nickname, credential })
    assert.equal(done.status, 422)
    assert.match(done.text, text)
  }
  assert.equal((await listPasskeys(userId)).length, 1)
})

test('a user logs in by a passkey alone, and by a passkey or a recovery code after the password', async () => {
  const ben = await createOwner('ben')
  const browser = createBrowser(server)
  const page = await browser.get('/auth/sign_in?next=%2Fsettings%2Femail')
  assert.match(
    String(page.headers['content-security-policy']),
    /script-src https:\/\/linnet\.test\/pages\/passkeys-[\w-]+\.js$/,
  )
  const options = passkeyOptionsOf(page, SIGN_IN)
  assert.deepEqual(
    [options.rpId, options.userVerification, options.allowCredentials],
    ['linnet.test', 'required', undefined],
  )
  const alone = await browser.submit(page, SIGN_IN, { credential: ben.authenticator.get(options) })
  assert.deepEqual([alone.status, alone.location], [303, '/settings/email'])
  assert.equal(await isLoggedIn(browser), true)

  const second = createBrowser(server)
  const form = await enterPassword(second, { login: 'ben', password: PASSWORD })
  assert.match(form.text, /Recovery code/)
  const request = passkeyOptionsOf(form, SECOND_FACTOR)
  assert.equal(request.allowCredentials!.length, 1)
  const credential = ben.authenticator.get(request, { userVerified: false, userHandle: null })
  assert.equal((await second.submit(form, SECOND_FACTOR, { credential })).location, '/account')
  assert.equal(await isLoggedIn(second), true)

  const third = createBrowser(server)
  const code = recoveryCodesOf(ben.page)[3]!
  const withCode = await enterPassword(third, { login: 'ben', password: PASSWORD })
  assert.equal((await third.submit(withCode, SECOND_FACTOR, { code, credential: '' })).status, 303)
  const logins = await ctx.db
    .selectFrom('login_activities')
    .select('method')
    .where('user_id', '=', ben.userId)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    logins.map(({ method }) => method),
    ['password', 'webauthn', 'webauthn', 'otp'],
  )
  const [passkey] = await listPasskeys(ben.userId)
  assert.equal(passkey!.sign_count, '2')
  assert.ok(passkey!.last_used_at)
})

test('AC6: an answer of another origin, for another server, without user verification or of a copy is refused', async () => {
  const cleo = await createOwner('cleo')
  assert.equal((await logInWith(cleo)).status, 303)
  const deviations: NonNullable<Deviations>[] = [
    { origin: 'https://evil.test' },
    { origin: 'http://linnet.test' },
    { rpId: 'evil.test' },
    { type: 'webauthn.create' },
    { userVerified: false },
    { userHandle: null },
    { userHandle: 'AAAA' },
    { challenge: Buffer.from('x'.repeat(64)).toString('base64url') },
    { signCount: 1 },
  ]
  for (const deviation of deviations) {
    const answer = await logInWith(cleo, { deviations: deviation })
    assert.equal(answer.status, 422, JSON.stringify(deviation))
    assert.match(answer.text, /This passkey could not be verified/)
  }
  const { browser, authenticator } = cleo
  for (const deviation of deviations.slice(0, 4)) {
    const page = await browser.get(SETTINGS)
    const type = deviation.type && 'webauthn.get'
    const credential = authenticator.create(passkeyOptionsOf(page, SETTINGS), { ...deviation, ...(type && { type }) })
    const refused = await browser.submit(page, SETTINGS, { nickname: 'New', credential })
    assert.equal(refused.status, 422, JSON.stringify(deviation))
  }
  assert.equal((await listPasskeys(cleo.userId)).length, 1)
})

test('AC6: a challenge works once, in its browser and session, for its purpose, and for an hour', async () => {
  const dora = await createOwner('dora')
  const browser = createBrowser(server)
  const page = await browser.get('/auth/sign_in')
  const options = passkeyOptionsOf(page, SIGN_IN)
  const other = createBrowser(server)
  const otherPage = await other.get('/auth/sign_in')
  const inOther = await other.submit(otherPage, SIGN_IN, { credential: dora.authenticator.get(options) })
  assert.equal(inOther.status, 422)
  const credentials = Array.from({ length: 10 }, () => dora.authenticator.get(options))
  const answers = await Promise.all(
    credentials.map(async (credential) => browser.submit(page, SIGN_IN, { credential }, uniqueAddressHeaders())),
  )
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)

  const pending = await enterPassword(createBrowser(server), { login: 'dora', password: PASSWORD })
  const forSecondFactor = passkeyOptionsOf(pending, SECOND_FACTOR)
  const fresh = createBrowser(server)
  const form = await fresh.get('/auth/sign_in')
  const misused = await fresh.submit(form, SIGN_IN, { credential: dora.authenticator.get(forSecondFactor) })
  assert.equal(misused.status, 422)

  const late = createBrowser(server)
  const early = await late.get('/auth/sign_in')
  const credential = dora.authenticator.get(passkeyOptionsOf(early, SIGN_IN))
  later = 3_600_001
  assert.equal((await late.submit(early, SIGN_IN, { credential })).status, 422)
  await expireChallenges(ctx)
  assert.deepEqual(await ctx.db.selectFrom('used_passkey_challenges').selectAll().execute(), [])
  later = 0
})

test('AC6: the passkey of another user is no second factor, and an unknown or removed one is refused', async () => {
  const [eve, finn] = [await createOwner('eve'), await createOwner('finn')]
  const browser = createBrowser(server)
  const page = await enterPassword(browser, { login: 'finn', password: PASSWORD })
  const credential = eve.authenticator.get(passkeyOptionsOf(page, SECOND_FACTOR), { userHandle: null })
  const refused = await browser.submit(page, SECOND_FACTOR, { credential })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /This passkey could not be verified/)
  const [, failure] = await ctx.db
    .selectFrom('login_activities')
    .selectAll()
    .where('user_id', '=', finn.userId)
    .orderBy('id')
    .execute()
  assert.deepEqual([failure!.method, failure!.failure_reason], ['webauthn', 'invalid_credential'])

  // A passkey that was created on the page of another user.
  const copied = await eve.browser.get(SETTINGS)
  const again = new SoftwareAuthenticator()
  const response = again.create(passkeyOptionsOf(copied, SETTINGS))
  await eve.browser.submit(copied, SETTINGS, { nickname: 'Key', credential: response })
  const theirs = await finn.browser.get(SETTINGS)
  assert.equal((await finn.browser.submit(theirs, SETTINGS, { nickname: 'Key', credential: response })).status, 422)

  await eve.browser.submit(await eve.browser.get(SETTINGS), `${SETTINGS}/remove`)
  assert.equal((await logInWith(eve)).status, 422)
  for (const garbage of ['', 'x', '{}', 'null', '[]', '{"id":"AAAA"}', '{"id":{}}', 'x'.repeat(20_000)]) {
    const form = createBrowser(server)
    const answer = await form.submit(
      await form.get('/auth/sign_in'),
      SIGN_IN,
      { credential: garbage },
      uniqueAddressHeaders(),
    )
    assert.equal(answer.status, 422, garbage.slice(0, 20))
    const add = await finn.browser.submit(theirs, SETTINGS, { nickname: 'Other', credential: garbage })
    assert.equal([422, 429].includes(add.status), true, garbage.slice(0, 20))
  }
})

test('OA10: a log-in by a passkey opens a new session; a memorial account and a wrong page do not', async () => {
  const gwen = await createOwner('gwen')
  const browser = createBrowser(server)
  browser.cookies.set('__Host-linnet-session', 'chosen-by-an-attacker')
  assert.equal((await logInWith(gwen, { browser })).status, 303)
  assert.match(browser.cookies.get('__Host-linnet-session')!, /^[\w-]{43}$/)
  await ctx.db.updateTable('accounts').set({ memorial: true }).where('id', '=', gwen.accountId).execute()
  assert.equal((await logInWith(gwen)).status, 403)
})
